// The score of a finished solo game line by line, below its end.

import { h } from '../dom.js';
import { t } from '../i18n.js';
import { scoreText } from '../words.js';
import { signed } from './figures.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').Table} Table */

/** @typedef {{what: string, times: number, points: number}} SheetLine */

/** What stands for each line. @type {Record<string, string>} */
const WORDS = {
  start: 'sheet.start',
  to_foundation: 'sheet.toFoundation',
  waste_to_column: 'sheet.wasteToColumn',
  turned: 'sheet.turned',
  worry_back: 'sheet.worryBack',
  recycle: 'sheet.recycle',
  floor: 'sheet.floor',
  bonus: 'sheet.bonus',
  penalty: 'sheet.penalty',
};
/** Lines of which it matters how often they were. */
const COUNTED = new Set(['to_foundation', 'waste_to_column', 'turned', 'worry_back', 'recycle']);
const TRIES = 6;
const PAUSE = 700;

/** The replay, from which the lines follow, comes a moment after the end. @param {App} app @param {string} match @returns {Promise<any>} */
async function fetchSheet(app, match, tries = TRIES) {
  try {
    return await app.question({ t: 'ask_sheet', match });
  } catch {
    if (tries <= 1 || app.session.state.table?.match !== match) return null;
    await new Promise((done) => setTimeout(done, PAUSE));
    return fetchSheet(app, match, tries - 1);
  }
}

/** @param {Table} table @param {SheetLine} line @param {number} seconds */
function row({ terms }, { what, times, points }, seconds) {
  const word = t(WORDS[what] ?? what, { s: Math.max(30, seconds) });
  const text = terms.scoring === 'vegas' ? `${points < 0 ? '−' : '+'}$${Math.abs(points)}` : signed(points);
  return h('tr', { 'data-line': what }, h('th', { scope: 'row' }, word), h('td', {}, COUNTED.has(what) ? `${times} ×` : ''), h('td', {}, text));
}

/** @param {App} app @param {Table} table */
export function scoreSheet(app, table) {
  const { terms, match } = table;
  if (terms.scoring === 'none') return null;
  const body = h('div', { class: 'lines', role: 'status' }, t('records.loading'));
  const el = h('details', { class: 'score-sheet', 'data-out': 'sheet' }, h('summary', {}, t('sheet.title')), body);
  let asked = false;
  el.addEventListener('toggle', async () => {
    if (asked || !el.open) return;
    asked = true;
    const sheet = await fetchSheet(app, match);
    if (!sheet) {
      asked = false;
      body.textContent = t('records.failed');
      return;
    }
    const lines = /** @type {SheetLine[]} */ (sheet.lines ?? []);
    const total = h('tr', { class: 'total' }, h('th', { scope: 'row' }, t('end.total')), h('td', {}), h('td', { 'data-out': 'sheet-total' }, scoreText(sheet.total ?? 0, terms.scoring)));
    const detour = terms.scoring !== 'vegas' && h('p', { class: 'note' }, t('sheet.detour'));
    body.replaceChildren(h('table', {}, h('tbody', {}, ...lines.map((line) => row(table, line, sheet.seconds ?? 0)), total)), ...(detour ? [detour] : []));
  });
  return el;
}
