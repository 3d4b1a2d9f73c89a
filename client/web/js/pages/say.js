// A few words to the other player, by button; and his, in a bubble for some seconds, unless they are muted here.

import { announce, dialog, h } from '../dom.js';
import { t } from '../i18n.js';
import { playerName } from '../words.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').Player} Player */

/** The words there are (docs/protocol.md, `emote`). */
export const WORDS = ['hello', 'good_luck', 'well_played', 'thanks', 'oops', 'wow', 'one_moment', 'good_game'];
/** So long a word is shown, ms. */
const SHOWN = 5000;

const ICON = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 5H20V16H11L7 20V16H4Z"/></svg>';

/** The words and whether the other's are shown; who only watches has none to say. @param {App} app */
function openWords(app) {
  const watching = app.session.state.seat === null;
  const mute = h('input', { type: 'checkbox', role: 'switch', name: 'mute', checked: app.settings().mute });
  mute.addEventListener('change', () => app.change({ mute: mute.checked }));
  return dialog({
    title: title(app),
    class: 'small words',
    body: (close) => {
      const word = (/** @type {string} */ what) => {
        const send = () => (app.play({ do: 'emote', what }), close());
        return h('button', { type: 'button', 'data-say': what, onclick: send }, t(`emote.${what}`));
      };
      return [!watching && h('div', { class: 'word-grid' }, ...WORDS.map(word)), h('label', { class: 'row switch' }, h('span', {}, t('settings.mute')), mute)];
    },
  });
}

/** @param {App} app */
const title = (app) => t(app.session.state.seat === null ? 'say.watching' : 'say.title');

/** The button that opens them. @param {App} app */
export const sayButton = (app) =>
  h('button', { type: 'button', class: 'say', 'data-act': 'say', 'aria-label': title(app), title: title(app), onclick: () => openWords(app) }, h('span', { class: 'icon', html: ICON }));

/** The other's last word beside his name in the waiting room, for as long as it is new. @param {App} app @param {Player | null} player @param {number} seat */
export function lastWord(app, player, seat) {
  const { clock, seat: own } = app.session.state;
  const said = player?.said;
  const left = said ? SHOWN - (clock.now() - said.at) : 0;
  if (!said || left <= 0 || seat === own || app.settings().mute) return null;
  const el = h('em', { class: 'said', role: 'status' }, t(`emote.${said.what}`));
  setTimeout(() => el.remove(), left);
  return el;
}

/** The bubble of one seat. @param {App} app @param {number} seat @param {string} side */
export function createBubble(app, seat, side) {
  const el = h('div', { class: `bubble ${side}`, hidden: true, 'data-bubble': String(seat) });
  const last = () => app.session.state.table?.players[seat]?.said ?? null;
  /** When the word was said that was taken up last; one from before this page is not shown. */
  let known = last()?.at ?? -1;
  return {
    el,
    /** @param {number} now */
    refresh(now) {
      const { table, seat: own } = app.session.state;
      const said = last();
      const theirs = seat !== own;
      if (table && said && said.at !== known && !(theirs && app.settings().mute)) {
        el.textContent = t(`emote.${said.what}`);
        if (theirs) announce(t('say.rival', { name: playerName(table, seat), what: el.textContent }));
      }
      known = said?.at ?? known;
      el.hidden = !el.textContent || now - known > SHOWN;
      if (el.hidden) el.textContent = '';
    },
  };
}
