// What is shown when a game or a match is over: who won and why, the foundations by deck, and what can come next.

import { RANKS, SUITS, deckOf, foundationSuit, rankOf } from '../cards.js';
import { elapsed } from '../clock.js';
import { h } from '../dom.js';
import { suitIcon } from '../faces.js';
import { t } from '../i18n.js';
import { cardName, hasComputer, playerName, reasonText, scoreText } from '../words.js';
import { ratingNote, soloNote } from '../records/after.js';
import { scoreSheet } from '../records/sheet.js';
import { playedMs } from './hud_solo.js';
import { shareButton, shareText } from './daily.js';
import { rematchPart } from './rematch.js';
import { nonce } from './room.js';
import { sayButton } from './say.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').Position} Position */
/** @typedef {import('../types.js').Table} Table */

/** The foundation cards of one deck, a row a suit. @param {Position} view @param {number} deck */
function deckRows(view, deck) {
  return SUITS.map((_, suit) => {
    const cards = view.foundations
      .filter((__, i) => foundationSuit(i, view.foundations.length) === suit)
      .flat()
      .filter((card) => deckOf(card) === deck)
      .sort((a, b) => rankOf(a) - rankOf(b));
    const text = cards.map((card) => RANKS[rankOf(card) - 1]).join(' ');
    return h('div', { class: 'suit-row' }, h('span', { html: suitIcon(suit) }), h('span', { class: 'ranks' }, text || '–'));
  });
}

/** @param {Table} table @param {number} winner @param {number | null} seat @param {string} kind `end` or `end.match` */
function headline(table, winner, seat, kind) {
  const won = kind === 'match' ? 'end.matchWon' : 'end.won';
  const lost = kind === 'match' ? 'end.matchLost' : 'end.lost';
  return winner === seat ? t(won) : t(lost, { name: playerName(table, winner) });
}

/** @param {App} app @param {() => void} hide */
function duelEnd(app, hide) {
  const { table, seat } = app.session.state;
  const view = app.session.view();
  const last = table?.games.at(-1);
  const outcome = view?.outcome ?? last?.outcome ?? table?.result;
  if (!table || !outcome) return null;
  const near = seat ?? 0;
  const over = table.phase === 'over';
  const ofMatch = over && table.terms.games > 1 && table.result;
  const shown = ofMatch && table.result ? table.result : outcome;
  const title = shown.winner === null ? t('end.void') : headline(table, shown.winner, seat, ofMatch ? 'match' : 'game');
  const counts = outcome.counts.length ? outcome.counts : [0, 0];
  const decks = [near, 1 - near].map((deck) =>
    h(
      'section',
      { class: `deck ${deck === near ? 'near' : 'far'}${outcome.winner === deck ? ' winner' : ''}`, 'aria-label': t('end.deck', { name: playerName(table, deck) }) },
      h('header', {}, h('span', { class: `swatch ${deck === near ? 'near' : 'far'}` }), h('strong', {}, playerName(table, deck)), h('output', { 'data-count': String(deck) }, String(counts[deck] ?? 0))),
      ...(view ? deckRows(view, deck) : []),
    ),
  );
  const { notes, buttons } = duelButtons(app, table, hide);
  const words = seat === null || hasComputer(table) ? [] : [sayButton(app)];
  return h(
    'div',
    { class: 'panel', 'data-winner': String(outcome.winner ?? ''), 'data-reason': outcome.reason },
    h('h2', {}, title),
    h('p', { class: 'reason' }, reasonText(shown, table)),
    h('div', { class: 'decks' }, ...decks),
    raceList(table, last),
    table.terms.games > 1 && h('p', { class: 'match' }, t('table.sum', { a: table.sums[near] ?? 0, b: table.sums[1 - near] ?? 0 })),
    ratingNote(app, table, seat),
    ...notes,
    h(
      'div',
      { class: 'buttons' },
      ...words,
      over && replayLink(table),
      last?.seed && h('button', { type: 'button', class: 'quiet', 'data-act': 'check', onclick: () => app.checkDeal(last) }, t('end.check')),
      ...buttons,
    ),
  );
}

/**
 * @param {App} app @param {Table} table @param {() => void} hide
 * @returns {{notes: (Node | false | null | undefined)[], buttons: (Node | false)[]}}
 */
