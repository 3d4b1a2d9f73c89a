// The daily challenge: its entry on the first page, and the text of a win to share.

import { elapsed } from '../clock.js';
import { monthOf } from '../dates.js';
import { copy, h } from '../dom.js';
import { suitIcon } from '../faces.js';
import { currentLanguage, t } from '../i18n.js';
import { readMonth } from '../records/answers.js';
import { link } from '../records/frame.js';
import { dateText, localDate, onNewDay } from '../today.js';
import { readTerms } from '../wire.js';

/** @typedef {import('../app.js').App} App */

/** Starts today's game, with the draw that is chosen. @param {App} app */
export function dailyForm(app) {
  const draw = h('select', { name: 'daily_draw', 'aria-label': t('terms.draw') }, h('option', { value: '1' }, t('terms.draw1')), h('option', { value: '3' }, t('terms.draw3')));
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    app.create(readTerms({ type: 'klondike', draw: Number(draw.value), daily: localDate() }));
  };
  return h('form', { class: 'inline', onsubmit: start }, draw, h('button', { type: 'submit', class: 'primary', 'data-act': 'daily' }, t('home.play')));
}

/** Today's game, and how far it is. The server opens the one that was begun, if there is one. @param {App} app */
export function dailyTile(app) {
  const date = h('p', { 'data-out': 'daily-date' });
  const text = h('p', { 'data-out': 'daily-state' });
  const streak = h('p', { class: 'streak', 'data-out': 'daily-streak', hidden: true });
  const ways = h('div', { class: 'ways-in' });
  const calendar = link(app, '/calendar', t('daily.calendar'), { class: 'quiet-link', 'data-to': 'daily-calendar' });
  const el = h('section', { class: 'tile daily' }, h('div', { class: 'art', html: suitIcon(0), 'aria-hidden': 'true' }), h('h2', {}, t('daily.title')), date, text, streak, ways, calendar);

  function asNew() {
    date.textContent = dateText(localDate(), currentLanguage());
    text.textContent = t('daily.text');
    streak.hidden = true;
    el.dataset['state'] = 'new';
    ways.replaceChildren(dailyForm(app));
  }

  async function load() {
    asNew();
    const today = localDate();
    const month = await app.question({ t: 'ask_daily', month: monthOf(today) }).then(readMonth, () => null);
    if (!month || today !== localDate()) return;
    const { current } = month.streak;
    streak.hidden = current === 0;
    streak.textContent = t('daily.streak', { n: current });
    const day = month.days.find((one) => one.date === today);
    if (!day) return;
    el.dataset['state'] = day.won ? 'won' : 'begun';
    text.textContent = day.won ? t('daily.won', { time: elapsed(day.ms ?? 0), moves: day.moves ?? 0 }) : t('daily.begun');
    const open = () => app.join({ match: day.match });
    ways.replaceChildren(h('div', { class: 'buttons' }, h('button', { type: 'button', class: day.won ? '' : 'primary', 'data-act': 'daily-resume', onclick: open }, t(day.won ? 'calendar.look' : 'home.resume'))));
  }
  load();
  onNewDay(el, load);
  return el;
}

/**
 * A win in words that tell nothing of the cards.
 * @param {{date: string, draw: number, ms: number, moves: number, score: number}} win `score` with bonus
 */
export const shareText = ({ date, draw, ms, moves, score }) =>
  t('daily.shareText', { date, draw: t(draw === 3 ? 'terms.draw3' : 'terms.draw1'), time: elapsed(ms), moves, score });

/** @param {() => string} text */
export function shareButton(text) {
  const share = async () => {
    if (navigator.share) {
      try {
        await navigator.share({ text: text() });
        return;
      } catch (error) {
        if (error instanceof DOMException && error.name === 'AbortError') return;
      }
    }
    await copy(text());
  };
  return h('button', { type: 'button', class: 'quiet', 'data-act': 'share', onclick: share }, t('common.share'));
}
