// Full play without a pointer. The focus moves between piles and cards; Enter takes hold and puts down.

import { lights, lifted } from './aim.js';
import { announce } from './dom.js';
import { t } from './i18n.js';
import { cardName } from './words.js';

/** @typedef {ReturnType<typeof import('./board.js').createBoard>} Board */
/** @typedef {{pile: string, index: number}} Cursor `index` of the card from the bottom; the top card by default */

/**
 * The piles in reading order, in rows as they lie: the own table, then the foundations, then the rival's.
 * @param {import('./types.js').Layout} laid @param {number} near
 */
export function rowsOf(laid, near) {
  const names = Object.keys(laid.piles);
  const columns = names.filter((name) => name.startsWith(`${near}:t`));
  const top = names.filter((name) => name[0] === 'f');
  const side = [`${near}:w`, `${near}:s`].filter((name) => name in laid.piles);
  const rival = names.filter((name) => name[0] !== 'f' && !name.startsWith(`${near}:`));
  /** @param {string} a @param {string} b */
  const byX = (a, b) => (laid.piles[a]?.x ?? 0) - (laid.piles[b]?.x ?? 0);
  const rows = [columns.sort(byX), side.sort(byX), top, rival.sort(byX)];
  return rows.filter((row) => row.length);
}

/**
 * @param {Board} board
 * @param {Record<string, () => void>} commands keys of one letter that are no matter of the cards
 */
export function createKeyboard(board, commands) {
  /** @type {Cursor} */
  let cursor = { pile: '0:t0', index: Infinity };

  const cardsAt = (/** @type {string} */ pile) =>
    (board.state.laid?.cards ?? []).filter((spot) => spot.pile === pile && spot.card >= 0);
  const spotAt = () => {
    const cards = cardsAt(cursor.pile);
    return cards.find((spot) => spot.index === cursor.index) ?? cards.at(-1) ?? null;
  };

  function focus() {
    const spot = spotAt();
    const el = spot ? board.renderer.element(spot.card) : board.renderer.pileElement(cursor.pile);
    el?.focus({ preventScroll: true });
  }

  /** @param {string} pile @param {number} [index] */
  function go(pile, index = Infinity) {
    cursor = { pile, index };
    focus();
  }

  /** @param {number} by */
  function sideways(by) {
    const { laid } = board.state;
    if (!laid) return;
    const row = rowsOf(laid, board.near()).find((names) => names.includes(cursor.pile));
    if (!row) return go(`${board.near()}:t0`);
    const at = row.indexOf(cursor.pile);
    go(row[(at + by + row.length) % row.length] ?? cursor.pile);
  }

  /** @param {number} by up or down: within a column first, then to the row above or below */
  function along(by) {
    const { laid } = board.state;
    if (!laid) return;
    const spot = spotAt();
    const cards = cardsAt(cursor.pile);
    if (spot && cursor.pile.includes(':t')) {
      const next = cards[cards.indexOf(spot) + by];
      if (next) return go(cursor.pile, next.index);
    }
    const rows = rowsOf(laid, board.near());
    const at = rows.findIndex((row) => row.includes(cursor.pile));
    const row = rows[(at - by + rows.length) % rows.length] ?? [];
    const x = laid.piles[cursor.pile]?.x ?? 0;
    const nearest = [...row].sort((a, b) => Math.abs((laid.piles[a]?.x ?? 0) - x) - Math.abs((laid.piles[b]?.x ?? 0) - x));
    if (nearest[0]) go(nearest[0]);
  }

  function enter() {
    const now = board.table();
    if (!now) return;
    const { selected } = board.state;
    if (cursor.pile.endsWith(':s')) {
      board.press({ card: null, pile: cursor.pile });
      return;
    }
    const spot = spotAt();
    if (selected !== null && selected !== spot?.card) {
      const [to] = lights(now, selected, [cursor.pile]);
      if (to) board.play({ do: 'move', card: selected, to: to[0] === 'f' ? 'f' : (to.split(':')[1] ?? '') });
      else if (spot && lifted(now, spot.card).length) board.select(spot.card);
      else toPile(selected, cursor.pile);
    } else if (selected !== null) {
      board.select(null);
      announce(t('say.put'));
    } else if (spot) board.select(spot.card);
  }

  /** Try a target that is not lit, to hear why not. @param {number} card @param {string} pile */
  function toPile(card, pile) {
    if (pile[0] === 'f') board.play({ do: 'move', card, to: 'f' });
    else if (pile.startsWith(`${board.near()}:t`)) board.play({ do: 'move', card, to: pile.split(':')[1] ?? '' });
  }

  /** @param {number} n column 1.. : the held card goes there, else the focus */
  function column(n) {
    const pile = `${board.near()}:t${n - 1}`;
    if (!board.state.laid?.piles[pile]) return;
    if (board.state.selected !== null) toPile(board.state.selected, pile);
    go(pile);
  }

  function foundation() {
    const card = board.state.selected ?? spotAt()?.card;
    if (card !== undefined && card !== null && board.isMine(card)) board.play({ do: 'move', card, to: 'f' });
  }

  /** The tap's own meaning for the focused card. */
  function send() {
    const spot = spotAt();
    if (spot) board.press({ card: spot.card, pile: cursor.pile });
    else board.press({ card: null, pile: cursor.pile });
  }

  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => sideways(-1),
    ArrowRight: () => sideways(1),
    ArrowUp: () => along(-1),
    ArrowDown: () => along(1),
    Home: () => go(`${board.near()}:t0`),
    Enter: enter,
    ' ': send,
    f: foundation,
    d: () => board.press({ card: null, pile: `${board.near()}:s` }),
    w: () => go(`${board.near()}:w`),
    Escape: () => {
      board.cancelDrag();
      board.select(null);
    },
    ...commands,
  };

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector('dialog[open]')) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest('input, select, textarea')) return;
    if ((event.key === 'Enter' || event.key === ' ') && target.closest('button, a')) return;
    const action = keys[event.key] ?? keys[event.key.toLowerCase()];
    if (action) action();
    else if (/^[1-9]$/.test(event.key)) column(Number(event.key));
    else return;
    event.preventDefault();
  }
  document.addEventListener('keydown', onKey);

  /** The player clicked or tabbed into a card: the cursor follows. @param {FocusEvent} event */
  function onFocus(event) {
    const el = event.target instanceof HTMLElement ? event.target.closest('[data-pile]') : null;
    if (el instanceof HTMLElement && el.dataset.pile) {
      cursor = { pile: el.dataset.pile, index: el.dataset.index === undefined ? Infinity : Number(el.dataset.index) };
    }
  }
  document.addEventListener('focusin', onFocus);

  return {
    /** After a redraw: a focused card that moved keeps the focus; the cursor follows it. */
    follow() {
      const el = document.activeElement;
      if (el instanceof HTMLElement && el.dataset.pile && el.classList.contains('card')) {
        cursor = { pile: el.dataset.pile, index: Number(el.dataset.index ?? 0) };
      }
    },
    label: () => (spotAt() ? cardName(/** @type {any} */ (spotAt()).card) : cursor.pile),
    destroy() {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('focusin', onFocus);
    },
  };
}
