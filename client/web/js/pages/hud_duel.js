// The line above a duel: both players with their counts, whose turn it is, the clocks; and the duel's own buttons.

import { deckOf } from '../cards.js';
import { minutes } from '../clock.js';
import { h } from '../dom.js';
import { t } from '../i18n.js';
import { personButton } from '../records/person.js';
import { hasComputer, playerName } from '../words.js';
import { createBubble, sayButton } from './say.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').Position} Position */

/** Cards of each deck on the foundations. @param {Position} view */
export function deckCounts(view) {
  const counts = [0, 0];
  for (const pile of view.foundations) for (const card of pile) counts[deckOf(card)] = (counts[deckOf(card)] ?? 0) + 1;
  return counts;
}

/** @param {App} app */
export function duelHud(app) {
  const { session } = app;
  const near = session.state.seat ?? 0;
  /** @param {number} seat @param {string} side */
  const chip = (seat, side) => {
    const name = personButton(app, session.state.table?.players[seat], '');
    const count = h('output', { class: 'count', 'data-count': String(seat) }, '0');
    const state = h('small', { class: 'state' });
    const line = h('small', { class: 'line', 'data-line': String(seat), title: t('table.line') });
    const bubble = createBubble(app, seat, side);
    const el = h('div', { class: `chip ${side}`, 'data-seat': String(seat) }, h('span', { class: `swatch ${side}`, 'aria-hidden': 'true' }), h('div', {}, name, state, line), count, bubble.el);
    return { el, name, count, state, line, bubble };
  };
  const rival = chip(1 - near, 'far');
  const own = chip(near, 'near');
  const clock = h('output', { class: 'clock', role: 'timer' });
  const turn = h('div', { class: 'turn' });
  const gameNo = h('span', { class: 'of' });
  const sums = h('span', {});
  const match = h('small', { class: 'match' }, gameNo, sums);
  const middle = h('div', { class: 'middle' }, clock, turn, match);
  const pass = h('button', { type: 'button', class: 'primary', 'data-act': 'pass', title: t('table.passHint'), onclick: () => app.play({ do: 'pass' }) }, t('table.pass'));
  const declare = h('button', { type: 'button', 'data-act': 'declare', onclick: () => app.play({ do: 'declare' }) }, t('table.declare'));
  const say = sayButton(app);
  const actions = h('div', { class: 'actions' }, pass, declare, say);

  function refresh() {
    const { table, legal, clock: time, seat } = session.state;
    const view = session.view();
    if (!table) return;
    const counts = view ? deckCounts(view) : [0, 0];
    const now = time.now();
    for (const [side, at] of /** @type {const} */ ([[rival, 1 - near], [own, near]])) {
      const player = table.players[at];
      side.name.textContent = playerName(table, at);
      side.count.textContent = String(counts[at] ?? 0);
      side.count.title = t('table.cardsUp');
      const declared = view?.seats[at]?.declared;
      const wait = (view?.seats[at]?.wait_until ?? 0) - now;
      const until = player && !player.waited_for ? player.gone_until : null;
      const away = player && !player.present ? `${t('room.isAway')} ${until === null ? '' : minutes(until - now)}`.trim() : '';
      side.state.textContent = wait > 0 ? t('table.waits', { n: Math.ceil(wait / 1000) }) : declared ? t('table.declared') : away;
      const ms = session.state.lines[at];
      side.line.hidden = side.state.textContent !== '' || typeof ms !== 'number' || !player?.present;
      side.line.textContent = typeof ms === 'number' ? t('table.lineMs', { n: ms }) : '';
      side.bubble.refresh(now);
      side.el.classList.toggle('turn', view?.turn?.seat === at && !view?.outcome);
      side.el.classList.toggle('away', Boolean(player && !player.present));
    }
    const deadline = view?.turn ? view.turn.ends_at : (view?.ends_at ?? null);
    const left = deadline === null ? null : deadline - now;
    clock.hidden = left === null || Boolean(view?.outcome);
    clock.textContent = left === null ? '' : minutes(left);
    clock.classList.toggle('hurry', left !== null && left < 10000);
    const alternating = table.terms.tempo === 'alternating';
    const mine = view?.turn?.seat === seat;
    turn.hidden = !view?.turn || Boolean(view.outcome);
    turn.textContent = view?.turn ? (mine ? t('table.yourTurn') : t('table.theirTurn', { name: playerName(table, view.turn.seat) })) : '';
    turn.classList.toggle('mine', mine);
    match.hidden = table.terms.games === 1;
    gameNo.textContent = `${t('table.game', { n: table.game, of: table.terms.games })} · `;
    sums.textContent = t('table.sum', { a: table.sums[near] ?? 0, b: table.sums[1 - near] ?? 0 });
    const playing = table.phase === 'playing' && !view?.outcome && seat !== null;
    pass.hidden = !alternating || !playing;
    say.hidden = hasComputer(table);
    pass.disabled = !legal?.commands.includes('pass');
    declare.hidden = alternating || !playing;
    declare.disabled = !legal?.commands.includes('declare');
    const declared = Boolean(view?.seats[near]?.declared);
    declare.textContent = t(declared ? 'table.youDeclared' : 'table.declare');
  }
  refresh();
  return { bar: [rival.el, middle, own.el], actions, refresh };
}
