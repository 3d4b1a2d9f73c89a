// Answers of the records leave out what is at its default: fill it in (docs/protocol.md).

import { readTerms } from '../wire.js';

/**
 * @typedef {{value: number, plus_minus: number, games: number}} Rating
 * @typedef {{tempo: string, played: number, won: number, left: number, streak: number, best_streak: number, counts: number[], rating: Rating | null}} DuelRecord
 * @typedef {{game: 'klondike' | 'two_deck', draw: number, scoring: string, played: number, won: number, streak: number, best_streak: number,
 *   best_ms: number | null, average_ms: number | null, least_moves: number | null, average_moves: number | null,
 *   best_score: number | null, average_score: number | null, played_ms: number}} SoloRecord
 * @typedef {{current: number, best: number, last: string | null}} DayStreak
 * @typedef {{identity: string, name: string, own: boolean, since: number, duels: DuelRecord[], solos: SoloRecord[], days: DayStreak, bank: number | null}} Profile
 * @typedef {{identity: string, name: string, bot: boolean}} Person
 * @typedef {{match: string, at: number, terms: import('../types.js').Terms, reason: string, won: boolean | null, rival: Person | null, sums: number[],
 *   score: number | null, moves: number | null, ms: number | null, rating: number | null, change: number | null, date: string | null, replay: boolean, off: string[]}} HistoryRow
 * @typedef {{identity: string, name: string, rows: HistoryRow[], before: number | null, against: {won: number, lost: number, void: number} | null}} History
 * @typedef {{rank: number, identity: string, name: string, value: number, plus_minus: number | null, match: string | null, at: number | null, mine: boolean}} BoardRow
 * @typedef {{board: string, game: string, rows: BoardRow[], own: BoardRow | null, rules: number, versions: number[]}} Board
 * @typedef {{date: string, match: string, draw: number, won: boolean, score: number | null, moves: number | null, ms: number | null}} DailyDay
 * @typedef {{month: string, days: DailyDay[], streak: DayStreak}} DailyMonth
 */

const DUEL = { played: 0, won: 0, left: 0, streak: 0, best_streak: 0, counts: [], rating: null };
const SOLO = {
  played: 0,
  won: 0,
  streak: 0,
  best_streak: 0,
  best_ms: null,
  average_ms: null,
  least_moves: null,
  average_moves: null,
  best_score: null,
  average_score: null,
  played_ms: 0,
};
const STREAK = { current: 0, best: 0, last: null };
const PROFILE = { name: '', own: false, since: 0, bank: null };
const ROW = { won: null, rival: null, sums: [], score: null, moves: null, ms: null, rating: null, change: null, date: null, replay: false, off: [] };
const AGAINST = { won: 0, lost: 0, void: 0 };
const PLACE = { plus_minus: null, match: null, at: null, mine: false };
const DAY = { won: false, score: null, moves: null, ms: null };

/** @param {any} raw @returns {Profile} */
export const readProfile = (raw) => ({
  ...PROFILE,
  ...raw,
  duels: (raw.duels ?? []).map((/** @type {any} */ duel) => ({ ...DUEL, ...duel })),
  solos: (raw.solos ?? []).map((/** @type {any} */ solo) => ({ ...SOLO, ...solo })),
  days: { ...STREAK, ...raw.days },
});

/** @param {any} raw @returns {HistoryRow} */
const readRow = (raw) => ({ ...ROW, ...raw, terms: readTerms(raw.terms), rival: raw.rival ? { bot: false, ...raw.rival } : null });

/** @param {any} raw @returns {History} */
export const readHistory = (raw) => ({
  before: null,
  name: '',
  ...raw,
  rows: (raw.rows ?? []).map(readRow),
  against: raw.against ? { ...AGAINST, ...raw.against } : null,
});

/** @param {any} raw @returns {Board} */
export const readBoard = (raw) => ({
  rules: 1,
  versions: [],
  ...raw,
  rows: (raw.rows ?? []).map((/** @type {any} */ row) => ({ ...PLACE, ...row })),
  own: raw.own ? { ...PLACE, ...raw.own } : null,
});

/** @param {any} raw @returns {DailyMonth} */
export const readMonth = (raw) => ({
  ...raw,
  days: (raw.days ?? []).map((/** @type {any} */ day) => ({ ...DAY, ...day })),
  streak: { ...STREAK, ...raw.streak },
});
