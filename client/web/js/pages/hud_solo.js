// The line above a solo game (score, moves, time, passes) and its tools below or beside it.

import { elapsed } from '../clock.js';
import { copy, h } from '../dom.js';
import { t } from '../i18n.js';
import { passLimit, scoreText } from '../words.js';

/** @typedef {import('../app.js').App} App */

/** Hints in a game. */
const HINTS = 3;

/** Strokes of the tool icons, in a box of 24. @type {Record<string, string>} */
const ICONS = {
  undo: 'M9 7L4 12L9 17M4 12H14A6 5 0 0 1 14 22H12',
  redo: 'M15 7L20 12L15 17M20 12H10A6 5 0 0 0 10 22H12',
  hint: 'M12 3A6 6 0 0 0 8.5 13.5V16H15.5V13.5A6 6 0 0 0 12 3ZM9 19H15M10 22H14',
  pause: 'M8 5V19M16 5V19',
  fresh: 'M12 5V19M5 12H19',
  finish: 'M5 12L10 17L20 6',
};

/** @param {string} name @param {string} label @param {() => void} onclick */
function tool(name, label, onclick) {
  const svg = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
  return h('button', { type: 'button', class: `tool ${name}`, 'data-act': name, onclick }, h('span', { class: 'icon', html: svg }), h('span', {}, label));
}

/** Time played so far, ms. @param {import('../types.js').Tally} tally @param {number} now */
export const playedMs = (tally, now) => tally.played_ms + (tally.running_since === null ? 0 : Math.max(0, now - tally.running_since));

/** How many hints are left; `null` = no limit. For the eye only. @param {import('../types.js').Terms} terms @param {import('../types.js').Tally} tally */
const hintsLeft = (terms, tally) => (terms.unlimited_hints ? null : Math.max(0, HINTS - tally.hints));

/** @param {App} app @param {{newGame: () => void, hint: () => void}} asks */
export function soloHud(app, asks) {
  const { session } = app;
  /** @param {string} label @param {string} name */
  const figure = (label, name) => {
    const value = h('output', { 'data-out': name });
    return { el: h('div', { class: 'figure' }, h('small', {}, label), value), value };
  };
  const score = figure(t('table.score'), 'score');
  const moves = figure(t('table.moves'), 'moves');
  const time = figure(t('table.time'), 'time');
  const pass = figure(t('pile.stock'), 'pass');
  const code = h('button', { type: 'button', class: 'code quiet', 'data-out': 'code', title: t('common.copy'), onclick: () => copy(code.textContent ?? '') });

  const undo = tool('undo', t('table.undo'), () => app.play({ do: 'undo' }));
  const redo = tool('redo', t('table.redo'), () => app.play({ do: 'redo' }));
  const hint = tool('hint', t('table.hint'), asks.hint);
  const badge = h('span', { class: 'badge', 'data-out': 'hints', 'aria-hidden': 'true' });
  hint.append(badge);
  const pause = tool('pause', t('table.pause'), () => app.play({ do: 'pause' }));
  const finish = tool('finish', t('table.finish'), () => app.play({ do: 'finish' }));
  const fresh = tool('fresh', t('table.newGame'), asks.newGame);
  const tools = h('nav', { class: 'tools', 'aria-label': t('common.menu') }, finish, undo, redo, hint, pause, fresh);

  function refresh() {
    const { table, legal, clock } = session.state;
    const view = session.view();
    const tally = view?.tally;
    if (!table || !view || !tally) return;
    const { terms } = table;
    const seconds = playedMs(tally, clock.now());
    const penalty = terms.time_penalty ? 2 * Math.floor(seconds / 10000) : 0;
    const hidden = app.settings().hideTimer;
    score.el.hidden = hidden || terms.scoring === 'none';
    time.el.hidden = hidden;
    const shown = penalty ? Math.max(0, tally.score - penalty) : tally.score;
    score.value.textContent = scoreText(shown + tally.bonus, terms.scoring);
    moves.value.textContent = String(tally.moves);
    time.value.textContent = elapsed(seconds);
    const limit = passLimit(terms);
    const n = view.seats[0]?.pass_number ?? 1;
    pass.value.textContent = limit === null ? t('table.passNo', { n }) : t('table.passOf', { n, of: limit });
    code.hidden = !table.deal_code;
    code.textContent = table.deal_code ?? '';
    const can = (/** @type {string} */ command) => Boolean(legal?.commands.includes(command));
    undo.disabled = legal ? !can('undo') : view.undo_depth === 0;
    redo.disabled = legal ? !can('redo') : view.redo_depth === 0;
    hint.hidden = terms.type !== 'klondike';
    hint.disabled = Boolean(view.outcome);
    const left = hintsLeft(terms, tally);
    badge.hidden = left === null;
    badge.textContent = left === null ? '' : String(left);
    hint.setAttribute('aria-label', left === null ? t('table.hint') : t('table.hintsLeft', { n: left }));
    pause.disabled = !can('pause');
    finish.hidden = !can('finish');
  }
  refresh();
  return { bar: [score.el, moves.el, time.el, pass.el, code], tools, refresh };
}
