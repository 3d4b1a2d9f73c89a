// The page of a running game: the felt with its board, the line above it, tools, banners, and what lies over it.

import { createBoard } from '../board.js';
import { suitOf } from '../cards.js';
import { minutes } from '../clock.js';
import { announce, closeDialogs, h, toast } from '../dom.js';
import { t } from '../i18n.js';
import { createKeyboard } from '../keyboard.js';
import { cardName, eventText, pileName, playerName, raceText, reasonText, refusalText } from '../words.js';
import { endPanel } from './end.js';
import { createLost } from './lost.js';
import { duelHud } from './hud_duel.js';
import { soloHud } from './hud_solo.js';
import { openMenu } from './menu.js';
import { createNext } from './next.js';
import { createOffers, offerBanner } from './offers.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').Told} Told */

const TICK = 200;
/** The table's notice of an ordinary deal where a winnable one was wanted; shown until the first move. */
const NOT_PROVEN = 'not_proven_winnable';

/** @param {App} app */
export function tablePage(app) {
  const { session } = app;
  const duel = session.state.table?.terms.type === 'duel';
  const felt = h('div', { class: 'felt', role: 'application', 'aria-label': t('app.title') });
  const banner = h('div', { class: 'banner', role: 'status' });
  const over = h('div', { class: 'over' });
  const hud = duel ? duelHud(app) : soloHud(app, { newGame: () => app.newGame(), hint: askHint });
  const menu = h('button', { type: 'button', class: 'tool menu', 'data-act': 'menu', 'aria-label': t('common.menu'), onclick: () => openMenu(app) }, h('span', { class: 'icon', html: '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 7H20M4 12H20M4 17H20"/></svg>' }));
  const centre = h('div', { class: 'centre', 'aria-hidden': 'true' });
  const stage = h('div', { class: 'stage' }, duel && centre, felt, 'actions' in hud ? hud.actions : null, banner, over);
  const el = h('main', { class: `table ${session.state.table?.terms.type}` }, h('header', { class: 'bar' }, menu, ...hud.bar), stage, 'tools' in hud ? hud.tools : null);
  const board = createBoard(felt, session, app.settings);
  const lost = createLost(app);
  const next = createNext(app, over);
  const offers = createOffers(app);
  let hidden = false; // the end panel, at the player's wish
  let shownOver = '';

  const keyboard = createKeyboard(board, {
    u: () => app.play({ do: 'undo' }),
    r: () => app.play({ do: 'redo' }),
    h: askHint,
    p: () => (duel ? app.play({ do: 'pass' }) : togglePause()),
    n: () => !duel && app.newGame(),
    m: () => openMenu(app),
    '?': () => app.openHelp(),
  });

  function askHint() {
    if (!duel) app.send({ t: 'ask_hint' });
  }

  function togglePause() {
    app.play({ do: session.state.position?.tally?.paused ? 'unpause' : 'pause' });
  }

  /** @param {Record<string, any>} hint */
  function showHint(hint) {
    const { table } = session.state;
    if (!table) return;
    const left = hint.left === undefined || hint.left === null ? '' : ` ${t('hint.left', { n: hint.left })}`;
    if (hint.card !== undefined && hint.card !== null) {
      const to = hint.to?.[0] === 'f' ? 'f' : hint.to;
      const pile = to === 'f' ? pileName('f', { table, near: 0, suit: suitOf(hint.card) }) : pileName(`0:${to}`, { table, near: 0 });
      board.showHint(hint.card, to);
      toast(t('hint.play', { card: cardName(hint.card), pile }) + left);
    } else {
      if (hint.do) board.showHint(null, 's');
      const cost = hint.do === 'recycle' ? ` ${t(hint.costs ? 'hint.costs' : 'hint.costsNothing', { n: hint.costs })}` : '';
      toast(hint.do ? t(`hint.${hint.do}`) + cost + left : t('hint.none'));
    }
  }

  /** What lies over the felt, as a key that tells when to build it anew. */
  function overKind() {
    const { table, away, seat, legal } = session.state;
    const view = session.view();
    if (!table) return '';
    if (away) return 'away';
    if (table.phase === 'countdown') return 'countdown';
    if (view?.tally?.paused && !view.outcome) return 'paused';
    const ended = Boolean(view?.outcome) || table.phase === 'between' || table.phase === 'over';
    if (!ended || hidden) return ended ? 'peek' : '';
    const facts = [table.phase, table.declined, JSON.stringify(table.rematch_terms), seat, table.games.length, legal === null, ...table.players.map((p) => `${p?.ready}${p?.rematch}${p?.present}`)];
    return `end ${facts.join(' ')} ${JSON.stringify(view?.outcome)}`;
  }

  function drawOver() {
    const kind = overKind();
    if (kind !== shownOver) {
      shownOver = kind;
      over.replaceChildren(...overNodes(kind));
      over.classList.toggle('on', kind !== '' && kind !== 'peek');
      el.classList.toggle('hide-cards', kind === 'paused');
      const title = kind.startsWith('end') ? over.querySelector('h2') : null;
      if (title) {
        title.tabIndex = -1; // not a button: the key that was to lay a card must not agree to the next game
        title.focus({ preventScroll: true });
      }
    }
    const digits = over.querySelector('.digits');
    const { table, clock } = session.state;
    if (digits && table && table.starts_at !== null) {
      digits.textContent = String(Math.max(1, Math.ceil((table.starts_at - clock.now()) / 1000)));
    }
  }

  /** @param {string} kind @returns {Node[]} */
  function overNodes(kind) {
    if (kind === 'away') {
      const back = h('button', { type: 'button', class: 'primary', 'data-act': 'take-back', onclick: () => app.takeBack() }, t('away.back'));
      return [h('div', { class: 'panel' }, h('h2', {}, t('away.title')), h('p', {}, t('away.text')), h('div', { class: 'buttons' }, back))];
    }
    if (kind === 'countdown') {
      return [h('div', { class: 'countdown', role: 'timer' }, h('small', {}, t('countdown.label')), h('div', { class: 'digits' }))];
    }
    if (kind === 'paused') {
      const go = h('button', { type: 'button', class: 'primary', 'data-act': 'unpause', onclick: () => app.play({ do: 'unpause' }) }, t('table.unpause'));
      return [h('div', { class: 'panel' }, h('h2', {}, t('table.paused')), h('div', { class: 'buttons' }, go))];
    }
    if (kind === 'peek') {
      const show = () => {
        hidden = false;
        refresh();
      };
      return [h('button', { type: 'button', class: 'peek primary', onclick: show }, t('common.ok'))];
    }
    const panel = kind.startsWith('end') ? endPanel(app, () => ((hidden = true), refresh())) : null;
    return panel ? [panel] : [];
  }

  let shownBanner = '';
  function drawBanner() {
    const { table, clock, seat } = session.state;
    const { key, nodes } = bannerOf(app, table, seat, clock.now(), session.view()?.tally?.moves ?? 0);
    if (key === shownBanner) return;
    shownBanner = key;
    banner.replaceChildren(...nodes);
    banner.hidden = nodes.length === 0;
    banner.classList.toggle('note', key === NOT_PROVEN);
  }

  function refresh() {
    hud.refresh();
    drawBanner();
    drawOver();
    lost.refresh();
    next.refresh();
    offers.refresh();
    const zones = board.state.laid?.zones;
    fill(centre, zones?.middle);
    if ('actions' in hud) fill(hud.actions, zones?.actions);
    el.dataset.phase = session.state.table?.phase ?? '';
    el.dataset.seat = String(session.state.seat ?? '');
    el.dataset.turn = String(session.view()?.turn?.seat ?? '');
  }
  const timer = setInterval(refresh, TICK);

  /** @param {Told} told */
  function hear(told) {
    if (told.kind === 'played') {
      const { table } = session.state;
      const foundations = session.state.position?.foundations.length ?? 8;
      if (table) {
        const at = { table, near: board.near(), foundations };
        announce(told.events.map((event) => eventText(event, at)).filter(Boolean).join(' '));
        for (const event of told.events) if (event.ev === 'ended') announce(reasonText({ winner: null, ...event.outcome }, table));
      }
      if (told.events.some((event) => event.ev === 'restored')) hidden = false;
      if (told.events.some((event) => event.ev === 'ended')) closeDialogs();
    }
    if (told.kind === 'refused') {
      toast(refusalText(told.refusal), 'bad');
      if (told.wish?.do === 'move') board.renderer.shake(told.wish.card);
    }
    if (told.kind === 'race' && session.state.table && told.race.winner === (session.state.seat ?? told.race.winner)) {
      toast(raceText(told.race, session.state.table, session.state.seat));
    }
    if (told.kind === 'hint') showHint(told.hint);
    board.hear(told);
    if (told.kind === 'changed') {
      keyboard.follow();
      refresh();
    }
  }

  return {
    el,
    hear,
    shown() {
      board.draw();
      refresh();
    },
    redraw: () => board.draw(),
    destroy() {
      clearInterval(timer);
      lost.destroy();
      board.destroy();
      keyboard.destroy();
    },
  };
}

