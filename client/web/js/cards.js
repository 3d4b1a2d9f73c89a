// Cards as small integers: deck * 52 + suit * 13 + rank - 1; -1 is a card whose face is not known.

export const HIDDEN = -1;
export const RANKS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];
export const SUITS = ['spades', 'hearts', 'diamonds', 'clubs'];

/** @param {number} card */
export const suitOf = (card) => Math.floor((card % 52) / 13);
/** Rank 1 (ace) to 13 (king). @param {number} card */
export const rankOf = (card) => (card % 13) + 1;
/** @param {number} card */
export const deckOf = (card) => Math.floor(card / 52);
/** @param {number} card */
export const isRed = (card) => suitOf(card) === 1 || suitOf(card) === 2;

/** The suit that foundation `index` of `count` takes. @param {number} index @param {number} count */
export const foundationSuit = (index, count) => Math.floor((index * 4) / count);
