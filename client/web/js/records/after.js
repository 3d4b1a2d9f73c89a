// After the end of a game: what it did to the rating, or where it stands among the games of its kind, and whether it counts
// for the leaderboards. The records are written a moment after the end: they are asked until they know it.

import { h } from '../dom.js';
import { t } from '../i18n.js';
import { readHistory, readProfile } from './answers.js';
import { kindText, number, percent, signed, time } from './figures.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').Table} Table */
/** @typedef {import('./answers.js').HistoryRow} HistoryRow */
/** @typedef {import('./answers.js').SoloRecord} SoloRecord */

/** How often it is asked, and the pause before the next time, ms. */
const TRIES = 8;
const PAUSE = 700;

/** What is known of the match shown last: the end panel is built anew with every word of the other. @type {{match: string, row: Promise<HistoryRow | null>} | null} */
let known = null;

/** @param {number} ms */
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** This player's row of a match; `null` if the records do not have it. @param {App} app @param {string} match */
export function rowOf(app, match) {
  if (known?.match === match) return known.row;
  const asked = { match, row: fetchRow(app, match) };
  known = asked;
  asked.row.then((row) => {
    if (!row && known === asked) known = null; // whoever looks again asks again
  });
  return asked.row;
}

/** @param {App} app @param {string} match @returns {Promise<HistoryRow | null>} */
async function fetchRow(app, match) {
  for (let i = 0; i < TRIES; i += 1) {
    try {
      const { rows } = readHistory(await app.question({ t: 'ask_history', match }));
      if (rows[0]) return rows[0];
    } catch {
      // The store is away, or there are too many questions: once more, later.
    }
    await wait(PAUSE);
    if (app.session.state.table?.match !== match) return null;
  }
  return null;
}

/** The rating after a rated match, before and change. @param {App} app @param {Table} table @param {number | null} seat */
export function ratingNote(app, table, seat) {
  if (!table.terms.rated || table.phase !== 'over' || seat === null || table.result?.winner === null) return null;
  const el = h('p', { class: 'rated', 'data-out': 'rating-change', role: 'status' }, t('after.rating'));
  rowOf(app, table.match).then((row) => {
    if (row?.rating === null || row?.rating === undefined) {
      el.textContent = t('after.ratingLater');
      return;
    }
    const change = row.change ?? 0;
    const figures = h('b', {}, `${Math.round(row.rating - change)} → ${Math.round(row.rating)}`);
    el.replaceChildren(t('after.ratingIs'), ' ', figures, ' ', h('span', { class: change < 0 ? 'down' : 'up' }, signed(change)));
  });
  return el;
}

/** Why a win is on no board. @type {Record<string, string>} */
const OFF = {
  code: 'after.why.code',
  restart: 'after.why.restart',
  house_rule: 'after.why.house',
  worry_back: 'after.why.worry',
  too_fast: 'after.why.fast',
};

/** Whether a win counts for the leaderboards, and if not why. @param {HistoryRow} row */
export const boardsText = ({ off }) => (off.length ? t('after.off', { why: off.map((why) => t(OFF[why] ?? why)).join(', ') }) : t('after.on'));

/** How this game stands among those of its kind. @param {App} app @param {Table} table @param {number} ms */
export function soloNote(app, table, ms) {
  const { terms, match } = table;
  const stats = h('p', { 'data-out': 'kind-stats', role: 'status' }, t('records.loading'));
  const counts = h('p', { class: 'note', 'data-out': 'counts', role: 'status' });
  const el = h('div', { class: 'after' }, stats, counts);
  const show = async () => {
    const row = await rowOf(app, match);
    if (row?.won) counts.textContent = boardsText(row);
    const profile = await app.question({ t: 'ask_profile' }).then(readProfile, () => null);
    const solo = profile?.solos.find((one) => one.game === terms.type && one.draw === terms.draw && one.scoring === terms.scoring);
    stats.replaceChildren(...(solo ? sentences(solo, ms) : [t('after.statsLater')]));
  };
  show();
  return el;
}

/** @param {SoloRecord} solo @param {number} ms */
function sentences(solo, ms) {
  const best = solo.best_ms !== null && Math.abs(solo.best_ms - ms) < 1000 && solo.won > 1;
  return [
    h('b', {}, kindText(solo)),
    h('br'),
    t('after.played', { played: number(solo.played), won: number(solo.won), rate: percent(solo.won, solo.played) }),
    ' ',
    solo.best_ms === null ? '' : t(best ? 'after.newBest' : 'after.best', { time: time(solo.best_ms) }),
  ];
}
