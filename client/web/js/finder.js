// Between the lobby and the pages: who waits sees it everywhere, who is called is asked, who takes the call is ready.

import { toast } from './dom.js';
import { t } from './i18n.js';
import { createLobby } from './lobby.js';
import { seekStrip, takeCall } from './pages/find.js';
import { nonce } from './pages/room.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./types.js').Table} Table */

/** Why a match that was called to did not take place. @param {Table} table @param {number} seat */
function offText({ declined, players }, seat) {
  if (declined !== null) return t(declined === seat ? 'find.turnedDown' : 'find.declined');
  return t(players[seat]?.ready ? 'find.notReady' : 'find.missed');
}

/**
 * @param {object} with_
 * @param {() => App} with_.app
 * @param {(message: import('./types.js').Message) => boolean} with_.send
 * @param {HTMLElement} with_.strip where it is shown that one waits, over all pages but the first
 * @param {() => void} with_.changed
 */
export function createFinder({ app, send, strip, changed }) {
  let place = '';
  /** @type {string | null} the match of the call that was taken: be ready there as soon as may be */
  let readyFor = null;
  /** @type {string | null} */
  let taken = null;
  /** @type {(() => void) | null} */
  let stopStrip = null;
  const lobby = createLobby({ send, tell, local: () => performance.now() });

  /** @param {'changed' | 'called' | 'off'} what */
  function tell(what) {
    if (what === 'called') called();
    if (what === 'off') toast(t(lobby.state.own ? 'find.declined' : 'find.declinedGone'), 'bad');
    dress();
    changed();
  }

  async function called() {
    const { call } = lobby.state;
    const answer = await takeCall(app());
    if (!call || lobby.state.call !== call) return;
    lobby.hangUp();
    if (answer === 'no') {
      lobby.turnDown(call.match);
      return toast(t('find.turnedDown'));
    }
    if (answer !== 'yes') return toast(t('find.missed'));
    readyFor = taken = call.match;
    app().join({ match: call.match });
  }

  function dress() {
    const on = lobby.state.own !== null && place !== 'home';
    if (on && !stopStrip) stopStrip = seekStrip(app(), strip);
    if (!on && stopStrip) {
      stopStrip();
      stopStrip = null;
    }
    strip.hidden = !on;
    document.body.dataset['seeking'] = on ? 'yes' : 'no';
  }

  return {
    lobby,
    /** A page is shown. @param {string} kind */
    at(kind) {
      place = kind;
      lobby.watch(kind === 'home');
      dress();
    },
    /**
     * The table changed. True if its match did not take place: nothing is left to show of it.
     * @param {Table} table @param {number | null} seat
     */
    isOff(table, seat) {
      if (table.phase === 'over' && table.terms.type === 'duel' && table.games.length === 0) {
        readyFor = null;
        if (taken === table.match && seat !== null) toast(offText(table, seat), 'bad');
        return true;
      }
      if (readyFor === table.match && table.phase === 'gathering' && table.commitment && seat !== null) {
        readyFor = null;
        if (!table.players[seat]?.ready) app().play({ do: 'ready', nonce: nonce() });
      }
      return false;
    },
  };
}
