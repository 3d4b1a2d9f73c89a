// Where the cards of a play wait for the verdict. A guess for the eye, not a rule: the server's events take its place.

import { foundationSuit, HIDDEN, rankOf, suitOf } from './cards.js';
import { cardsOf, evolve, find } from './evolve.js';

/** @typedef {import('./types.js').Position} Position */
/** @typedef {import('./types.js').Wish} Wish */

/**
 * The foundation that a card is heading for: the first of its suit that is as high as the rank below; else the first.
 * @param {Position} p @param {number} card
 */
export function foundationFor(p, card) {
  const ofSuit = p.foundations.map((_, i) => i).filter((i) => foundationSuit(i, p.foundations.length) === suitOf(card));
  const fits = ofSuit.find((i) => p.foundations[i]?.length === rankOf(card) - 1);
  return `f${fits ?? ofSuit[0] ?? 0}`;
}

/**
 * The view while `wish` of `seat` is under way; the same view if nothing can be shown for it.
 * @param {Position} p @param {number} seat @param {Wish} wish
 * @param {{draw: number, passes: number | null}} rules cards a draw turns; trips through the stock, `null`: no limit
 * @returns {Position}
 */
export function predict(p, seat, wish, { draw, passes }) {
  const own = p.seats[seat];
  if (!own || p.outcome) return p;
  if (wish.do === 'move') {
    const at = find(p, wish.card);
    if (!at || (at.seat !== null && at.seat !== seat)) return p;
    const target = wish.to === 'f' ? foundationFor(p, wish.card) : wish.to;
    if (target === at.pile) return p;
    const cards = cardsOf(p, seat, at.pile).slice(at.index);
    return evolve(p, { ev: 'moved', seat, cards, source: at.pile, target });
  }
  if (wish.do === 'draw') {
    const cards = own.stock.slice(0, draw);
    return cards.length ? evolve(p, { ev: 'drawn', seat, cards }) : p;
  }
  if (wish.do === 'recycle' && own.stock.length === 0 && (passes === null || own.pass_number < passes)) {
    return evolve(p, { ev: 'recycled', seat, cards: own.waste.map(() => HIDDEN) });
  }
  return p;
}
