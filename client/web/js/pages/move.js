// `/move#<code>`: this device becomes another player's as well; and what there is to say when a device loses its player.

import { dialog, h } from '../dom.js';
import { t } from '../i18n.js';
import { failureText } from '../words.js';
import { moveCode } from '../who.js';
import { store } from '../store.js';

/** @typedef {import('../app.js').App} App */

/** The code is taken off the address at once: who looks over a shoulder or into the history finds none. */
function takeCode() {
  const code = moveCode(location.hash);
  if (location.hash) history.replaceState(null, '', location.pathname);
  return code;
}

/** @param {App} app */
export function movePage(app) {
  const host = h('div', { class: 'card-page', role: 'status' });
  const el = h('main', { class: 'wait move' }, host);
  const home = () => h('button', { type: 'button', 'data-act': 'home', onclick: () => app.goHome() }, t('common.home'));
  /** @param {string} title @param {string} text @param {...HTMLElement} buttons */
  const say = (title, text, ...buttons) => host.replaceChildren(h('h1', {}, title), h('p', {}, text), h('div', { class: 'buttons' }, ...buttons));

  const code = takeCode();
  if (!code) say(t('move.brokenTitle'), t('move.brokenText'), home());
  else if (!store.token()) {
    take(code);
  } else {
    say(t('move.title'), t('move.wait'));
    ask(code);
  }

  /** @param {string} code */
  function take(code) {
    say(t('move.title'), t('move.wait'));
    app.who().move(code);
  }

  /** @param {string} code */
  async function ask(code) {
    try {
      const { name, own } = await app.question({ t: 'ask_move', code });
      const me = app.settings().name;
      if (own) return say(t('move.title'), t('move.own', { name: me }), home());
      const become = h('button', { type: 'button', class: 'primary', 'data-act': 'become', onclick: () => take(code) }, t('move.become', { name }));
      const stay = h('button', { type: 'button', class: 'quiet', 'data-act': 'stay', onclick: () => app.goHome() }, t('move.stay', { name: me }));
      say(t('move.ask', { name }), t('move.askText', { name, me }), become, stay);
    } catch (failed) {
      const { code: why = '', message = '' } = /** @type {Record<string, string>} */ (failed ?? {});
      say(t('move.notTitle'), failureText(why, message), home());
    }
  }

  return { el };
}

/** @param {string} title @param {string[]} texts @param {(close: () => void) => HTMLElement[]} buttons */
const tell = (title, texts, buttons) =>
  dialog({ title, class: 'small stays', body: (close) => [...texts.map((text) => h('p', {}, text)), h('div', { class: 'buttons' }, ...buttons(() => close()))] });

/** The code was of no use. @param {string} code what the server says to it */
export const tellRefused = (code) =>
  tell(t('move.notTitle'), [failureText(code, code), t('move.asBefore')], (close) => [h('button', { type: 'button', class: 'primary', 'data-act': 'ok', onclick: close }, t('common.ok'))]);

/** This device's token leads nowhere any more. @param {App} app @param {string} name who it was @param {'dropped' | 'unknown'} how */
export function tellLost(app, name, how) {
  const [before] = app.who().former();
  const named = { name: name || t('home.namePlaceholder') };
  const title = how === 'dropped' ? t('devices.droppedTitle', named) : t('devices.unknownTitle');
  const text = how === 'dropped' ? t('devices.droppedText', named) : t('devices.unknownText', named);
  return tell(title, [text], (close) => [
    h('button', { type: 'button', class: 'primary', 'data-act': 'ok', onclick: close }, t('common.ok')),
    ...(before ? [h('button', { type: 'button', class: 'quiet', 'data-act': 'back', onclick: () => (close(), app.who().back(before.token)) }, t('devices.back', { name: before.name || t('home.namePlaceholder') }))] : []),
  ]);
}
