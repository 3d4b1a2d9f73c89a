// The table under the player's hands: keeps what is selected, dragged and focused, turns gestures into wishes, and draws
// the session's view. Input never waits for a picture.

import { dropTarget, lifted, lights, tapped } from './aim.js';
import { announce } from './dom.js';
import { createDrag } from './drag.js';
import { find } from './evolve.js';
import { t } from './i18n.js';
import { layout } from './layout.js';
import { foundationFor } from './predict.js';
import { createRenderer } from './render.js';
import { cardName, deckName, passLimit, pileName } from './words.js';

/** @typedef {import('./types.js').Wish} Wish */
/** @typedef {import('./types.js').Layout} Layout */
/** @typedef {import('./drag.js').Spot} Spot */

const DOUBLE_TAP = 300;
/** A tap that follows a tap-move at the same place within this is the hand's tremble, not a wish. */
const ECHO = 250;
const ECHO_REACH = 24;

/**
 * @param {HTMLElement} felt
 * @param {ReturnType<typeof import('./session.js').createSession>} session
 * @param {() => import('./types.js').Settings} settings
 */
export function createBoard(felt, session, settings) {
  const renderer = createRenderer(felt);
  const state = {
    /** @type {Layout | null} */ laid: null,
    /** @type {number | null} */ selected: null,
    /** @type {{cards: number[], pile: string, dx: number, dy: number} | null} */ drag: null,
    lastTap: { card: /** @type {number | null} */ (null), moved: false, x: 0, y: 0, at: -Infinity },
    /** @type {Spot | null} a tap that waits for the list of legal targets */ queued: null,
    /** @type {{card: number | null, piles: string[]} | null} */ hint: null,
    frame: 0,
  };

  const near = () => session.state.seat ?? 0;
  /** @returns {import('./aim.js').Table | null} */
  const table = () => {
    const view = session.view();
    return view ? { view, seat: near(), legal: session.state.legal } : null;
  };
  const mine = () => session.state.seat !== null && !session.state.away;

  /** @param {Wish} wish */
  const play = (wish) => {
    state.selected = null;
    state.hint = null;
    const sent = session.play(wish);
    felt.dataset.flights = String(session.state.flights.length); // at once; the picture follows
    return sent;
  };

  /** Where the cards under the hand are. @returns {Map<number, {x: number, y: number}>} */
  function draggedSpots() {
    const spots = new Map();
    const { drag, laid } = state;
    if (!drag || !laid) return spots;
    for (const spot of laid.cards) {
      if (drag.cards.includes(spot.card)) spots.set(spot.card, { x: spot.x + drag.dx, y: spot.y + drag.dy });
    }
    return spots;
  }

  function draw() {
    cancelAnimationFrame(state.frame);
    state.frame = 0;
    const now = table();
    const about = session.state.table;
    const felt_ = { width: felt.clientWidth, height: felt.clientHeight };
    if (!now || !about || felt_.width === 0) return;
    const { view } = now;
    const laid = layout({ view, terms: about.terms, near: near() }, felt_, settings());
    state.laid = laid;
    if (state.selected !== null && lifted(now, state.selected).length === 0) state.selected = null;
    const top = state.drag?.cards[0] ?? state.selected;
    const held = new Set(state.drag?.cards ?? (state.selected === null ? [] : lifted(now, state.selected)));
    const duel = about.terms.type === 'duel';
    const up = top === null ? '' : foundationFor(view, top);
    const targets = top === null ? [] : lights(now, top, Object.keys(laid.piles));
    const lit = new Set(targets.filter((pile) => pile[0] !== 'f' || pile === up));
    if (state.hint && top === null) {
      if (state.hint.card !== null) for (const card of lifted(now, state.hint.card)) held.add(card);
      for (const pile of state.hint.piles) lit.add(pile);
    }
    const waiting = new Set(session.state.flights.filter((f) => f.do.do === 'move').map((f) => f.do.card));
    const at = { table: about, near: near() };
    /** @param {string} pile */
    const name = (pile) => pileName(pile, { ...at, suit: laid.piles[pile]?.suit ?? null });
    renderer.draw({
      laid,
      mark: (seat) => (duel ? (seat === near() ? 0 : 1) : null),
      lit,
      held,
      dragged: draggedSpots(),
      waiting,
      cardLabel: (spot) =>
        [cardName(spot.card), name(spot.pile), spot.card < 0 ? '' : deckName(spot.card, at)].filter(Boolean).join(', '),
      pileLabel: (pile) => {
        const count = laid.piles[pile]?.count ?? 0;
        if (stockIsDone(pile, now, laid)) return `${t('pile.empty', { pile: name(pile) })}, ${t('refusal.no_more_passes')}`;
        return count ? t('pile.count', { pile: name(pile), n: count }) : t('pile.empty', { pile: name(pile) });
      },
      pileNote: (pile) => pileNote(pile, now, laid),
      data: (spot) => ({
        targets: (now.legal?.moves[spot.card] ?? []).join(' '),
        tap: now.legal?.tap[spot.card] ?? '',
        double: now.legal?.double[spot.card] ?? '',
        index: String(spot.index),
      }),
    });
    felt.dataset.no = String(session.state.no ?? '');
    felt.dataset.flights = String(session.state.flights.length);
    felt.dataset.commands = (now.legal?.commands ?? []).join(' ');
    felt.dataset.ready = now.legal ? 'yes' : 'no';
    felt.dataset.shape = laid.shape;
  }

  /** The own stock is empty, and the waste may not be turned over any more. @param {string} pile @param {import('./aim.js').Table} now @param {Layout} laid */
  function stockIsDone(pile, now, laid) {
    const about = session.state.table;
    if (!about || pile !== `${now.seat}:s` || laid.piles[pile]?.count || !laid.piles[`${now.seat}:w`]?.count) return false;
    const limit = passLimit(about.terms);
    return limit !== null && (now.view.seats[now.seat]?.pass_number ?? 1) >= limit;
  }

  /** How many cards a stock or the own waste has, and what a tap on the empty stock does. @param {string} pile @param {import('./aim.js').Table} now @param {Layout} laid */
  function pileNote(pile, now, laid) {
    const count = laid.piles[pile]?.count ?? 0;
    if (pile === `${now.seat}:w`) return count > 1 ? String(count) : '';
    if (!pile.endsWith(':s')) return '';
    if (count) return String(count);
    if (pile !== `${now.seat}:s` || !laid.piles[`${now.seat}:w`]?.count) return '';
    return t(stockIsDone(pile, now, laid) ? 'table.stockDone' : 'table.stockRecycle');
  }

  const schedule = () => {
    if (!state.frame) state.frame = requestAnimationFrame(draw);
  };

  /** @param {Spot} spot */
  const runOf = (spot) => {
    const now = table();
    return now && mine() && spot.card !== null ? lifted(now, spot.card) : [];
  };

  const drag = createDrag(felt, {
    canLift: (spot) => runOf(spot).length > 0,
    onLift(spot) {
      state.selected = null;
      state.drag = { cards: runOf(spot), pile: spot.pile, dx: 0, dy: 0 };
      draw();
    },
    onDrag(dx, dy) {
      if (!state.drag) return;
      state.drag = { ...state.drag, dx, dy };
      renderer.drag(draggedSpots());
    },
    onDrop(spot, dx, dy) {
      const now = table();
      const { laid } = state;
      const from = laid?.cards.find(({ card }) => card === spot.card);
      state.drag = null;
      if (now && laid && from && spot.card !== null) {
        const rect = { x: from.x + dx, y: from.y + dy, w: laid.cardW * from.scale, h: laid.cardH * from.scale };
        const to = dropTarget(laid, now, spot.card, rect);
        if (to !== null) play({ do: 'move', card: spot.card, to });
      }
      draw();
    },
    onCancel() {
      state.drag = null;
      draw();
    },
    onTap: (spot, x, y) => tap(spot, x, y),
  });

  /** @param {Spot} spot @param {number} x @param {number} y */
  function tap(spot, x, y) {
    state.hint = null;
    const now = table();
    if (!now || !mine()) return;
    const at = performance.now();
    const { lastTap } = state;
    const close = Math.hypot(x - lastTap.x, y - lastTap.y) < ECHO_REACH;
    const stock = spot.pile.endsWith(':s');
    if (lastTap.moved && close && at - lastTap.at < ECHO && !stock) return;
    const again = spot.card !== null && spot.card === lastTap.card && !lastTap.moved && at - lastTap.at < DOUBLE_TAP;
    const moved = act(spot, now, again && settings().doubleTap);
    state.lastTap = { card: spot.card, moved: moved && !stock, x, y, at };
  }

  /** Do what a tap on `spot` means; true if it sent a wish. @param {Spot} spot @param {import('./aim.js').Table} now @param {boolean} double */
  function act(spot, now, double) {
    if (session.state.legal === null || session.state.flights.length) {
      const known = spot.card !== null && now.legal?.tap[spot.card];
      if (!known && !spot.pile.endsWith(':s') && state.selected === null) {
        state.queued = spot; // what it means is known when the answers are in
        return false;
      }
    }
    const meaning = tapped(now, spot, { selected: state.selected, double });
    if ('wish' in meaning) return play(meaning.wish);
    state.selected = meaning.select;
    if (meaning.select !== null) sayPicked(now, meaning.select);
    draw();
    return false;
  }

  /** @param {import('./aim.js').Table} now @param {number} card */
  function sayPicked(now, card) {
    const n = now.legal?.moves[card]?.length ?? 0;
    announce(t(n ? 'say.picked' : 'say.pickedNone', { card: cardName(card), n }));
  }

  const observer = new ResizeObserver(() => {
    drag.cancel();
    draw();
  });
  observer.observe(felt);

  return {
    state,
    renderer,
    draw,
    schedule,
    play,
    table,
    near,
    mine,
    cancelDrag: () => drag.cancel(),
    dragging: () => drag.active(),
    /** Take hold of a card by keyboard, or let go. @param {number | null} card */
    select(card) {
      const now = table();
      state.selected = now && card !== null && mine() && lifted(now, card).length ? card : null;
      if (now && state.selected !== null) sayPicked(now, state.selected);
      draw();
    },
    /** Show what a hint names, until the next action. @param {number | null} card @param {string} target of the wire, or `s` */
    showHint(card, target) {
      const { laid } = state;
      const at = table();
      if (!laid || !at) return;
      const piles = [target === 'f' && card !== null ? foundationFor(at.view, card) : `${near()}:${target}`];
      state.selected = null;
      state.hint = { card, piles };
      draw();
    },
    /** As if the spot was tapped, without a place. @param {Spot} spot */
    press(spot) {
      const now = table();
      return now && mine() ? act(spot, now, false) : false;
    },
    /** The session's news. @param {import('./types.js').Told} told */
    hear(told) {
      if (told.kind === 'played' && told.events.some((event) => event.ev === 'ended' || event.ev === 'restored')) {
        drag.cancel();
        state.selected = null;
        state.queued = null;
      }
      const dragged = state.drag?.cards[0];
      const now = table();
      if (dragged !== undefined && now && state.drag && !stillLies(now, state.drag)) drag.cancel();
      if (state.queued && now?.legal && session.state.flights.length === 0) {
        const spot = state.queued;
        state.queued = null;
        act(spot, now, false);
      }
      schedule();
    },
    /** @param {number} card */
    isMine(card) {
      const now = table();
      const at = now && find(now.view, card);
      return Boolean(at && (at.seat === null || at.seat === near()));
    },
    destroy() {
      observer.disconnect();
      drag.destroy();
      cancelAnimationFrame(state.frame);
      renderer.clear();
    },
  };
}

/** What is dragged still lies where it was lifted. @param {import('./aim.js').Table} now @param {{cards: number[], pile: string}} drag */
function stillLies(now, { cards, pile }) {
  const [card = -1] = cards;
  const at = find(now.view, card);
  return at !== null && pile === (at.seat === null ? at.pile : `${at.seat}:${at.pile}`) && sameRun(lifted(now, card), cards);
}

/** @param {number[]} a @param {number[]} b */
const sameRun = (a, b) => a.length === b.length && a.every((card, i) => card === b[i]);
