// Figures of the records in the reader's way of writing: numbers, parts of a hundred, times, ratings, kinds of games.

import { elapsed } from '../clock.js';
import { currentLanguage, t } from '../i18n.js';
import { scoreText } from '../words.js';

/** @typedef {import('./answers.js').Rating} Rating */

/** So many rated matches, and a rating is settled (docs/records.md). */
const SETTLED = 10;
const NONE = '–';

/** @param {number | null | undefined} n */
export const number = (n) => (n === null || n === undefined ? NONE : new Intl.NumberFormat(currentLanguage()).format(n));

/** A text of `n` things, the number written as the reader writes it. @param {string} key @param {number} n */
export const counted = (key, n) => t(key, { n: n === 1 ? 1 : number(n) });

/** `37 %` of `of`; a dash of nothing. @param {number} part @param {number} of */
export const percent = (part, of) =>
  of > 0 ? new Intl.NumberFormat(currentLanguage(), { style: 'percent', maximumFractionDigits: part === of || part === 0 ? 0 : 1 }).format(part / of) : NONE;

/** @param {number | null | undefined} ms */
export const time = (ms) => (ms === null || ms === undefined ? NONE : elapsed(ms));

/** Points, or dollars. @param {number | null | undefined} score @param {string} scoring */
export function score(score, scoring) {
  if (score === null || score === undefined) return NONE;
  return scoring === 'vegas' ? scoreText(score, scoring) : number(score);
}

/** `+12`, `−8`, `±0`: how much a rating changed. @param {number} change */
export function signed(change) {
  const n = Math.round(change);
  return n === 0 ? '±0' : n > 0 ? `+${n}` : `−${-n}`;
}

/** `1512 ± 84`. @param {{value: number, plus_minus?: number | null}} rating */
export const ratingText = ({ value, plus_minus }) =>
  plus_minus === null || plus_minus === undefined ? String(Math.round(value)) : `${Math.round(value)} ± ${Math.round(plus_minus)}`;

/** @param {{games: number}} rating */
export const isSettled = ({ games }) => games >= SETTLED;

/** When something was, by the reader's clock. @param {number} ms */
export const moment = (ms) => new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(ms);

/** @param {number} ms */
export const day = (ms) => new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium' }).format(ms);

/** What kind of solo game: `Klondike · Draw 1 · Standard`. @param {{game: string, draw: number, scoring: string}} kind */
export const kindText = ({ game, draw, scoring }) => [t(`variant.${game}`), t(`terms.draw${draw}`), t(`terms.${scoring}`)].join(' · ');