function duelButtons(app, table, hide) {
  const { seat } = app.session.state;
  const home = h('button', { type: 'button', class: 'quiet', 'data-act': 'home', onclick: () => app.goHome() }, t('common.home'));
  const look = h('button', { type: 'button', class: 'quiet', 'data-act': 'look', onclick: hide }, t('end.look'));
  if (seat === null) return { notes: [], buttons: [look, home] };
  const me = table.players[seat];
  if (table.phase !== 'over') {
    const ready = () => app.play(me?.ready ? { do: 'unready' } : { do: 'ready', nonce: nonce() });
    const label = me?.ready ? t('end.rematchSent') : t('end.next');
    const hold = h('button', { type: 'button', class: 'quiet', 'data-act': 'hold', hidden: true }, t('end.hold'));
    return { notes: [], buttons: [look, hold, h('button', { type: 'button', class: 'primary', 'data-act': 'next', onclick: ready }, label)] };
  }
  const { notes, buttons } = rematchPart(app, table, seat);
  return { notes, buttons: [look, home, ...buttons] };
}

/** Who was first where both played to one place. @param {Table} table @param {import('../types.js').GameResult | undefined} game */
function raceList(table, game) {
  if (!game || game.races.length === 0) return null;
  const rows = game.races.map((race) =>
    h('li', {}, h('span', {}, cardName(race.card)), h('b', {}, playerName(table, race.winner)), h('span', { class: 'ms' }, t('table.lineMs', { n: race.ms }))),
  );
  return h('details', { class: 'races', 'data-out': 'races' }, h('summary', {}, t('end.races', { n: rows.length })), h('ol', {}, ...rows));
}

/** @param {App} app @param {() => void} hide */
function soloEnd(app, hide) {
  const { table, clock } = app.session.state;
  const view = app.session.view();
  const tally = view?.tally;
  if (!table || !view?.outcome || !tally) return null;
  const { scoring, daily, draw } = table.terms;
  const played = playedMs(tally, clock.now());
  const won = view.outcome.reason === 'won';
  /** @param {string} label @param {string} value @param {string} name */
  const line = (label, value, name) => h('div', {}, h('dt', {}, label), h('dd', { 'data-out': name }, value));
  return h(
    'div',
    { class: won ? 'panel won' : 'panel', 'data-winner': won ? '0' : '', 'data-reason': view.outcome.reason },
    h('h2', {}, won ? t('end.solo') : reasonText(view.outcome, table)),
    h(
      'dl',
      { class: 'result' },
      scoring !== 'none' && line(t('table.score'), scoreText(tally.score, scoring), 'final-score'),
      tally.bonus > 0 && line(t('end.bonus'), `+${tally.bonus}`, 'bonus'),
      tally.bonus > 0 && line(t('end.total'), scoreText(tally.score + tally.bonus, scoring), 'total'),
      line(t('table.moves'), String(tally.moves), 'final-moves'),
      line(t('table.time'), elapsed(played), 'final-time'),
    ),
    scoreSheet(app, table),
    soloNote(app, table, played),
    h(
      'div',
      { class: 'buttons' },
      h('button', { type: 'button', class: 'quiet', 'data-act': 'look', onclick: hide }, t('end.look')),
      daily ? null : replayLink(table),
      won && daily && shareButton(() => shareText({ date: daily, draw, ms: played, moves: tally.moves, score: tally.score + tally.bonus })),
      won && h('button', { type: 'button', class: 'quiet', 'data-act': 'again', onclick: () => app.play({ do: 'restart' }) }, t('end.again')),
      h('button', { type: 'button', class: 'primary', 'data-act': 'new', onclick: () => app.newGame() }, t('table.newGame')),
    ),
  );
}

/** The way to the replay; of a duel in a tab of its own, so that a rematch can come about here. @param {Table} table */
const replayLink = (table) =>
  h('a', { class: 'button quiet', href: `/replay/${table.match}`, target: table.terms.type === 'duel' && '_blank', rel: 'noopener', 'data-act': 'replay' }, t('replay.watch'));

/** The panel at the end, or `null` while the game goes on. @param {App} app @param {() => void} hide */
export function endPanel(app, hide) {
  const { table } = app.session.state;
  if (!table) return null;
  const over = Boolean(app.session.view()?.outcome) || table.phase === 'over' || table.phase === 'between';
  if (!over) return null;
  return table.terms.type === 'duel' ? duelEnd(app, hide) : soloEnd(app, hide);
}
