// The lobby as this browser sees it: the open seeks, its own, and the call to a match. Without a page.
//
// What is wished outlives the line: after a break the list is asked for again, and the seek opened again.

import { readTerms, writeTerms } from './wire.js';

/** @typedef {import('./types.js').Message} Message */
/** @typedef {import('./types.js').Terms} Terms */
/** @typedef {import('./types.js').OpenSeek} OpenSeek */
/** @typedef {import('./types.js').Call} Call */

/**
 * @param {object} with_
 * @param {(message: Message) => boolean} with_.send
 * @param {(what: 'changed' | 'called' | 'off') => void} with_.tell `off`: the other turned the call down
 * @param {() => number} with_.local milliseconds that never run backwards
 */
export function createLobby({ send, tell, local }) {
  const state = {
    /** @type {OpenSeek[]} longest wait first */
    seeks: [],
    waiting: 0,
    /** @type {OpenSeek | null} what this player seeks, as the server has it */
    own: null,
    /** @type {Call | null} */
    call: null,
  };
  let watching = false;
  /** @type {Terms | null} what is to be sought again after a break */
  let wish = null;

  /** @param {any} raw @returns {OpenSeek} */
  const readSeek = (raw) => ({ seek: raw.seek, name: raw.name ?? '', terms: readTerms(raw.terms), since: local() - (raw.waited ?? 0), rating: raw.rating ?? null });

  /** @type {Record<string, (m: Message) => void>} */
  const readers = {
    lobby(m) {
      state.seeks = (m.seeks ?? []).map(readSeek);
      state.waiting = m.waiting ?? 0;
      tell('changed');
    },
    seeking(m) {
      state.own = m.seek ? readSeek(m) : null;
      wish = state.own?.terms ?? null;
      const off = state.call !== null;
      state.call = null;
      tell('changed');
      if (off) tell('off');
    },
    assigned(m) {
      state.own = null;
      wish = null;
      state.call = { match: m.match, rival: m.rival, terms: readTerms(m.terms), seat: m.seat, until: local() + m.ms };
      tell('changed');
      tell('called');
    },
  };

  return {
    state,
    /** A message of the server; false if it is none of the lobby. @param {Message} message */
    receive(message) {
      const reader = readers[message.t];
      reader?.(message);
      return Boolean(reader);
    },
    /** The line is there (again). */
    up() {
      if (watching) send({ t: 'watch_lobby' });
      if (wish) send({ t: 'seek', terms: writeTerms(wish) });
    },
    /** The line is down, and with it the seek. */
    down() {
      state.own = null;
      tell('changed');
    },
    /** @param {boolean} on */
    watch(on) {
      if (on === watching) return;
      watching = on;
      send({ t: on ? 'watch_lobby' : 'unwatch_lobby' });
    },
    /** @param {Terms} terms */
    seek(terms) {
      wish = terms;
      send({ t: 'seek', terms: writeTerms(terms) });
    },
    stop() {
      if (!wish) return;
      wish = null;
      state.own = null;
      send({ t: 'unseek' });
      tell('changed');
    },
    /** @param {string} seek */
    accept: (seek) => send({ t: 'accept', seek }),
    /** The call was answered, or its time is over. */
    hangUp() {
      state.call = null;
    },
    /** A call is not wanted: the other is told at once. @param {string} match */
    turnDown: (match) => send({ t: 'turn_down', match }),
  };
}
