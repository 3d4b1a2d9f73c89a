// Finding an opponent: the quick match, the open seeks, what is shown while one waits, and the call to the match.

import { minutes } from '../clock.js';
import { announce, dialog, h } from '../dom.js';
import { t } from '../i18n.js';
import { store } from '../store.js';
import { ownRating } from '../records/own_rating.js';
import { readTerms } from '../wire.js';
import { FIELDS, choiceRow, termsForm, termsList } from './terms_form.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').OpenSeek} OpenSeek */
/** @typedef {import('../types.js').Terms} Terms */

const TICK = 500;

/** @type {import('./terms_form.js').Choice} */
const RATED = { name: 'rated', kind: 'choice', label: 'find.counts', values: [[false, 'find.casual'], [true, 'terms.rated']] };

/** How long somebody has waited. @param {OpenSeek} seek */
const waited = (seek) => minutes(Math.floor((performance.now() - seek.since) / 1000) * 1000);

/** The terms in few words, what is usual left out. @param {Terms} terms */
function brief(terms) {
  const [own, rival] = terms.draw;
  const draw = own === rival ? t(`terms.draw${own}`) : t('find.drawOdd', { own, rival });
  const games = terms.games > 1 ? t('find.bestOf', { n: terms.games }) : '';
  return [t(`terms.${terms.tempo}`), draw, games, terms.rated ? t('terms.rated') : ''].filter(Boolean).join(' · ');
}

/** @param {App} app @param {OpenSeek} seek */
async function lookAt(app, seek) {
  const yes = await dialog({
    title: t('find.acceptTitle', { name: seek.name }),
    class: 'wide',
    body: (close) => [
      seek.rating !== null && h('p', { class: 'note' }, t('find.rating', { n: Math.round(seek.rating) })),
      termsList(seek.terms, [seek.name, app.settings().name]),
      h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', 'data-act': 'accept-seek', onclick: () => close(true) }, t('find.accept'))),
    ],
  });
  if (yes) app.lobby.accept(seek.seek);
}

/** Seek with all options. @param {App} app */
async function seekWith(app) {
  const form = termsForm(readTerms({ ...store.terms('duel'), type: 'duel' }));
  form.el.querySelector('[name=rated]')?.closest('label')?.querySelector('span')?.append(ownRating(app));
  const terms = await dialog({
    title: t('find.title'),
    class: 'wide',
    body: (close) => [
      form.el,
      h('p', {}, t('find.oddText')),
      h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', 'data-act': 'seek-with', onclick: () => close(form.value()) }, t('find.go'))),
    ],
  });
  if (terms) app.lobby.seek(/** @type {Terms} */ (terms));
}

/** @param {App} app */
function quickForm(app) {
  let quick = { type: 'duel', ...store.quick() };
  const change = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    quick = { ...quick, [name]: value };
    store.setQuick({ tempo: quick.tempo, draw: quick.draw, rated: quick.rated });
  };
  const rows = [FIELDS['duel']?.[0], FIELDS['klondike']?.[0], RATED].map((field) =>
    choiceRow(/** @type {import('./terms_form.js').Choice} */ (field), /** @type {Terms} */ (quick), change),
  );
  for (const input of rows.flatMap((row) => [...row.querySelectorAll('input')])) input.name = `quick_${input.name}`; // a dialog has such names too
  const go = () => app.lobby.seek(readTerms({ type: 'duel', tempo: quick.tempo, draw: [quick.draw, quick.draw], rated: quick.rated }));
  return h(
    'div',
    { class: 'quick' },
    ...rows,
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', class: 'primary', 'data-act': 'seek', onclick: go }, t('find.go')),
      h('button', { type: 'button', class: 'quiet', 'data-act': 'seek-options', onclick: () => seekWith(app) }, t('find.options')),
    ),
    ownRating(app),
  );
}

/** The computer of the level chosen last, at the tempo that is sought; the place in the line is kept. @param {App} app @param {Terms} terms */
const playComputer = (app, { tempo }) => app.create(readTerms({ type: 'duel', tempo }), String(store.terms('computer')['level'] ?? 'casual'));

/** While this player waits. @param {App} app @param {OpenSeek} own */
const waitingNote = (app, own) =>
  h(
    'div',
    { class: 'quick waiting' },
    h('p', { class: 'looking', role: 'status' }, h('span', { class: 'dots', 'aria-hidden': 'true' }), t('find.looking'), ' ', h('b', { 'data-out': 'waited', 'aria-hidden': 'true' })),
    h('p', {}, brief(own.terms)),
    h('p', { class: 'note' }, t('find.meanwhile')),
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', 'data-act': 'unseek', onclick: () => app.lobby.stop() }, t('find.cancel')),
      h('button', { type: 'button', class: 'quiet', 'data-act': 'meanwhile', onclick: () => playComputer(app, own.terms) }, t('find.computer')),
    ),
  );

