// How somebody played: duels by tempo, solo games by kind, days in a row, his own Vegas bank.

import { announce, confirm, h } from '../dom.js';
import { t } from '../i18n.js';
import { store } from '../store.js';
import { scoreText } from '../words.js';
import { readProfile } from './answers.js';
import { countChart } from './chart.js';
import { counted, day, isSettled, kindText, number, percent, ratingText, score, time } from './figures.js';
import { createWaiting, figure, frame, link, nameOf, waitingNote } from './frame.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./answers.js').Profile} Profile */
/** @typedef {import('./answers.js').DuelRecord} DuelRecord */
/** @typedef {import('./answers.js').SoloRecord} SoloRecord */

/** @param {App} app @param {string} rest an identity, or nothing: this client's own @returns {import('../places.js').Page} */
export function profilePage(app, rest) {
  const body = h('div', { class: 'parts' }, waitingNote());
  const { el, entitle, shown } = frame(app, 'profile', t(rest ? 'records.profile' : 'profile.own'), body);
  const ask = createWaiting(app, body);
  /** @param {Profile} profile */
  const show = (profile) => {
    entitle(nameOf(profile));
    body.replaceChildren(...parts(app, profile, reset));
  };
  const reset = async () => {
    if (await confirm(t('profile.resetAsk'), t('profile.resetText'), t('profile.reset'))) ask({ t: 'reset_bank' }, readProfile, show);
  };
  ask({ t: 'ask_profile', ...(rest ? { identity: rest } : {}) }, readProfile, show);
  return { el, shown };
}

/** @param {App} app @param {Profile} profile @param {() => void} reset */
function parts(app, profile, reset) {
  const mine = profile.own || profile.identity === app.me();
  const path = encodeURIComponent(profile.identity);
  const links = h(
    'p',
    { class: 'links' },
    link(app, mine ? '/history' : `/history/${path}`, t(mine ? 'history.own' : 'history.ofShort'), { 'data-to': 'his-history' }),
    !mine && app.me() && link(app, `/history/${encodeURIComponent(app.me())}/${path}`, t('profile.between'), { 'data-to': 'between' }),
  );
  return [
    h('p', { class: 'lead' }, [profile.since > 0 && t('profile.since', { date: day(profile.since * 1000) }), mine && t('profile.thisIsYou')].filter(Boolean).join(' ')),
    links,
    streakPart(profile),
    duelPart(profile.duels),
    soloPart(profile.solos),
    profile.bank !== null && bankPart(profile.bank, reset),
  ].filter((part) => part !== false);
}

/** @param {Profile} profile */
const streakPart = ({ days }) =>
  h(
    'section',
    { class: 'part streak', 'aria-label': t('profile.days') },
    h('h2', {}, t('profile.days')),
    h('p', { class: 'note' }, t('profile.daysText')),
    h('dl', { class: 'figures' }, figure(t('profile.daysNow'), counted('records.days', days.current), 'days-now'), figure(t('profile.daysBest'), counted('records.days', days.best), 'days-best')),
  );

/** @param {DuelRecord[]} duels */
function duelPart(duels) {
  const played = duels.filter((duel) => duel.played > 0 || duel.rating);
  return h(
    'section',
    { class: 'part' },
    h('h2', {}, t('profile.duels')),
    played.length === 0 ? h('p', { class: 'none' }, t('profile.noDuels')) : h('div', { class: 'pair' }, ...played.map(duelCard)),
  );
}

/** @param {DuelRecord} duel */
function duelCard(duel) {
  const { rating } = duel;
  const title = t(`terms.${duel.tempo}`);
  return h(
    'section',
    { class: 'card-like', 'data-tempo': duel.tempo },
    h('h3', {}, title),
    rating
      ? h(
          'p',
          { class: 'rating' },
          h('b', { 'data-out': 'rating', 'aria-label': t('profile.ratingLabel', { rating: ratingText(rating) }) }, ratingText(rating)),
          h('small', {}, isSettled(rating) ? counted('profile.ratedGames', rating.games) : counted('profile.unsettled', rating.games)),
        )
      : h('p', { class: 'rating' }, h('small', {}, t('profile.unrated'))),
    h(
      'dl',
      { class: 'figures' },
      figure(t('profile.played'), number(duel.played), 'played'),
      figure(t('profile.won'), `${number(duel.won)} (${percent(duel.won, duel.played)})`, 'won'),
      figure(t('profile.left'), number(duel.left), 'left'),
      figure(t('profile.streakNow'), number(duel.streak), 'streak'),
      figure(t('profile.streakBest'), number(duel.best_streak), 'best-streak'),
    ),
    countChart(duel.counts, title),
  );
}

