// The daily challenges of a month: won, begun, missed, to come; what a day brought, and its board.

import { h } from '../dom.js';
import { firstDay, isMonth, monthOf, monthText, shiftDate, shiftMonth, weekdays, weeksOf } from '../dates.js';
import { currentLanguage, t } from '../i18n.js';
import { dailyForm, shareButton, shareText } from '../pages/daily.js';
import { dateText, localDate, onNewDay } from '../today.js';
import { readMonth } from './answers.js';
import { writeWanted } from './board_query.js';
import { counted, number, time } from './figures.js';
import { createWaiting, figure, frame, link } from './frame.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./answers.js').DailyDay} DailyDay */
/** @typedef {import('./answers.js').DailyMonth} DailyMonth */

/** Each state in a word, and in a sentence. @type {Record<string, [string, string]>} */
const STATES = {
  won: ['calendar.won', 'calendar.wonText'],
  begun: ['calendar.begun', 'calendar.begunText'],
  missed: ['calendar.missed', 'calendar.missedText'],
  future: ['calendar.future', 'calendar.futureText'],
  new: ['calendar.new', 'calendar.newText'],
};

/** By how many days the arrow keys go on. @type {Record<string, number>} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/** What there is to see of a date. @param {DailyDay | undefined} day @param {string} date @param {string} today */
export function stateOf(day, date, today) {
  if (day) return day.won ? 'won' : 'begun';
  return date > today ? 'future' : date === today ? 'new' : 'missed';
}

