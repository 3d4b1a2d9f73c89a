// Draws a frame of a replay on a felt: the board as it was, with the cards of the last play marked.

import { layout } from '../layout.js';
import { createRenderer } from '../render.js';
import { cardName, deckName, pileName } from '../words.js';
import { t } from '../i18n.js';
import { covered } from './reel.js';

/** @typedef {import('./reel.js').Reel} Reel */

/** The cards that a frame moved. @param {import('./reel.js').Frame | undefined} frame @returns {Set<number>} */
const movedBy = (frame) => new Set((frame?.events ?? []).flatMap((event) => (event.ev === 'moved' || event.ev === 'drawn' ? event.cards : [])));

/** @param {HTMLElement} felt @param {Reel} reel @param {() => import('../types.js').Settings} settings */
export function createScene(felt, reel, settings) {
  const renderer = createRenderer(felt);
  const { table } = reel;
  const at = { table, near: 0 };
  const duel = table.terms.type === 'duel';
  return {
    /** @param {number} index @param {boolean} open all cards open */
    draw(index, open) {
      const size = { width: felt.clientWidth, height: felt.clientHeight };
      if (size.width === 0 || reel.frames.length === 0) return;
      const position = reel.position(index);
      const view = open ? position : covered(position, Boolean(table.terms.open_deal));
      const laid = layout({ view, terms: table.terms, near: 0 }, size, settings());
      /** @param {string} pile */
      const name = (pile) => pileName(pile, { ...at, suit: laid.piles[pile]?.suit ?? null });
      renderer.draw({
        laid,
        mark: (seat) => (duel ? seat : null),
        lit: new Set(),
        held: movedBy(reel.frames[index]),
        dragged: new Map(),
        waiting: new Set(),
        cardLabel: (spot) => [cardName(spot.card), name(spot.pile), spot.card < 0 ? '' : deckName(spot.card, at)].filter(Boolean).join(', '),
        pileLabel: (pile) => t('pile.count', { pile: name(pile), n: laid.piles[pile]?.count ?? 0 }),
        pileNote: (pile) => (pile.endsWith(':s') ? String(laid.piles[pile]?.count || '') : ''),
        data: (spot) => ({ index: String(spot.index) }),
      });
    },
    clear: () => renderer.clear(),
  };
}
