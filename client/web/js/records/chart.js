// How often a duel ended with how many cards: bars for the eye, a table for everybody.

import { h } from '../dom.js';
import { t } from '../i18n.js';
import { number, percent } from './figures.js';

const MOST = 52;
const HIGH = 60;
const BAR = 6;

/** @param {number[]} counts `counts[i]`: games that ended with i cards @param {string} title */
export function countChart(counts, title) {
  const games = counts.reduce((sum, n) => sum + n, 0);
  if (games === 0) return null;
  const top = Math.max(...counts);
  const bars = counts
    .map((n, i) => (n ? `<rect x="${i * BAR}" y="${HIGH - (n / top) * HIGH}" width="${BAR - 1.4}" height="${(n / top) * HIGH}" rx="1"><title>${t('profile.countIs', { n: i })}: ${number(n)}</title></rect>` : ''))
    .join('');
  const ticks = [0, 13, 26, 39, 52].map((i) => `<text x="${i * BAR + BAR / 2}" y="${HIGH + 14}" text-anchor="middle">${i}</text>`).join('');
  const middle = counts.reduce((sum, n, i) => sum + n * i, 0) / games;
  const label = t('profile.chartLabel', { tempo: title, n: games, middle: number(Math.round(middle * 10) / 10) });
  const rows = counts.map((n, i) => n > 0 && h('tr', {}, h('th', { scope: 'row' }, String(i)), h('td', {}, number(n)), h('td', {}, percent(n, games))));
  return h(
    'figure',
    { class: 'counts' },
    h('figcaption', {}, t('profile.counts')),
    h('div', { class: 'bars', role: 'img', 'aria-label': label, html: `<svg viewBox="-8 -2 ${(MOST + 1) * BAR + 16} ${HIGH + 20}" aria-hidden="true"><path d="M0 ${HIGH + 0.5}H${(MOST + 1) * BAR}"/>${bars}${ticks}</svg>` }),
    h(
      'details',
      {},
      h('summary', {}, t('profile.asTable')),
      h(
        'table',
        {},
        h('caption', { class: 'off-screen' }, label),
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('profile.cards')), h('th', { scope: 'col' }, t('profile.games')), h('th', { scope: 'col' }, t('profile.share')))),
        h('tbody', {}, ...rows),
      ),
    ),
  );
}
