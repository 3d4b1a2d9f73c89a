// The games that can be gone on with: those of this browser, and those of the same player's other devices.

import { h } from '../dom.js';
import { currentLanguage, t } from '../i18n.js';
import { store } from '../store.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../store.js').Kept} Kept */

const MOST = 12;

/** @param {any[]} notes what the server answers @returns {Kept[]} */
const fromServer = (notes) =>
  notes.filter(({ abandoned }) => !abandoned).map(({ match, terms, at }) => ({ match, variant: terms.type, names: [], at, over: false }));

/** The newest first, each once; what this browser knows of a game goes first. @param {Kept[]} known @param {Kept[]} others */
function together(known, others) {
  const hidden = store.hidden();
  const here = new Set(known.map(({ match }) => match));
  const all = [...known, ...others.filter(({ match }) => !here.has(match) && !hidden.includes(match))];
  return all.filter(({ over }) => !over).sort((a, b) => b.at - a.at).slice(0, MOST);
}

/** @param {App} app */
export function gamesList(app) {
  const list = h('ul');
  const el = h('section', { class: 'games' }, h('h2', {}, t('home.games')), list);
  const format = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
  const row = (/** @type {Kept} */ { match, variant, names, at }) =>
    h(
      'li',
      { 'data-match': match },
      h('span', { class: 'what' }, t(`variant.${variant}`), names.length > 1 ? h('small', {}, names.join(' – ')) : null),
      h('time', {}, format.format(at)),
      h('button', { type: 'button', onclick: () => app.join({ match }) }, t('home.resume')),
      h('button', { type: 'button', class: 'quiet icon', 'aria-label': t('home.forget'), title: t('home.forget'), onclick: () => app.forget(match) }, '×'),
    );
  const show = (/** @type {Kept[]} */ others) => {
    const games = together(store.games(), others);
    el.hidden = games.length === 0;
    list.replaceChildren(...games.map(row));
  };
  show([]);
  app.question({ t: 'ask_games' }).then(
    (answer) => show(fromServer(answer.games ?? [])),
    () => {}, // those of this browser are there
  );
  return el;
}
