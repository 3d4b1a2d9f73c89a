// The leaderboards. What is looked at stands in the address, so that it can be shared.

import { announce, h } from '../dom.js';
import { shiftDate, shortDate } from '../dates.js';
import { currentLanguage, t } from '../i18n.js';
import { localDate } from '../today.js';
import { readBoard } from './answers.js';
import { boardsOf, readWanted, settledBoard, writeWanted } from './board_query.js';
import { counted, day, number, ratingText, score, time } from './figures.js';
import { createWaiting, frame, personLink, waitingNote } from './frame.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./answers.js').Board} Board */
/** @typedef {import('./answers.js').BoardRow} BoardRow */
/** @typedef {import('./board_query.js').Wanted} Wanted */

/** What each board ranks. @type {Record<string, string>} */
const BOARDS = { won: 'boards.won', score: 'boards.score', time: 'boards.time', moves: 'boards.moves', streak: 'boards.streak', rating: 'boards.rating' };

/** @param {string} board */
const boardText = (board) => t(BOARDS[board] ?? board);

/** @param {App} app @returns {import('../places.js').Page} */
export function boardsPage(app) {
  let wanted = readWanted(new URLSearchParams(location.search));
  const filters = h('div', { class: 'filters board-filters' });
  const body = h('div', { class: 'parts board' }, waitingNote());
  const { el, shown } = frame(app, 'boards', t('records.boards'), filters, body);
  const ask = createWaiting(app, body);
  /** @type {number[]} versions of the rules that have a board */
  let versions = [];

  /** @param {Partial<Wanted>} change */
  function want(change) {
    wanted = settledBoard({ ...wanted, ...change });
    history.replaceState(null, '', `/boards${writeWanted(wanted)}`);
    load();
  }

  function load() {
    drawFilters();
    const { game, board, draw, scoring, clean, rules, date } = wanted;
    const duel = board === 'rating';
    const question = { t: 'ask_board', game, board, ...(duel ? {} : { draw, scoring, clean }), ...(rules ? { rules } : {}), ...(date ? { date } : {}) };
    ask(question, readBoard, (answer) => {
      versions = answer.versions;
      drawFilters();
      body.replaceChildren(...boardParts(app, answer, wanted));
      announce([captionOf(wanted), answer.rows.length ? '' : t('boards.empty')].join(' '));
    });
  }

  /** Drawn anew with every change; what has the focus keeps it. */
  function drawFilters() {
    const held = filters.contains(document.activeElement) ? document.activeElement?.getAttribute('name') : null;
    filters.replaceChildren(...filterParts(wanted, versions, want));
    if (held) /** @type {HTMLElement | null} */ (filters.querySelector(`[name="${held}"]`))?.focus();
  }

  load();
  return { el, shown };
}

/**
 * @param {string} name @param {string} label @param {[string, string][]} values @param {string} now @param {(value: string) => void} change
 */
function chooser(name, label, values, now, change) {
  const select = h('select', { name }, ...values.map(([value, text]) => h('option', { value, selected: value === now }, text)));
  select.addEventListener('change', () => change(select.value));
  return h('label', { class: ['game', 'board'].includes(name) ? 'broad' : '' }, h('span', {}, label), select);
}

/** @param {Wanted} wanted @param {number[]} versions @param {(change: Partial<Wanted>) => void} want */
function filterParts(wanted, versions, want) {
  const { game, board, draw, scoring, clean, rules, date } = wanted;
  const daily = Boolean(date);
  const duel = board === 'rating';
  const games = ['klondike', 'two_deck', 'simultaneous', 'alternating'].map((value) => /** @type {[string, string]} */ ([value, gameText(value)]));
  const boards = boardsOf(wanted).map((value) => /** @type {[string, string]} */ ([value, boardText(value)]));
  const scorings = (game === 'two_deck' ? ['normal', 'vegas'] : ['standard', 'vegas', 'none']).map((value) => /** @type {[string, string]} */ ([value, t(`terms.${value}`)]));
  const box = h('input', { type: 'checkbox', role: 'switch', name: 'clean', checked: clean });
  box.addEventListener('change', () => want({ clean: box.checked }));
  return [
    chooser('game', t('boards.game'), [...games, ['daily', t('daily.title')]], daily ? 'daily' : game, (value) =>
      value === 'daily' ? want({ game: 'klondike', date: localDate(), board: 'time' }) : want({ game: /** @type {any} */ (value), date: null }),
    ),
    daily && dateChooser(String(date), want),
    !duel && chooser('board', t('boards.board'), boards, board, (value) => want({ board: /** @type {any} */ (value) })),
    !duel && chooser('draw', t('terms.draw'), [['1', t('terms.draw1')], ['3', t('terms.draw3')]], String(draw), (value) => want({ draw: Number(value) })),
    !duel && !daily && chooser('scoring', t('terms.scoring'), scorings, scoring, (value) => want({ scoring: value })),
    versions.length > 1 &&
      chooser('rules', t('boards.rules'), [['', t('boards.rulesNewest')], ...versions.map((n) => /** @type {[string, string]} */ ([String(n), String(n)]))], rules ? String(rules) : '', (value) =>
        want({ rules: value ? Number(value) : null }),
      ),
    !duel && h('label', { class: 'switch', title: t('boards.cleanText') }, box, h('span', {}, t('boards.clean'))),
  ].filter((part) => part !== false);
}

