// What the pages of the records share: their head with the ways to each other, links, and how an answer is waited for.

import { h } from '../dom.js';
import { has, t } from '../i18n.js';
import { failureText } from '../words.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').Message} Message */

/** The pages, with the strokes of their icons in a box of 24. @type {[string, string][]} */
const PAGES = [
  ['profile', 'M12 4A4 4 0 1 0 12 12A4 4 0 1 0 12 4M4 21C4 16 8 14.5 12 14.5C16 14.5 20 16 20 21'],
  ['boards', 'M4 21V12H9V21M9 21V5H15V21M15 21V9H20V21M3 21H21'],
  ['calendar', 'M4 6H20V20H4ZM4 10.5H20M8 3V7M16 3V7M8 14.5H10M14 14.5H16'],
  ['history', 'M4 12A8 8 0 1 0 7 5.7M7 2.5V6.3H3.2M12 8V12.5L15 14.5'],
];

/**
 * A link within the page; another button or key than the plain one does what the browser does with links.
 * @param {App} app @param {string} path @param {(Node | string)[] | string} label @param {Record<string, any>} [attributes]
 */
export function link(app, path, label, attributes = {}) {
  const go = (/** @type {MouseEvent} */ event) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    app.go(path);
  };
  return h('a', { href: path, onclick: go, ...attributes }, ...(typeof label === 'string' ? [label] : label));
}

/** The ways to the pages of the records. @param {App} app @param {string} [here] the one that is shown */
export function waysTo(app, here) {
  const items = PAGES.map(([name, strokes]) =>
    h(
      'li',
      {},
      link(app, `/${name}`, [h('span', { class: 'icon', html: `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${strokes}"/></svg>` }), h('span', {}, t(`records.${name}`))], {
        'data-to': name,
        'aria-current': here === name && 'page',
      }),
    ),
  );
  return h('nav', { class: 'ways', 'aria-label': t('records.title') }, h('ul', {}, ...items));
}

/**
 * A page of the records. Shown, it has the focus on its title: what was pressed to come here is gone.
 * @param {App} app @param {string} here @param {string} title @param {...(Node | null | false)} parts
 */
export function frame(app, here, title, ...parts) {
  const home = link(app, '/', [h('span', { 'aria-hidden': 'true' }, '← '), t('common.home')], { class: 'back', 'data-act': 'home' });
  const heading = h('h1', { tabindex: '-1' });
  const el = h('main', { class: `records ${here}` }, h('header', {}, home, waysTo(app, here)), heading, ...parts);
  const entitle = (/** @type {string} */ text) => {
    heading.textContent = text;
    document.title = `${text} – ${t('app.title')}`;
  };
  entitle(title);
  return { el, entitle, shown: () => heading.focus({ preventScroll: true }) };
}

/** The name of somebody, a computer by its level. @param {{identity: string, name: string}} person */
export function nameOf({ identity, name }) {
  const level = identity.startsWith('bot:') ? identity.slice('bot:'.length) : '';
  if (has(`bot.${level}`)) return t('bot.name', { level: t(`bot.${level}`) });
  return name || t('home.namePlaceholder');
}

/** His name, with the way to his profile; a computer has none. @param {App} app @param {{identity: string, name: string, bot?: boolean}} person */
export const personLink = (app, person) =>
  person.bot ? h('span', { class: 'person' }, nameOf(person)) : link(app, `/profile/${encodeURIComponent(person.identity)}`, nameOf(person), { class: 'person' });

/**
 * A part that waits for an answer. Asking again while one is under way drops the older one.
 * @param {App} app
 * @param {HTMLElement} host
 */
export function createWaiting(app, host) {
  let asked = 0;
  /**
   * @template T
   * @param {Message} question @param {(raw: any) => T} read @param {(answer: T) => void} show
   */
  async function ask(question, read, show) {
    const mine = (asked += 1);
    host.setAttribute('aria-busy', 'true');
    const slow = setTimeout(() => host.classList.add('slow'), 400);
    try {
      const answer = await app.question(question);
      if (mine !== asked) return;
      show(read(answer));
    } catch (failed) {
      if (mine !== asked) return;
      const { code = '', message = '' } = /** @type {Record<string, string>} */ (failed ?? {});
      const again = h('button', { type: 'button', 'data-act': 'ask-again', onclick: () => ask(question, read, show) }, t('records.again'));
      host.replaceChildren(h('div', { class: 'none', role: 'alert' }, h('p', {}, code ? failureText(code, message) : t('records.failed')), again));
    } finally {
      clearTimeout(slow);
      if (mine === asked) {
        host.classList.remove('slow');
        host.removeAttribute('aria-busy');
      }
    }
  }
  return ask;
}

/** While nothing is there yet. */
export const waitingNote = () => h('p', { class: 'none', 'data-out': 'waiting-answer' }, t('records.loading'));

/** @param {string} label @param {string} value @param {string} [name] */
export const figure = (label, value, name) => h('div', {}, h('dt', {}, label), h('dd', { 'data-out': name }, value));
