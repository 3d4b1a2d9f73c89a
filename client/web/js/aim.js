// What a gesture on the table means. Pure: it asks the server's list of legal targets, and knows no rule itself.

import { find } from './evolve.js';

/** @typedef {import('./types.js').Position} Position */
/** @typedef {import('./types.js').Legal} Legal */
/** @typedef {import('./types.js').Layout} Layout */
/** @typedef {import('./types.js').Rect} Rect */
/** @typedef {import('./types.js').Wish} Wish */
/** @typedef {{view: Position, seat: number, legal: Legal | null}} Table */

/** A drop counts when it misses its pile by up to this part of a card. */
export const TOLERANCE = 0.3;

/** The pile of the wire for a pile of the layout, and back. @param {string} pile */
export const targetOf = (pile) => (pile[0] === 'f' ? 'f' : (pile.split(':')[1] ?? ''));

/** The piles of the layout that `card` may go to. @param {Table} table @param {number} card @param {string[]} piles */
export function lights({ seat, legal }, card, piles) {
  const targets = legal?.moves[card] ?? [];
  return piles.filter((pile) =>
    pile[0] === 'f' ? targets.includes('f') : targets.some((target) => pile === `${seat}:${target}`),
  );
}

/**
 * The cards that are lifted with `card`: itself and those on it. Empty if this seat cannot take hold of it.
 * @param {Table} table @param {number} card
 * @returns {number[]}
 */
export function lifted({ view, seat, legal }, card) {
  const at = find(view, card);
  if (!at || view.outcome) return [];
  if (at.seat === null) {
    const pile = view.foundations[Number(at.pile.slice(1))] ?? [];
    return pile.at(-1) === card && legal?.moves[card]?.length ? [card] : [];
  }
  const own = view.seats[seat];
  if (at.seat !== seat || !own) return [];
  if (at.pile === 'w') return own.waste.at(-1) === card ? [card] : [];
  return own.columns[Number(at.pile.slice(1))]?.slice(at.index) ?? [];
}

/** @param {Rect} a @param {Rect} b */
const overlap = (a, b) =>
  Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));

/** @param {Rect} r @param {number} by @returns {Rect} */
const grown = (r, by) => ({ x: r.x - by * r.w, y: r.y - by * r.h, w: r.w * (1 + 2 * by), h: r.h * (1 + 2 * by) });

/**
 * Where cards dropped at `rect` go: a target of the wire, or `null` to go home. A legal pile near by is preferred; a
 * drop square on another pile is sent too, so that its player hears why it is refused.
 * @param {Layout} laid @param {Table} table @param {number} card @param {Rect} rect the lowest of the dropped cards
 * @returns {string | null}
 */
export function dropTarget(laid, table, card, rect) {
  const at = find(table.view, card);
  if (!at) return null;
  const home = at.seat === null ? at.pile : `${at.seat}:${at.pile}`;
  const piles = Object.values(laid.piles);
  const legal = new Set(lights(table, card, Object.keys(laid.piles)));
  /** @param {Layout['piles'][string]} pile @param {number} by */
  const score = (pile, by) => overlap(rect, grown(pile.cards, by));
  /** @param {typeof piles} some @param {number} by */
  const best = (some, by) =>
    some.map((pile) => ({ pile, area: score(pile, by) })).sort((a, b) => b.area - a.area).find(({ area }) => area > 0);
  const whole = rect.w * rect.h;
  const onLegal = best(piles.filter(({ pile }) => legal.has(pile) && pile !== home), 0);
  const onHome = laid.piles[home] ? score(/** @type {any} */ (laid.piles[home]), 0) : 0;
  const others = piles.filter(({ pile }) => pile !== home && (pile[0] === 'f' || pile.startsWith(`${table.seat}:t`)));
  const square = best(others.filter(({ pile }) => !legal.has(pile)), 0);
  const half = square ? Math.min(whole, square.pile.cards.w * square.pile.cards.h) / 2 : 0; // a foundation may be the smaller
  const meant = square && square.area > half && onHome < whole / 2 && (onLegal?.area ?? 0) < whole / 4;
  if (meant) return targetOf(square.pile.pile);
  if (onLegal && onLegal.area >= onHome * 0.8) return targetOf(onLegal.pile.pile);
  const near = best(piles.filter(({ pile }) => legal.has(pile) && pile !== home), TOLERANCE);
  if (near && onHome < whole / 2) return targetOf(near.pile.pile);
  return null;
}

/**
 * What a tap means.
 * @typedef {{wish: Wish} | {select: number | null}} Meaning
 */

/**
 * @param {Table} table
 * @param {{card: number | null, pile: string}} spot what was tapped; `card` is `null` for an empty pile or a back
 * @param {{selected: number | null, double: boolean}} state `double`: a second tap on the same card, and doubles are on
 * @returns {Meaning}
 */
export function tapped(table, { card, pile }, { selected, double }) {
  const { view, seat, legal } = table;
  const own = view.seats[seat];
  if (double && card !== null && legal?.double[card]) {
    return { wish: { do: 'move', card, to: legal.double[card] } };
  }
  if (selected !== null && selected !== card) {
    const [target] = lights(table, selected, [pile]);
    if (target) return { wish: { do: 'move', card: selected, to: targetOf(target) } };
  }
  if (pile === `${seat}:s`) return { wish: { do: own?.stock.length ? 'draw' : 'recycle' } };
  if (card === null || lifted(table, card).length === 0) return { select: null };
  if (selected === card) return { select: null };
  const onFoundation = pile[0] === 'f';
  if (selected === null && !onFoundation && legal?.tap[card]) {
    return { wish: { do: 'move', card, to: legal.tap[card] } };
  }
  return { select: card };
}
