// What happened, applied to a view. Knows no rule: it does what the event says. The same function as in the server.

import { readOutcome, readPosition, readTally, readTurn } from './wire.js';

/** @typedef {import('./types.js').Position} Position */
/** @typedef {import('./types.js').Seat} Seat */
/** @typedef {import('./types.js').GameEvent} GameEvent */

/**
 * @template T
 * @param {T[]} list @param {number} index @param {T} value
 */
const put = (list, index, value) => list.map((old, i) => (i === index ? value : old));

/** @param {Position} p @param {number} seat @param {Partial<Seat>} change @returns {Position} */
const inSeat = (p, seat, change) => ({
  ...p,
  seats: put(p.seats, seat, { .../** @type {Seat} */ (p.seats[seat]), ...change }),
});

/**
 * The cards of a pile, from its bottom to its top.
 * @param {Position} p @param {number} seat @param {string} pile
 * @returns {number[]}
 */
export function cardsOf(p, seat, pile) {
  if (pile[0] === 'f') return p.foundations[Number(pile.slice(1))] ?? [];
  const own = /** @type {Seat} */ (p.seats[seat]);
  if (pile === 'w') return own.waste;
  if (pile === 's') return own.stock;
  return own.columns[Number(pile.slice(1))] ?? [];
}

/** @param {Position} p @param {number} seat @param {string} pile @param {number[]} cards @returns {Position} */
function withPile(p, seat, pile, cards) {
  const index = Number(pile.slice(1));
  if (pile[0] === 'f') return { ...p, foundations: put(p.foundations, index, cards) };
  if (pile === 'w') return inSeat(p, seat, { waste: cards });
  if (pile === 's') return inSeat(p, seat, { stock: cards });
  return inSeat(p, seat, { columns: put(/** @type {Seat} */ (p.seats[seat]).columns, index, cards) });
}

/** @param {Position} p @param {GameEvent} e @returns {Position} */
function moved(p, e) {
  const seat = e.seat ?? 0;
  const count = e.cards.length;
  const source = cardsOf(p, seat, e.source);
  const lifted = withPile(p, seat, e.source, source.slice(0, source.length - count));
  const landed = withPile(lifted, seat, e.target, [...cardsOf(lifted, seat, e.target), ...e.cards]);
  return e.target[0] === 'f' ? { ...landed, last_up: seat } : landed;
}

/** @param {Position} p @param {GameEvent} e @returns {Position} */
function turned(p, e) {
  const seat = e.seat ?? 0;
  const own = /** @type {Seat} */ (p.seats[seat]);
  const column = own.columns[e.column] ?? [];
  return inSeat(p, seat, {
    columns: put(own.columns, e.column, [...column.slice(0, -1), e.card]),
    down: put(own.down, e.column, (own.down[e.column] ?? 0) - 1),
  });
}

/** @param {Position} p @param {GameEvent} e @returns {Position} */
function drawn(p, e) {
  const seat = e.seat ?? 0;
  const own = /** @type {Seat} */ (p.seats[seat]);
  return inSeat(p, seat, { stock: own.stock.slice(e.cards.length), waste: [...own.waste, ...e.cards] });
}

/**
 * The position after `e`.
 * @param {Position} p @param {GameEvent} e
 * @returns {Position}
 */
export function evolve(p, e) {
  const seat = e.seat ?? 0;
  switch (e.ev) {
    case 'moved':
      return moved(p, e);
    case 'turned':
      return turned(p, e);
    case 'drawn':
      return drawn(p, e);
    case 'recycled':
      return inSeat(p, seat, {
        stock: e.cards,
        waste: [],
        pass_number: /** @type {Seat} */ (p.seats[seat]).pass_number + 1,
      });
    case 'turn':
      return { ...p, turn: readTurn(e.turn) };
    case 'declared':
      return inSeat(p, seat, { declared: e.on });
    case 'stuck':
      return inSeat(p, seat, { stuck: e.on });
    case 'struck':
      return inSeat(p, seat, { strikes: e.strikes, wait_until: e.wait_until });
    case 'tallied':
      return { ...p, tally: readTally(e.tally), undo_depth: e.undo_depth ?? 0, redo_depth: e.redo_depth ?? 0 };
    case 'restored':
      return readPosition(e.position) ?? p;
    case 'ended':
      return { ...p, outcome: readOutcome(e.outcome) };
    default:
      return p;
  }
}

/** The pile on which `card` lies, with its index; `null` if it is not visible. @param {Position} p @param {number} card */
export function find(p, card) {
  for (const [i, cards] of p.foundations.entries()) {
    const index = cards.indexOf(card);
    if (index >= 0) return { seat: null, pile: `f${i}`, index };
  }
  for (const [seat, own] of p.seats.entries()) {
    for (const [i, cards] of own.columns.entries()) {
      const index = cards.indexOf(card);
      if (index >= 0) return { seat, pile: `t${i}`, index };
    }
    const index = own.waste.indexOf(card);
    if (index >= 0) return { seat, pile: 'w', index };
  }
  return null;
}
