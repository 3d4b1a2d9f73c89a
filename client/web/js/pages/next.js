// Between the games of a match: the next one comes by itself after some seconds, unless the player holds it back.

import { minutes } from '../clock.js';
import { t } from '../i18n.js';
import { nonce } from './room.js';

/** @typedef {import('../app.js').App} App */

/** So long the end of a game is looked at, ms. */
const PAUSE = 10000;

/**
 * Readies the player when the time is over, and says how much is left. A page that nobody sees is not ready by itself:
 * its player may have gone.
 * @param {App} app @param {HTMLElement} host where the panel with the buttons `next` and `hold` is shown
 */
export function createNext(app, host) {
  let game = 0;
  let due = 0;
  let held = false;

  function refresh() {
    const { table, seat, clock } = app.session.state;
    const me = seat === null ? null : table?.players[seat];
    if (!table || !me || table.phase !== 'between' || table.terms.type !== 'duel') return;
    if (game !== table.game) {
      game = table.game;
      due = performance.now() + PAUSE;
      held = false;
    }
    const hold = /** @type {HTMLElement | null} */ (host.querySelector('[data-act=hold]'));
    if (hold && !hold.onclick) hold.onclick = () => ((held = true), refresh());
    if (document.hidden) due = Math.max(due, performance.now() + PAUSE / 2);
    const left = Math.ceil((due - performance.now()) / 1000);
    if (hold) hold.hidden = held || me.ready;
    const button = host.querySelector('[data-act=next]');
    if (button && !me.ready) button.textContent = held ? t('end.nextBy', { time: minutes((table.ready_until ?? 0) - clock.now()) }) : t('end.nextIn', { n: Math.max(0, left) });
    if (left > 0 || held || me.ready || !app.session.state.joined) return;
    held = true; // once: a refusal would come again and again
    app.play({ do: 'ready', nonce: nonce() });
  }
  return { refresh };
}
