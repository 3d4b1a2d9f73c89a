// A finished match as a reel of frames: what happened in each, and the position after it. Pure: no DOM, no clock.
//
// Law: `position(i)` is the fold of all events up to frame i, whichever frames were asked for before.

import { HIDDEN } from '../cards.js';
import { evolve } from '../evolve.js';
import { readTable } from '../wire.js';

/** @typedef {import('../types.js').Position} Position */
/** @typedef {import('../types.js').GameEvent} GameEvent */

/** @typedef {{no: number, at: number, events: GameEvent[], seat: number | null, refusal: import('../types.js').Refusal | null}} Frame */
/** @typedef {{game: number, first: number, last: number}} Chapter a game of the match: its first and last frame */

/** A position is kept for so many frames. */
const STRIDE = 32;

/** @param {any} entry @returns {Frame} */
const readFrame = (entry) => ({ events: [], seat: null, refusal: null, ...entry });

/** @param {Frame} frame */
const isDeal = ({ events }) => events.some((event) => event.ev === 'restored' && !event.step);

/** @param {Frame[]} frames @returns {Chapter[]} */
function chaptersOf(frames) {
  const deals = frames.flatMap((frame, i) => (isDeal(frame) ? [i] : []));
  return deals.map((first, i) => ({ game: i + 1, first, last: (deals[i + 1] ?? frames.length) - 1 }));
}

/** @param {any} archive as the server has it at /replays */
export function createReel(archive) {
  const all = archive.entries.map(readFrame);
  const begin = all.findIndex(isDeal);
  /** @type {Frame[]} */
  const frames = begin < 0 ? [] : all.slice(begin);
  /** @type {Position[]} */
  const kept = [];

  /** @param {any} before the position, none before the deal @param {Frame | undefined} frame @returns {Position} */
  const after = (before, frame) => (frame?.events ?? []).reduce(evolve, before);

  /** @param {number} index @returns {Position} */
  function position(index) {
    const page = Math.floor(index / STRIDE);
    for (let i = kept.length; i <= page; i += 1) {
      let p = kept[i - 1];
      for (let j = i === 0 ? 0 : (i - 1) * STRIDE + 1; j <= i * STRIDE; j += 1) p = after(p, frames[j]);
      if (p) kept[i] = p;
    }
    let p = kept[page];
    for (let j = page * STRIDE + 1; j <= index; j += 1) p = after(p, frames[j]);
    return /** @type {Position} */ (p);
  }

  const chapters = chaptersOf(frames);
  return {
    match: String(archive.match),
    rules: Number(archive.rules),
    wallMs: Number(archive.wall_ms),
    table: readTable(archive.table),
    frames,
    chapters,
    position,
    /** The game that frame `index` belongs to. @param {number} index @returns {Chapter} */
    chapter: (index) => /** @type {Chapter} */ (chapters.findLast(({ first }) => first <= index) ?? chapters[0]),
    /** Play time since the deal, ms. @param {number} index */
    since(index) {
      const chapter = chapters.findLast(({ first }) => first <= index);
      return (frames[index]?.at ?? 0) - (frames[chapter?.first ?? 0]?.at ?? 0);
    },
  };
}

/** @typedef {ReturnType<typeof createReel>} Reel */

/** What everybody could see of `p` while it was played. @param {Position} p @param {boolean} [openDeal] @returns {Position} */
export function covered(p, openDeal = false) {
  if (openDeal) return p;
  const seats = p.seats.map((seat) => ({
    ...seat,
    stock: seat.stock.map(() => HIDDEN),
    columns: seat.columns.map((cards, i) => cards.map((card, index) => (index < (seat.down[i] ?? 0) ? HIDDEN : card))),
  }));
  return { ...p, seats };
}
