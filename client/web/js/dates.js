// Dates and months of the calendar as text, `2026-12-01` and `2026-12`. Days are counted, never hours: no zone, no
// change-over and no midnight can move one.

import { localDate } from './today.js';

const DAY_MS = 86_400_000;
/** The first day of the week where the browser does not say (Monday as 1 .. Sunday as 7). @type {Record<string, number>} */
const FIRST_DAYS = { en: 7, de: 1, da: 1 };

/** @param {string} date @returns {number} ms of its midnight in UTC, for reckoning alone */
function reckoned(date) {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day); // Date.UTC would take the years 0 to 99 for others
  return at.getTime();
}

/** @param {number} at */
const dateOf = (at) => new Date(at).toISOString().slice(0, 10);

/** The date `by` days later. @param {string} date @param {number} by */
export const shiftDate = (date, by) => dateOf(reckoned(date) + by * DAY_MS);

/** Whether there is such a date. @param {string} text */
export const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && Number(text.slice(0, 4)) > 0 && shiftDate(text, 0) === text;

/** @param {string} text */
export const isMonth = (text) => isDate(`${text}-01`);

/** The month of a date. @param {string} [date] */
export const monthOf = (date = localDate()) => date.slice(0, 7);

/** The month `by` months later. @param {string} month @param {number} by */
export function shiftMonth(month, by) {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const count = year * 12 + number - 1 + by;
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`;
}

/** How many days a month has. @param {string} month */
export const daysIn = (month) => (reckoned(`${shiftMonth(month, 1)}-01`) - reckoned(`${month}-01`)) / DAY_MS;

/** The day of the week: Monday is 1, Sunday 7. @param {string} date */
export const weekday = (date) => new Date(reckoned(date)).getUTCDay() || 7;

/**
 * With which day the week begins (1..7) for who reads `language` and whose browser is set to `locale`: the browser's
 * region counts where it is of that language, `en-GB` begins on Monday.
 * @param {string} language @param {string} [locale]
 */
export function firstDay(language, locale = globalThis.navigator?.language ?? language) {
  const tag = locale.toLowerCase().startsWith(language) ? locale : language;
  try {
    /** @type {any} */
    const place = new Intl.Locale(tag);
    const week = typeof place.getWeekInfo === 'function' ? place.getWeekInfo() : place.weekInfo;
    return week?.firstDay ?? FIRST_DAYS[language] ?? 1;
  } catch {
    return FIRST_DAYS[language] ?? 1;
  }
}

/**
 * The weeks of a month, each of seven dates; `null` where a day is of another month.
 * @param {string} month @param {number} first day of the week
 * @returns {(string | null)[][]}
 */
export function weeksOf(month, first) {
  const days = daysIn(month);
  const skipped = (weekday(`${month}-01`) - first + 7) % 7;
  const weeks = Math.ceil((skipped + days) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (__, i) => {
      const day = week * 7 + i - skipped + 1;
      return day < 1 || day > days ? null : `${month}-${String(day).padStart(2, '0')}`;
    }),
  );
}

/** @param {string} date @param {string} language @param {Intl.DateTimeFormatOptions} how */
const words = (date, language, how) => new Intl.DateTimeFormat(language, { ...how, timeZone: 'UTC' }).format(reckoned(date));

/** `December 2026`. @param {string} month @param {string} language */
export const monthText = (month, language) => words(`${month}-01`, language, { month: 'long', year: 'numeric' });

/** `1 December 2026`, short enough for a list. @param {string} date @param {string} language */
export const shortDate = (date, language) => words(date, language, { dateStyle: 'medium' });

/** The days of the week from `first` on, in short and in full. @param {number} first @param {string} language @returns {{short: string, long: string}[]} */
export const weekdays = (first, language) =>
  Array.from({ length: 7 }, (_, i) => {
    const date = shiftDate('2024-01-01', first - 1 + i); // a Monday
    return { short: words(date, language, { weekday: 'short' }), long: words(date, language, { weekday: 'long' }) };
  });
