// Which leaderboard is wanted, as it stands in the address: what is usual is left out, what makes no board is put right.

import { isDate } from '../dates.js';

/**
 * `rules`: `null` is the newest version of the rules. `date`: of a daily challenge.
 * @typedef {{game: string, board: string, draw: number, scoring: string, clean: boolean, rules: number | null, date: string | null}} Wanted
 */

const SCORINGS = /** @type {Record<string, string[]>} */ ({ klondike: ['standard', 'vegas', 'none'], two_deck: ['normal', 'vegas'] });
const DUELS = ['simultaneous', 'alternating'];
const BOARDS = ['won', 'score', 'time', 'moves', 'streak'];
const DAILY_BOARDS = ['score', 'time', 'moves'];

/** The boards there are of such games. @param {{date: string | null, scoring: string}} wanted */
export const boardsOf = ({ date, scoring }) => (date ? DAILY_BOARDS : BOARDS).filter((board) => board !== 'score' || scoring !== 'none');

/** The nearest thing there is a board of. @param {Wanted} wanted @returns {Wanted} */
export function settledBoard(wanted) {
  if (DUELS.includes(wanted.game)) return { game: wanted.game, board: 'rating', draw: 1, scoring: 'standard', clean: false, rules: null, date: null };
  const date = wanted.date && isDate(wanted.date) ? wanted.date : null;
  const game = date || !(wanted.game in SCORINGS) ? 'klondike' : wanted.game;
  const scorings = date ? ['standard'] : (SCORINGS[game] ?? []);
  const scoring = scorings.includes(wanted.scoring) ? wanted.scoring : (scorings[0] ?? 'standard');
  const boards = boardsOf({ date, scoring });
  const board = boards.includes(wanted.board) ? wanted.board : date ? 'time' : 'won';
  const rules = wanted.rules !== null && Number.isInteger(wanted.rules) && wanted.rules >= 1 && wanted.rules <= 1000 ? wanted.rules : null;
  return { game, board, draw: wanted.draw === 3 ? 3 : 1, scoring, clean: wanted.clean, rules, date };
}

/** @param {URLSearchParams} query */
export const readWanted = (query) =>
  settledBoard({
    game: query.get('game') ?? 'klondike',
    board: query.get('board') ?? '',
    draw: Number(query.get('draw') ?? 1),
    scoring: query.get('scoring') ?? '',
    clean: query.get('clean') === '1',
    rules: query.get('rules') ? Number(query.get('rules')) : null,
    date: query.get('date'),
  });

/** The query that `readWanted` reads as `wanted`; empty for the first board of all. @param {Wanted} wanted */
export function writeWanted(wanted) {
  const usual = settledBoard({ ...wanted, board: '', draw: 1, scoring: '', clean: false, rules: null });
  const query = new URLSearchParams();
  if (wanted.date) query.set('date', wanted.date);
  else if (wanted.game !== 'klondike') query.set('game', wanted.game);
  for (const field of /** @type {const} */ (['board', 'draw', 'scoring', 'rules'])) {
    if (wanted[field] !== usual[field]) query.set(field, String(wanted[field]));
  }
  if (wanted.clean) query.set('clean', '1');
  const text = query.toString();
  return text ? `?${text}` : '';
}