/** @param {HTMLElement} el @param {import('../types.js').Rect | undefined} zone */
function fill({ style }, zone) {
  if (!zone) return;
  style.left = `${zone.x}px`;
  style.top = `${zone.y}px`;
  style.width = `${zone.w}px`;
  style.height = `${zone.h}px`;
}

/** @param {App} app @param {import('../types.js').Table | null} table @param {number | null} seat @param {number} now @param {number} moves */
function bannerOf(app, table, seat, now, moves) {
  if (!table) return { key: '', nodes: [] };
  if (table.notice === NOT_PROVEN && moves === 0) {
    return { key: NOT_PROVEN, nodes: [h('span', { 'data-out': 'notice' }, t('notice.not_proven_winnable'))] };
  }
  if (seat === null) return { key: 'watch', nodes: [h('span', {}, t('table.watching'))] };
  const rival = table.terms.type === 'duel' ? table.players[1 - seat] : null;
  if (rival && !rival.present && table.phase !== 'over' && table.phase !== 'gathering') {
    const name = playerName(table, 1 - seat);
    const time = rival.gone_until === null ? '…' : minutes(rival.gone_until - now);
    const waited = rival.waited_for;
    const text = waited ? t('absent.waiting', { name }) : t('absent.text', { name, time });
    const button = h('button', { type: 'button', 'data-act': 'wait', onclick: () => app.play({ do: 'wait', on: !waited }) }, t(waited ? 'absent.stop' : 'absent.wait'));
    return { key: `absent ${text}`, nodes: [h('span', {}, text), button] };
  }
  return offerBanner(app, table, seat) ?? { key: '', nodes: [] };
}