/** @param {App} app @param {OpenSeek} seek */
const seekRow = (app, seek) =>
  h(
    'li',
    { 'data-seek': seek.seek },
    h(
      'span',
      { class: 'what' },
      seek.name,
      seek.rating !== null && h('b', { class: 'seek-rating', 'data-out': 'seek-rating', 'aria-label': t('find.rating', { n: Math.round(seek.rating) }) }, String(Math.round(seek.rating))),
      h('small', {}, brief(seek.terms)),
    ),
    h('time', { 'data-since': String(seek.since) }, waited(seek)),
    h('button', { type: 'button', 'data-act': 'look', 'aria-label': t('find.acceptTitle', { name: seek.name }), onclick: () => lookAt(app, seek) }, t('find.look')),
  );

/** The part of the first page where opponents are found; it lives as long as that page. @param {App} app */
export function findPanel(app) {
  const left = h('div', { class: 'side-a' });
  const list = h('ul', {});
  const count = h('p', { class: 'count', role: 'status', 'data-out': 'waiting' });
  const el = h('section', { class: 'tile find' }, h('h2', {}, t('find.title')), left, h('div', { class: 'side-b' }, h('h3', {}, t('find.open')), count, list));
  let shownOwn = '?';

  function tick() {
    const { own, seeks } = app.lobby.state;
    const clock = el.querySelector('[data-out=waited]');
    if (clock && own) clock.textContent = waited(own);
    for (const time of list.querySelectorAll('time')) {
      const seek = seeks.find(({ since }) => String(since) === time.dataset['since']);
      if (seek) time.textContent = waited(seek);
    }
  }

  function refresh() {
    const { own, seeks, waiting } = app.lobby.state;
    if ((own?.seek ?? '') !== shownOwn) {
      shownOwn = own?.seek ?? '';
      const focused = left.contains(document.activeElement);
      left.replaceChildren(own ? waitingNote(app, own) : quickForm(app));
      if (focused) /** @type {HTMLElement | null} */ (left.querySelector('[data-act=unseek], [data-act=seek]'))?.focus();
    }
    const others = seeks.filter((seek) => seek.seek !== own?.seek);
    const held = /** @type {HTMLElement | null} */ (document.activeElement)?.closest('li')?.dataset['seek'];
    list.replaceChildren(...others.map((seek) => seekRow(app, seek)));
    if (held) /** @type {HTMLElement | null} */ (list.querySelector(`[data-seek="${held}"] button`))?.focus();
    count.textContent = waiting === 0 ? t('find.nobody') : waiting === 1 ? (own ? t('find.onlyYou') : t('find.waitsOne')) : t('find.waits', { n: waiting });
    tick();
  }

  const timer = setInterval(tick, TICK);
  refresh();
  return { el, refresh, destroy: () => clearInterval(timer) };
}

/** The strip over every other page while one waits. @param {App} app @param {HTMLElement} host */
export function seekStrip(app, host) {
  const clock = h('b', { 'aria-hidden': 'true' });
  const text = h('span', { class: 'text' }, t('find.looking'));
  host.replaceChildren(h('span', { class: 'dots', 'aria-hidden': 'true' }), text, clock, h('button', { type: 'button', 'data-act': 'unseek', 'aria-label': t('find.cancel'), onclick: () => app.lobby.stop() }, t('common.cancel')));
  const tick = () => {
    const { own } = app.lobby.state;
    if (own) clock.textContent = waited(own);
  };
  tick();
  const timer = setInterval(tick, TICK);
  return () => clearInterval(timer);
}

/** An opponent is found: who takes the call is brought to the table, ready. @param {App} app @returns {Promise<'yes' | 'no' | 'late'>} */
export async function takeCall(app) {
  const { call } = app.lobby.state;
  if (!call) return 'late';
  const digits = h('div', { class: 'digits', role: 'timer', 'data-out': 'call' });
  const title = document.title;
  document.title = `● ${t('find.found')}`;
  announce(t('find.foundText', { name: call.rival }));
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  let late = false;
  const yes = await dialog({
    title: t('find.found'),
    class: 'small call',
    body: (close) => {
      const tick = () => {
        const left = Math.ceil((call.until - performance.now()) / 1000);
        digits.textContent = String(Math.max(0, left));
        late = left <= 0;
        if (late || app.lobby.state.call !== call) close(false);
      };
      timer = setInterval(tick, TICK / 2);
      digits.textContent = String(Math.ceil((call.until - performance.now()) / 1000));
      return [
        h('p', {}, t('find.foundText', { name: call.rival })),
        h('p', { class: 'brief' }, brief(call.terms)),
        digits,
        h(
          'div',
          { class: 'buttons stretch' },
          h('button', { type: 'button', class: 'quiet', 'data-act': 'no-call', onclick: () => close(false) }, t('find.notNow')),
          h('button', { type: 'button', class: 'primary', 'data-act': 'take-call', autofocus: true, onclick: () => close(true) }, t('find.play')),
        ),
      ];
    },
  });
  clearInterval(timer);
  document.title = title;
  return yes === true ? 'yes' : late ? 'late' : 'no';
}
