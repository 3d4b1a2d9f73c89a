// The daily challenge: its entry on the first page, and the text of a win to share.

import { elapsed } from '../clock.js';
import { copy, h } from '../dom.js';
import { suitIcon } from '../faces.js';
import { currentLanguage, t } from '../i18n.js';
import { dateText, localDate, onNewDay } from '../today.js';
import { readTerms } from '../wire.js';

/** @typedef {import('../app.js').App} App */

/** Today's game. The server opens the one that was begun, if there is one. @param {App} app */
export function dailyTile(app) {
  const date = h('p', { 'data-out': 'daily-date' }, dateText(localDate(), currentLanguage()));
  const draw = h('select', { name: 'daily_draw', 'aria-label': t('terms.draw') }, h('option', { value: '1' }, t('terms.draw1')), h('option', { value: '3' }, t('terms.draw3')));
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    app.create(readTerms({ type: 'klondike', draw: Number(draw.value), daily: localDate() }));
  };
  const el = h(
    'section',
    { class: 'tile daily' },
    h('div', { class: 'art', html: suitIcon(0), 'aria-hidden': 'true' }),
    h('h2', {}, t('daily.title')),
    date,
    h('p', {}, t('daily.text')),
    h('form', { class: 'inline', onsubmit: start }, draw, h('button', { type: 'submit', class: 'primary', 'data-act': 'daily' }, t('home.play'))),
  );
  onNewDay(el, (today) => {
    date.textContent = dateText(today, currentLanguage());
  });
  return el;
}

/**
 * A win in words that tell nothing of the cards.
 * @param {import('../types.js').Table} table @param {import('../types.js').Tally} tally @param {number} ms time played
 */
export const shareText = ({ terms }, tally, ms) =>
  t('daily.shareText', { date: String(terms.daily), draw: t(terms.draw === 3 ? 'terms.draw3' : 'terms.draw1'), time: elapsed(ms), moves: tally.moves, score: tally.score + tally.bonus });

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