/** Solo games, those of the kinds that are wanted. @param {SoloRecord[]} solos */
function soloPart(solos) {
  const played = solos.filter((solo) => solo.played > 0);
  const list = h('div', { class: 'pair' });
  if (played.length === 0) return h('section', { class: 'part' }, h('h2', {}, t('profile.solos')), h('p', { class: 'none' }, t('profile.noSolos')));
  const wanted = { game: '', draw: '', scoring: '', ...store.filter() };
  /** @param {'game' | 'draw' | 'scoring'} field @param {string} label @param {(value: string) => string} word */
  const chooser = (field, label, word) => {
    const values = [...new Set(played.map((solo) => String(solo[field])))].sort();
    if (!values.includes(wanted[field])) wanted[field] = '';
    const select = h(
      'select',
      { name: `filter_${field}` },
      h('option', { value: '' }, t('records.all')),
      ...values.map((value) => h('option', { value, selected: wanted[field] === value }, word(value))),
    );
    select.addEventListener('change', () => {
      wanted[field] = select.value;
      store.setFilter(wanted);
      announce(draw().map(kindText).join(', ') || t('profile.noneSuch'));
    });
    return values.length > 1 && h('label', { class: field === 'game' ? 'broad' : '' }, h('span', {}, label), select);
  };
  const draw = () => {
    const shown = played.filter((solo) => ['game', 'draw', 'scoring'].every((field) => !(/** @type {any} */ (wanted)[field]) || String(/** @type {any} */ (solo)[field]) === /** @type {any} */ (wanted)[field]));
    list.replaceChildren(...(shown.length ? shown.map(soloCard) : [h('p', { class: 'none' }, t('profile.noneSuch'))]));
    return shown;
  };
  const filters = [
    chooser('game', t('boards.game'), (value) => t(`variant.${value}`)),
    chooser('draw', t('terms.draw'), (value) => t(`terms.draw${value}`)),
    chooser('scoring', t('terms.scoring'), (value) => t(`terms.${value}`)),
  ].filter((el) => el !== false);
  draw();
  return h('section', { class: 'part' }, h('h2', {}, t('profile.solos')), filters.length > 0 && h('div', { class: 'filters' }, ...filters), list);
}

/** @param {SoloRecord} solo */
const soloCard = (solo) =>
  h(
    'section',
    { class: 'card-like', 'data-kind': `${solo.game} ${solo.draw} ${solo.scoring}` },
    h('h3', {}, kindText(solo)),
    h(
      'dl',
      { class: 'figures' },
      figure(t('profile.played'), number(solo.played), 'played'),
      figure(t('profile.won'), `${number(solo.won)} (${percent(solo.won, solo.played)})`, 'won'),
      figure(t('profile.streakNow'), number(solo.streak), 'streak'),
      figure(t('profile.streakBest'), number(solo.best_streak), 'best-streak'),
      ...(solo.won > 0 ? figuresOfWon(solo) : []),
      figure(t('profile.allTime'), time(solo.played_ms), 'all-time'),
    ),
    solo.won > 0 && h('p', { class: 'note' }, t('profile.ofWon')),
  );

/** @param {SoloRecord} solo */
const figuresOfWon = (solo) => [
  figure(t('profile.bestTime'), time(solo.best_ms), 'best-time'),
  figure(t('profile.averageTime'), time(solo.average_ms), 'average-time'),
  figure(t('profile.leastMoves'), number(solo.least_moves), 'least-moves'),
  figure(t('profile.averageMoves'), number(solo.average_moves), 'average-moves'),
  ...(solo.scoring === 'none'
    ? []
    : [figure(t('profile.bestScore'), score(solo.best_score, solo.scoring), 'best-score'), figure(t('profile.averageScore'), score(solo.average_score, solo.scoring), 'average-score')]),
];

/** @param {number} bank @param {() => void} reset */
const bankPart = (bank, reset) =>
  h(
    'section',
    { class: 'part bank' },
    h('h2', {}, t('profile.bank')),
    h('p', { class: 'note' }, t('profile.bankText')),
    h('div', { class: 'money' }, h('output', { 'data-out': 'bank' }, scoreText(bank, 'vegas')), h('button', { type: 'button', 'data-act': 'reset-bank', onclick: reset }, t('profile.reset'))),
  );