/** @param {string} game */
const gameText = (game) => (game === 'klondike' || game === 'two_deck' ? t(`variant.${game}`) : `${t('variant.duel')}: ${t(`terms.${game}`)}`);

/** @param {string} date @param {(change: Partial<Wanted>) => void} want */
function dateChooser(date, want) {
  /** @param {string} name @param {number} by @param {string} sign */
  const step = (name, by, sign) =>
    h('button', { type: 'button', name, 'data-act': name, 'aria-label': t(by < 0 ? 'boards.dayBefore' : 'boards.dayAfter'), disabled: by > 0 && date >= localDate(), onclick: () => want({ date: shiftDate(date, by) }) }, sign);
  return h('div', { class: 'stepper', role: 'group', 'aria-label': t('boards.date') }, step('dayBefore', -1, '‹'), h('output', { 'data-out': 'board-date' }, shortDate(date, currentLanguage())), step('dayAfter', 1, '›'));
}

/** What a board is of, in words. @param {Wanted} wanted */
function captionOf({ game, board, draw, scoring, clean, date }) {
  if (board === 'rating') return [boardText(board), gameText(game)].join(' · ');
  const what = date ? [t('daily.title'), shortDate(date, currentLanguage()), t(`terms.draw${draw}`)] : [gameText(game), t(`terms.draw${draw}`), t(`terms.${scoring}`)];
  return [boardText(board), ...what, clean ? t('boards.clean') : ''].filter(Boolean).join(' · ');
}

/** @param {BoardRow} row @param {Wanted} wanted */
function valueText(row, { board, scoring }) {
  if (board === 'time') return time(row.value);
  if (board === 'score') return score(row.value, scoring);
  if (board === 'rating') return ratingText(row);
  if (board === 'streak') return counted('records.days', row.value);
  return number(row.value);
}

/** @param {App} app @param {Board} board @param {Wanted} wanted */
function boardParts(app, board, wanted) {
  const note = h('p', { class: 'note' }, t(wanted.board === 'rating' ? 'boards.ratingText' : 'boards.offText'));
  if (board.rows.length === 0 && !board.own) return [h('p', { class: 'none', 'data-out': 'empty-board' }, t('boards.empty')), note];
  /** @param {BoardRow} row */
  const line = (row) =>
    h(
      'tr',
      { class: row.mine ? 'mine' : '', 'data-rank': String(row.rank), 'aria-current': row.mine && 'true' },
      h('td', { class: 'rank' }, number(row.rank)),
      h('th', { scope: 'row' }, personLink(app, row), row.mine && h('small', {}, ` (${t('common.you')})`)),
      h('td', { class: 'value' }, valueText(row, wanted)),
      h('td', { class: 'at' }, row.at === null ? '' : day(row.at)),
    );
  const labels = { rank: t('boards.rank'), name: t('boards.name'), value: boardText(wanted.board), at: t('boards.at') };
  const head = Object.entries(labels).map(([name, label]) => h('th', { scope: 'col', class: name }, label));
  const table = h(
    'table',
    { class: 'ranking' },
    h('caption', {}, captionOf(wanted)),
    h('thead', {}, h('tr', {}, ...head)),
    h('tbody', {}, ...board.rows.map(line)),
    board.own && h('tbody', { class: 'own' }, line({ ...board.own, mine: true })),
  );
  return [table, note];
}