/** @param {App} app @param {string} rest a month, or nothing: this one @returns {import('../places.js').Page} */
export function calendarPage(app, rest) {
  const month = isMonth(rest) ? rest : monthOf();
  const language = currentLanguage();
  /** @type {DailyMonth | null} */
  let answer = null;
  let chosen = monthOf() === month ? localDate() : '';
  const streak = h('dl', { class: 'figures' });
  const grid = h('div', { class: 'month' });
  const detail = h('section', { class: 'card-like day', 'aria-live': 'polite' });
  /** @param {number} by @param {string} act @param {string} sign */
  const step = (by, act, sign) => link(app, `/calendar/${shiftMonth(month, by)}`, sign, { class: 'button', 'data-act': act, 'aria-label': t(by < 0 ? 'calendar.monthBefore' : 'calendar.monthAfter') });
  const after = month < monthOf() ? step(1, 'monthAfter', '›') : h('button', { type: 'button', disabled: true, 'data-act': 'monthAfter', 'aria-label': t('calendar.monthAfter') }, '›');
  const heading = h('header', { class: 'stepper' }, step(-1, 'monthBefore', '‹'), h('h2', { 'data-out': 'month' }, monthText(month, language)), after);
  const side = h('div', { class: 'parts' }, detail, streak);
  const { el, shown } = frame(app, 'calendar', t('records.calendar'), h('div', { class: 'beside' }, h('div', { class: 'part' }, heading, grid), side));
  const ask = createWaiting(app, side);
  const load = () =>
    ask({ t: 'ask_daily', month }, readMonth, (now) => {
      answer = now;
      side.replaceChildren(detail, streak);
      draw();
    });

  function draw() {
    const days = new Map(answer?.days.map((day) => [day.date, day]));
    const today = localDate();
    if (answer) {
      const { current, best } = answer.streak;
      streak.replaceChildren(figure(t('profile.daysNow'), counted('records.days', current), 'streak'), figure(t('profile.daysBest'), counted('records.days', best), 'best-streak'));
    }
    const held = grid.contains(document.activeElement) ? document.activeElement?.getAttribute('data-date') : null;
    grid.replaceChildren(monthTable(month, days, today, chosen, choose, answer !== null));
    if (held) /** @type {HTMLElement | null} */ (grid.querySelector(`[data-date="${held}"]`))?.focus();
    detail.hidden = !chosen || answer === null;
    if (chosen && answer) detail.replaceChildren(...dayParts(app, chosen, days.get(chosen), today));
  }

  /** @param {string} date */
  function choose(date) {
    chosen = date;
    draw();
  }

  grid.addEventListener('keydown', (event) => {
    const at = /** @type {HTMLElement} */ (event.target).dataset['date'];
    const by = STEPS[event.key];
    const next = at && by ? /** @type {HTMLElement | null} */ (grid.querySelector(`[data-date="${shiftDate(at, by)}"]:enabled`)) : null;
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  draw();
  load();
  onNewDay(el, () => (rest || monthOf() === month ? load() : app.go('/calendar'))); // a new month, where the current one is looked at
  return { el, shown };
}

/**
 * @param {string} month @param {Map<string, DailyDay>} days @param {string} today @param {string} chosen
 * @param {(date: string) => void} choose @param {boolean} known whether the answer is there
 */
function monthTable(month, days, today, chosen, choose, known) {
  const language = currentLanguage();
  const first = firstDay(language);
  /** @param {string | null} date */
  const cell = (date) => {
    if (!date) return h('td', {});
    const day = days.get(date);
    const state = known ? stateOf(day, date, today) : 'future';
    const number = String(Number(date.slice(8)));
    const mark = state === 'won' ? time(day?.ms) : state === 'begun' ? '…' : '';
    const label = `${dateText(date, language)}: ${t(STATES[state]?.[0] ?? state)}${state === 'won' ? `, ${time(day?.ms)}` : ''}`;
    const attributes = { type: 'button', class: state, 'data-date': date, 'data-state': state, 'aria-label': label, 'aria-pressed': String(date === chosen), 'aria-current': date === today && 'date' };
    return h('td', {}, h('button', { ...attributes, disabled: state === 'future', onclick: () => choose(date) }, h('b', {}, number), h('small', {}, mark)));
  };
  return h(
    'table',
    {},
    h('caption', { class: 'off-screen' }, t('calendar.caption', { month: monthText(month, language) })),
    h('thead', {}, h('tr', {}, ...weekdays(first, language).map(({ short, long }) => h('th', { scope: 'col', abbr: long }, h('abbr', { title: long }, short))))),
    h('tbody', {}, ...weeksOf(month, first).map((week) => h('tr', {}, ...week.map(cell)))),
  );
}

/** What one day brought. @param {App} app @param {string} date @param {DailyDay | undefined} day @param {string} today */
function dayParts(app, date, day, today) {
  const state = stateOf(day, date, today);
  const draw = day?.draw ?? 1;
  const { won = false, ms = null, moves = null, score = null } = day ?? {};
  const board = link(app, `/boards${writeWanted({ game: 'klondike', board: 'time', draw, scoring: 'standard', clean: false, rules: null, date })}`, t('calendar.board'), { class: 'button', 'data-to': 'day-board' });
  const share = won && shareButton(() => shareText({ date, draw, ms: ms ?? 0, moves: moves ?? 0, score: score ?? 0 }));
  const again = day && h('button', { type: 'button', class: won ? '' : 'primary', 'data-act': 'resume-day', onclick: () => app.join({ match: day.match }) }, t(won ? 'calendar.look' : 'home.resume'));
  return [
    h('h3', { 'data-out': 'day' }, dateText(date, currentLanguage())),
    h('p', { class: 'note' }, t(STATES[state]?.[1] ?? state)),
    day && h('dl', { class: 'figures' }, figure(t('terms.draw'), t(`terms.draw${draw}`)), ...(won ? [figure(t('table.time'), time(ms), 'day-time'), figure(t('table.moves'), number(moves), 'day-moves'), figure(t('table.score'), number(score), 'day-score')] : [])),
    h('div', { class: 'buttons' }, state === 'new' && dailyForm(app), again, share, state !== 'future' && board),
  ].filter((part) => part !== undefined);
}
