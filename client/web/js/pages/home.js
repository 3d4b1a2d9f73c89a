// The first page: a name, the games, a code, and the games this browser has open.

import { dialog, h } from '../dom.js';
import { LANGUAGES, currentLanguage, t } from '../i18n.js';
import { suitIcon } from '../faces.js';
import { readCode } from '../codes.js';
import { store } from '../store.js';
import { readTerms } from '../wire.js';
import { waysTo } from '../records/frame.js';
import { dailyTile } from './daily.js';
import { gamesList } from './games.js';
import { termsForm } from './terms_form.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').Terms} Terms */

/** @param {App} app @param {'duel' | 'klondike' | 'two_deck'} type @param {Terms} [start] */
export async function chooseTerms(app, type, start) {
  const form = termsForm(start ?? readTerms({ ...store.terms(type), type }));
  const code = h('input', { type: 'text', name: 'code', autocomplete: 'off', spellcheck: 'false', placeholder: type === 'klondike' ? 'KL1-D1S-…' : 'DS1-D1N-…' });
  code.addEventListener('input', () => {
    const read = readCode(code.value);
    form.showPasses('deal' in read ? readTerms(read.deal) : undefined);
  });
  const terms = await dialog({
    title: t(`terms.${type}Title`),
    class: 'wide',
    body: (close) => {
      const submit = (/** @type {Event} */ event) => {
        event.preventDefault();
        close(form.value());
      };
      return [
        h(
          'form',
          { onsubmit: submit },
          form.el,
          type !== 'duel' && h('label', { class: 'row' }, h('span', {}, t('terms.code')), code),
          h('div', { class: 'buttons' }, h('button', { class: 'primary', type: 'submit', 'data-act': 'start' }, t(type === 'duel' ? 'terms.create' : 'terms.deal'))),
        ),
      ];
    },
  });
  if (!terms) return;
  const chosen = /** @type {Terms} */ (terms);
  store.setTerms(type, { ...chosen, code: null, type: undefined });
  const typed = code.value.trim();
  const read = typed ? readCode(typed) : null;
  if (read && 'deal' in read && read.deal.type === type) app.create({ ...chosen, ...read.deal, ...houseRules(chosen) });
  else app.create(typed ? { ...chosen, code: typed } : chosen);
}

/** What a code leaves open. @param {Terms} terms */
function houseRules(terms) {
  const { worry_back, empty_column, open_deal, unlimited_hints, finish } = terms;
  return terms.type === 'klondike' ? { worry_back, empty_column, open_deal, unlimited_hints, finish } : {};
}

/** @param {string} kind @param {string} art @param {(Node | string)[]} rest */
const tile = (kind, art, ...rest) => h('section', { class: `tile ${kind}` }, h('div', { class: 'art', html: art, 'aria-hidden': 'true' }), ...rest);

/** The computer's levels, weakest first. */
const LEVELS = ['beginner', 'casual', 'skilled', 'expert'];

/** A duel against the computer: how strong, which tempo. @param {App} app */
function computerTile(app) {
  const before = store.terms('computer');
  const level = h(
    'select',
    { name: 'computer_level', 'aria-label': t('home.level') },
    ...LEVELS.map((name) => h('option', { value: name, selected: name === (before.level ?? 'casual') }, t(`bot.${name}`))),
  );
  const tempo = h(
    'select',
    { name: 'computer_tempo', 'aria-label': t('terms.tempo') },
    ...['simultaneous', 'alternating'].map((name) => h('option', { value: name, selected: name === before.tempo }, t(`terms.${name}`))),
  );
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    store.setTerms('computer', { level: level.value, tempo: tempo.value });
    app.create(readTerms({ type: 'duel', tempo: tempo.value }), level.value);
  };
  return tile(
    'computer',
    suitIcon(0),
    h('h2', {}, t('home.computer')),
    h('p', {}, t('home.computerText')),
    h('form', { class: 'inline', onsubmit: start }, level, tempo, h('button', { type: 'submit', class: 'primary', 'data-act': 'computer' }, t('home.play'))),
  );
}

/** @param {App} app @param {HTMLElement} find where opponents are found */
export function homePage(app, find) {
  const settings = app.settings();
  const name = h('input', { type: 'text', name: 'name', maxlength: '24', value: settings.name, placeholder: t('home.namePlaceholder'), autocomplete: 'nickname' });
  name.addEventListener('change', () => app.rename(name.value.trim()));
  const languages = h(
    'select',
    { 'aria-label': t('settings.language') },
    ...Object.entries(LANGUAGES).map(([tag, label]) => h('option', { value: tag, selected: tag === currentLanguage() }, label)),
  );
  languages.addEventListener('change', () => app.change({ language: languages.value }));
  const code = h('input', { type: 'text', name: 'code', 'aria-label': t('home.code'), placeholder: t('home.code'), autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' });
  const joinForm = h(
    'form',
    {
      class: 'inline',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (!code.value.trim()) return;
        const read = readCode(code.value);
        if ('deal' in read) app.create(read.deal);
        else app.join({ code: read.room });
      },
    },
    code,
    h('button', { type: 'submit', 'data-act': 'join' }, t('home.joinGo')),
  );
  /** @param {'klondike' | 'two_deck'} type @param {string} art */
  const solo = (type, art) =>
    tile(
      type,
      art,
      h('h2', {}, t(type === 'klondike' ? 'home.klondike' : 'home.twoDeck')),
      h('p', {}, t(type === 'klondike' ? 'home.klondikeText' : 'home.twoDeckText')),
      h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', 'data-act': type, onclick: () => chooseTerms(app, type) }, t('home.play'))),
    );
  return h(
    'main',
    { class: 'home' },
    h(
      'header',
      { class: 'top' },
      h('div', { class: 'brand' }, h('div', { class: 'logo', html: suitIcon(0) + suitIcon(1), 'aria-hidden': 'true' }), h('div', {}, h('h1', {}, t('app.title')), h('p', {}, t('app.tagline')))),
      h('div', { class: 'side' }, languages, h('button', { type: 'button', class: 'quiet', 'data-act': 'settings', onclick: () => app.openSettings() }, t('home.settings')), h('button', { type: 'button', class: 'quiet', 'data-act': 'help', onclick: () => app.openHelp() }, t('home.help'))),
    ),
    waysTo(app),
    h('label', { class: 'name' }, h('span', {}, t('home.name')), name),
    h(
      'div',
      { class: 'tiles' },
      find,
      tile(
        'duel',
        suitIcon(0) + suitIcon(1) + suitIcon(2) + suitIcon(3),
        h('h2', {}, t('home.duel')),
        h('p', {}, t('home.duelText')),
        h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', 'data-act': 'duel', onclick: () => chooseTerms(app, 'duel') }, t('home.duelGo'))),
      ),
      computerTile(app),
      tile('join', suitIcon(2), h('h2', {}, t('home.join')), h('p', {}, t('home.joinText')), joinForm),
      dailyTile(app),
      solo('klondike', suitIcon(3)),
      solo('two_deck', suitIcon(1) + suitIcon(1)),
    ),
    gamesList(app),
  );
}
