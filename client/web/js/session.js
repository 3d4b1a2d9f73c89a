// One match as this player sees it: the fold of what the server said, and on top of it the plays still in flight.
//
// Laws: `position` is the fold of the server's events alone. `view` is `position` with the guess of each flight laid on
// in order; so a refused play takes back itself and what needed it, and nothing else. No play is sent twice with
// different content: a resent one keeps its `n`.

import { createClock } from './clock.js';
import { evolve } from './evolve.js';
import { predict } from './predict.js';
import { readLegal, readPosition, readTable } from './wire.js';
import { passLimit } from './words.js';

/** @typedef {import('./types.js').Message} Message */
/** @typedef {import('./types.js').Told} Told */
/** @typedef {import('./types.js').Wish} Wish */
/** @typedef {import('./types.js').Position} Position */

/**
 * @param {(message: Message) => boolean} send false if it cannot go out now (it is resent after the next join)
 * @param {(told: Told) => void} tell
 * @param {() => number} local
 */
export function createSession(send, tell, local = () => performance.now()) {
  const clock = createClock(local);
  const state = {
    /** @type {import('./types.js').Table | null} */ table: null,
    /** @type {Position | null} */ position: null,
    /** @type {Position | null} the game as it was dealt, if seen */ opening: null,
    /** @type {import('./types.js').Legal | null} */ legal: null,
    /** @type {number | null} */ seat: null,
    /** @type {number | null} */ no: null,
    n: 0,
    /** @type {import('./types.js').Flight[]} */ flights: [],
    away: false,
    /** whether plays can go out: the match is entered on this connection */ joined: false,
    /** @type {(number | null)[]} there and back of each seat's line, ms, as the server measured it */ lines: [],
    clock,
  };

  /** @param {Message} m */
  function snapshot(m) {
    state.table = readTable(m.table);
    state.position = readPosition(m.position);
    state.legal = readLegal(m.legal);
    state.seat = m.seat ?? null;
    state.no = m.no;
    state.away = false;
    state.joined = true;
    clock.set(m.now);
    measure();
    const counted = m.n ?? 0;
    state.flights = m.rewound ? [] : state.flights.filter((flight) => flight.n > counted);
    state.n = Math.max(counted, state.flights.at(-1)?.n ?? 0);
    for (const flight of state.flights) send({ t: 'play', ...flight });
    tell({ kind: 'changed' });
  }

  /** Ask the server for its time: whatever is shown by the clock is as good as that answer. */
  function measure() {
    if (state.table?.terms.type === 'duel') send({ t: 'ping', sent: local() });
  }

  /** @param {Message} m */
  function update(m) {
    if (state.no !== null && m.no <= state.no) return;
    state.no = m.no;
    clock.atLeast(m.at);
    const mine = m.seat !== undefined && m.seat !== null && m.seat === state.seat;
    const flight = mine ? state.flights.find(({ n }) => n === m.n) : undefined;
    if (mine) {
      state.flights = state.flights.filter((other) => other !== flight);
      state.n = Math.max(state.n, m.n ?? 0);
    }
    const events = m.events ?? [];
    for (const event of events) {
      if (event.ev === 'restored') {
        state.position = readPosition(event.position);
        state.opening = state.position;
      } else if (state.position) state.position = evolve(state.position, event);
    }
    if (m.table) {
      const before = state.table?.phase;
      state.table = readTable(m.table);
      if (state.table.phase === 'countdown' && before !== 'countdown') measure();
    }
    if (m.legal) state.legal = readLegal(m.legal);
    else if (events.length) state.legal = null;
    if (events.some((/** @type {any} */ event) => event.ev === 'ended')) state.flights = [];
    if (events.length) tell({ kind: 'played', events, seat: m.seat ?? null, mine });
    if (m.refusal && mine) tell({ kind: 'refused', wish: flight?.do ?? null, refusal: m.refusal });
    if (m.race) tell({ kind: 'race', race: m.race });
    tell({ kind: 'changed' });
  }

  /** @param {Message} m */
  function refused(m) {
    const flight = state.flights.find(({ n }) => n === m.n);
    state.flights = state.flights.filter((other) => other !== flight);
    tell({ kind: 'refused', wish: flight?.do ?? null, refusal: m.refusal });
    tell({ kind: 'changed' });
  }

  /** @type {Record<string, (m: Message) => void>} */
  const readers = {
    snapshot,
    update,
    refused,
    resumed: (m) => {
      state.away = false;
      state.joined = true;
      state.n = Math.max(state.n, m.n ?? 0);
      state.flights = state.flights.filter((flight) => flight.n > (m.n ?? 0));
      for (const flight of state.flights) send({ t: 'play', ...flight });
      tell({ kind: 'changed' });
    },
    legal: (m) => {
      if (m.no >= (state.no ?? 0)) state.legal = readLegal(m.legal);
      tell({ kind: 'changed' });
    },
    pong: (m) => {
      if (m.now !== undefined && m.now !== null) clock.measure(m.now, local() - m.sent);
      state.lines = m.lines ?? [];
    },
    moved_away: () => {
      state.away = true;
      state.flights = [];
      tell({ kind: 'changed' });
    },
    hint: (m) => tell({ kind: 'hint', hint: m }),
    notice: (m) => tell({ kind: 'notice', what: m.what }),
    failed: (m) => tell({ kind: 'failed', code: m.code, message: m.message, field: m.field ?? null }),
  };

  return {
    state,
    /** A message of the server. @param {Message} message */
    receive(message) {
      readers[message.t]?.(message);
    },
    /** What to ask for after a connection is there (again); `null` if in no match. @returns {Message | null} */
    rejoin() {
      if (!state.table) return null;
      const since = state.no === null ? {} : { since: state.no };
      return { t: 'join', match: state.table.match, legal: true, ...since };
    },
    /** The line is down: what is played now waits for the way back. */
    offline() {
      state.joined = false;
    },
    /** Forget the match: another one comes, or none. */
    clear() {
      Object.assign(state, { table: null, position: null, opening: null, legal: null, seat: null, no: null, n: 0, flights: [], away: false, joined: false, lines: [] });
    },
    /** Wish for something. Nothing happens without a seat. @param {Wish} wish */
    play(wish) {
      if (state.seat === null || state.away) return false;
      state.n += 1;
      const flight = { n: state.n, seen: state.no ?? 0, do: wish };
      state.flights = [...state.flights, flight];
      if (state.joined) send({ t: 'play', ...flight });
      tell({ kind: 'changed' });
      return true;
    },
    /** The position with the flights' guesses. @returns {Position | null} */
    view() {
      const { position, seat, table } = state;
      if (!position || seat === null || !table) return position;
      const draw = Array.isArray(table.terms.draw) ? table.terms.draw[seat] : table.terms.draw;
      const passes = passLimit(table.terms);
      return state.flights.reduce((p, flight) => predict(p, seat, flight.do, { draw, passes }), position);
    },
  };
}
