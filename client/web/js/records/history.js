// Finished games, the newest first; against one rival with their sum.

import { announce, h } from '../dom.js';
import { currentLanguage, t } from '../i18n.js';
import { shortDate } from '../dates.js';
import { readHistory } from './answers.js';
import { counted, kindText, moment, number, score, signed, time } from './figures.js';
import { createWaiting, frame, link, nameOf, personLink, waitingNote } from './frame.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./answers.js').HistoryRow} HistoryRow */
/** @typedef {import('./answers.js').History} History */

/** @param {App} app @param {string} rest `<identity>`, `<identity>/<rival>`, or nothing: this client's own @returns {import('../places.js').Page} */
export function historyPage(app, rest) {
  const [identity = '', rival = ''] = rest.split('/');
  const body = h('div', { class: 'parts' }, waitingNote());
  const { el, entitle, shown } = frame(app, 'history', t(identity ? 'records.history' : 'history.own'), body);
  const list = h('ol', { class: 'rows' });
  const more = h('div', { class: 'more' });
  const asked = { t: 'ask_history', ...(identity ? { identity } : {}), ...(rival ? { rival } : {}) };
  createWaiting(app, body)(asked, readHistory, first);

  /** @param {History} answer */
  function first(answer) {
    const mine = !identity || answer.identity === app.me();
    entitle(rival ? againstTitle(answer, rival) : mine ? t('history.own') : t('history.of', { name: nameOf(answer) }));
    if (answer.rows.length === 0) return body.replaceChildren(...sums(answer), h('p', { class: 'none' }, t(rival ? 'history.noneAgainst' : 'history.none')));
    body.replaceChildren(...sums(answer), ...(rival || mine ? [] : [h('p', { class: 'links' }, personLink(app, answer))]), list, more);
    add(answer);
  }

  /** @param {History} answer */
  function add(answer) {
    const rows = answer.rows.map((row) => historyRow(app, row, answer, rival));
    list.append(...rows);
    const { before } = answer;
    const next = createWaiting(app, more);
    const button = h(
      'button',
      {
        type: 'button',
        'data-act': 'more',
        onclick: () => {
          button.disabled = true;
          next({ ...asked, before }, readHistory, (older) => {
            add(older);
            announce(t('history.added', { n: older.rows.length }));
          });
        },
      },
      t('history.more'),
    );
    const hadFocus = more.contains(document.activeElement) || document.activeElement === document.body;
    more.replaceChildren(...(before === null ? [] : [button]));
    if (list.childElementCount > rows.length && hadFocus) rows[0]?.focus({ preventScroll: true });
  }
  return { el, shown };
}

/** @param {History} answer @param {string} rival */
function againstTitle(answer, rival) {
  const person = answer.rows.find((row) => row.rival?.identity === rival)?.rival;
  const other = person || rival.startsWith('bot:') ? nameOf(person ?? { identity: rival, name: '' }) : t('table.rival');
  return t('history.against', { name: nameOf(answer), rival: other });
}

/** The sum of two players. @param {History} answer */
function sums({ against }) {
  if (!against) return [];
  /** @param {string} name @param {number} n */
  const sum = (name, n) => h('div', { class: name }, h('dt', {}, t(OUTCOMES[name] ?? name)), h('dd', { 'data-out': `sum-${name}` }, number(n)));
  return [h('dl', { class: 'sums' }, sum('won', against.won), sum('lost', against.lost), against.void > 0 && sum('void', against.void))];
}

/** What a game was to a player. @type {Record<string, string>} */
const OUTCOMES = { won: 'history.won', lost: 'history.lost', void: 'history.void', abandoned: 'history.abandoned' };

/** @param {HistoryRow} row */
const outcome = (row) => (row.reason === 'abandoned' ? 'abandoned' : row.won === null ? 'void' : row.won ? 'won' : 'lost');

/** What was played. @param {HistoryRow} row */
function game({ terms, date }) {
  if (date) return [t('daily.title'), shortDate(date, currentLanguage()), t(`terms.draw${terms.draw}`)].join(' · ');
  if (terms.type !== 'duel') return kindText(/** @type {any} */ ({ ...terms, game: terms.type }));
  const games = terms.games > 1 ? t('find.bestOf', { n: terms.games }) : '';
  return [t(`terms.${terms.tempo}`), games, terms.rated ? t('terms.rated') : ''].filter(Boolean).join(' · ');
}

/** What came out of a solo game. @param {HistoryRow} row */
function figures({ terms, score: points, moves, ms }) {
  if (terms.type === 'duel') return [];
  return [
    ms !== null && t('history.time', { time: time(ms) }),
    moves !== null && counted('history.moves', moves),
    points !== null && terms.scoring !== 'none' && (terms.scoring === 'vegas' ? score(points, 'vegas') : counted('history.points', points)),
  ].filter(Boolean);
}

/** Why it ended, where that says more than that it is over. @param {HistoryRow} row */
const WHY = /** @type {Record<string, string>} */ ({ resigned: 'history.resigned', left: 'history.left', time: 'history.timeUp', agreed: 'history.agreed' });

/** @param {App} app @param {HistoryRow} row @param {History} answer @param {string} rival the one who was asked for */
function historyRow(app, row, answer, rival) {
  const kind = outcome(row);
  const duel = row.terms.type === 'duel';
  const replay = row.replay && link(app, `/replay/${encodeURIComponent(row.match)}`, t('history.replay'), { class: 'button', 'data-to': 'replay' });
  const between =
    row.rival && !rival && link(app, `/history/${encodeURIComponent(answer.identity)}/${encodeURIComponent(row.rival.identity)}`, t('history.allAgainst'), { 'data-to': 'against', 'aria-label': t('history.against', { name: nameOf(answer), rival: nameOf(row.rival) }) });
  const sum = row.sums.length > 1 && h('b', { class: 'sum', 'data-out': 'row-sum' }, `${row.sums[0]} : ${row.sums[1]}`);
  const why = WHY[row.reason];
  return h(
    'li',
    { tabindex: '-1', 'data-match': row.match, 'data-outcome': kind },
    h('span', { class: `mark ${kind}` }, t(OUTCOMES[kind] ?? kind)),
    h(
      'div',
      { class: 'what' },
      h('p', { class: 'who' }, ...(duel && row.rival ? [personLink(app, row.rival), sum] : [game(row)])),
      h('p', { class: 'note' }, [duel && row.rival ? game(row) : figures(row).join(' · '), why && t(why)].filter(Boolean).join(' · ')),
      h('p', { class: 'note' }, h('time', { datetime: new Date(row.at).toISOString() }, moment(row.at)), between && ' · ', between),
    ),
    h(
      'div',
      { class: 'end' },
      row.rating !== null &&
        h(
          'span',
          { class: 'change', 'data-out': 'row-rating' },
          h('b', { class: (row.change ?? 0) < 0 ? 'down' : 'up' }, row.change === null ? '' : signed(row.change)),
          h('small', { 'aria-label': t('history.ratingAfter', { n: Math.round(row.rating) }) }, String(Math.round(row.rating))),
        ),
      replay,
    ),
  );
}
