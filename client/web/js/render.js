// Draws a layout. One element a card, kept as long as the card is seen, so that cards move and never jump; a back that
// turns over becomes its card. Only styles that differ are touched.

import { HIDDEN } from './cards.js';
import { back, face, suitIcon } from './faces.js';

/** @typedef {import('./types.js').CardSpot} CardSpot */
/** @typedef {import('./types.js').Layout} Layout */

const FULL_FACE_FROM = 62; // pixels of width
const SETTLE = 260;

/**
 * @typedef {object} Picture what to draw
 * @property {Layout} laid
 * @property {(seat: number) => number | null} mark whose deck: 0 the nearer, 1 the other, `null` no matter
 * @property {Set<string>} lit piles that light up
 * @property {Set<number>} held cards selected or dragged
 * @property {Map<number, {x: number, y: number}>} dragged where dragged cards are
 * @property {Set<number>} waiting cards whose play is under way
 * @property {(spot: CardSpot) => string} cardLabel
 * @property {(pile: string) => string} pileLabel
 * @property {(pile: string) => string} pileNote what stands in an empty pile
 * @property {(spot: CardSpot) => Record<string, string>} data
 */

/** @typedef {{el: HTMLElement, spot: CardSpot, look: string, z: number}} Kept */

/** @param {HTMLElement} el @param {string} name @param {string} value */
const attribute = (el, name, value) => {
  if (el.getAttribute(name) !== value) el.setAttribute(name, value);
};

/** @param {HTMLElement} felt */
export function createRenderer(felt) {
  /** @type {Map<string, Kept>} */
  const kept = new Map();
  /** @type {Map<string, HTMLElement>} */
  const piles = new Map();
  /** @type {Map<string, number>} cards in each pile when last drawn */
  const counts = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let settling;

  /** @param {CardSpot} spot @param {{x: number, y: number} | undefined} at */
  const place = (spot, at) => {
    const { x, y } = at ?? spot;
    return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${spot.scale.toFixed(4)})`;
  };

  /** @param {Picture} picture */
  function drawPiles(picture) {
    for (const pile of Object.values(picture.laid.piles)) {
      let el = piles.get(pile.pile);
      if (!el) {
        el = document.createElement('div');
        el.className = 'pile';
        el.dataset.pile = pile.pile;
        el.setAttribute('role', 'button');
        el.tabIndex = -1;
        el.innerHTML = pile.suit === null ? '<span class="note"></span>' : suitIcon(pile.suit);
        piles.set(pile.pile, el);
        felt.append(el);
      }
      const transform = `translate(${pile.x.toFixed(1)}px, ${pile.y.toFixed(1)}px) scale(${pile.scale.toFixed(4)})`;
      if (el.style.transform !== transform) el.style.transform = transform;
      attribute(el, 'data-count', String(pile.count));
      attribute(el, 'aria-label', picture.pileLabel(pile.pile));
      el.classList.toggle('lit', picture.lit.has(pile.pile));
      const note = el.querySelector('.note');
      const text = picture.pileNote(pile.pile);
      if (note && note.textContent !== text) note.textContent = text;
    }
  }

  /** The element that is to be `spot`'s, with where it comes from. @param {CardSpot} spot @param {Picture} picture */
  function adopt(spot, picture) {
    const old = kept.get(spot.key);
    if (old) return old;
    const slot = `${spot.pile}:${spot.index}`;
    const turning = spot.card === HIDDEN ? undefined : kept.get(slot);
    if (turning) {
      kept.delete(slot);
      turning.el.classList.add('turning');
      setTimeout(() => turning.el.classList.remove('turning'), SETTLE);
      kept.set(spot.key, turning);
      return turning;
    }
    const el = document.createElement('div');
    el.className = 'card';
    el.tabIndex = -1;
    const fresh = { el, spot, look: '', z: -1 };
    const stock = picture.laid.piles[`${spot.seat}:s`];
    const drawn = spot.pile.endsWith(':w') && stock && spot.index >= (counts.get(spot.pile) ?? Infinity);
    el.style.transform = place(spot, drawn ? stock : undefined);
    if (!drawn) {
      fresh.z = spot.z; // uncovered, or dealt: it has been here
      el.style.zIndex = String(spot.z);
      if (!counts.has(spot.pile) || spot.pile.includes(':t')) el.classList.add('appearing');
    }
    kept.set(spot.key, fresh);
    felt.append(el);
    return fresh;
  }

  /** @param {Kept} card @param {CardSpot} spot @param {Picture} picture */
  function dress(card, spot, picture) {
    const { el } = card;
    const mark = picture.mark(spot.seat);
    const plain = spot.small || picture.laid.cardW * spot.scale < FULL_FACE_FROM;
    const look = `${spot.card} ${plain} ${spot.side} ${mark}`;
    if (card.look !== look) {
      card.look = look;
      el.innerHTML = spot.card === HIDDEN ? back(mark) : face(spot.card, { plain, side: spot.side, mark });
      el.classList.toggle('down', spot.card === HIDDEN);
      if (spot.card === HIDDEN) delete el.dataset.card;
      else el.dataset.card = String(spot.card);
    }
    el.dataset.pile = spot.pile;
    attribute(el, 'aria-label', picture.cardLabel(spot));
    if (spot.card === HIDDEN) attribute(el, 'aria-hidden', 'true');
    else {
      attribute(el, 'role', 'button');
      el.removeAttribute('aria-hidden');
    }
    for (const [name, value] of Object.entries(picture.data(spot))) attribute(el, `data-${name}`, value);
    el.classList.toggle('unturned', Boolean(spot.unturned));
    el.classList.toggle('held', picture.held.has(spot.card));
    el.classList.toggle('waiting', picture.waiting.has(spot.card));
    const pile = picture.laid.piles[spot.pile];
    el.classList.toggle('lit', picture.lit.has(spot.pile) && spot.index === (pile?.count ?? 0) - 1);
  }

  /** @param {Set<string>} wanted @param {Picture} picture */
  function removeOthers(wanted, picture) {
    for (const [key, { el, spot }] of kept) {
      if (wanted.has(key)) continue;
      kept.delete(key);
      const stock = picture.laid.piles[`${spot.seat}:s`];
      const buried = spot.card !== HIDDEN && spot.index < (picture.laid.piles[spot.pile]?.count ?? 0);
      const back = spot.pile.endsWith(':w') && stock && stock.count > (counts.get(stock.pile) ?? Infinity);
      if (!buried && !back) {
        el.remove();
        continue;
      }
      if (back) el.style.transform = place(spot, stock);
      el.classList.add('leaving'); // until what covers it has arrived, or it is back on the stock
      setTimeout(() => el.remove(), SETTLE);
    }
  }

  /** @param {Kept} card @param {number} z */
  const stack = (card, z) => {
    if (card.z === z) return;
    card.z = z;
    card.el.style.zIndex = String(z);
  };

  return {
    /** @param {Picture} picture */
    draw(picture) {
      const { laid } = picture;
      felt.style.setProperty('--card-w', `${laid.cardW.toFixed(2)}px`);
      felt.style.setProperty('--card-h', `${laid.cardH.toFixed(2)}px`);
      drawPiles(picture);
      const wanted = new Set(laid.cards.map((spot) => spot.key));
      const cards = laid.cards.map((spot) => adopt(spot, picture));
      removeOthers(wanted, picture);
      if (felt.querySelector('.card:not([style*="z-index"])')) felt.getBoundingClientRect(); // new ones start from here
      laid.cards.forEach((spot, i) => {
        const card = /** @type {Kept} */ (cards[i]);
        const at = picture.dragged.get(spot.card);
        const moved = card.spot.pile !== spot.pile || card.z === -1; // a card on its way lies over all that rest
        card.spot = spot;
        dress(card, spot, picture);
        card.el.classList.toggle('drag', at !== undefined);
        const transform = place(spot, at);
        if (card.el.style.transform !== transform) card.el.style.transform = transform;
        if (at) stack(card, 2000 + spot.z);
        else if (moved) stack(card, 1000 + spot.z);
        else if (card.z < 1000) stack(card, spot.z);
      });
      for (const pile of Object.values(laid.piles)) counts.set(pile.pile, pile.count);
      clearTimeout(settling);
      settling = setTimeout(() => {
        for (const card of kept.values()) {
          card.el.classList.remove('appearing');
          if (!card.el.classList.contains('drag')) stack(card, card.spot.z);
        }
      }, SETTLE);
    },
    /** Only the dragged cards moved. @param {Picture['dragged']} dragged */
    drag(dragged) {
      for (const [card, at] of dragged) {
        const held = kept.get(`c${card}`);
        if (held) held.el.style.transform = place(held.spot, at);
      }
    },
    /** @param {number} card */
    element: (card) => kept.get(`c${card}`)?.el ?? null,
    /** @param {string} pile */
    pileElement: (pile) => piles.get(pile) ?? null,
    /** Shake a card: its play was refused. @param {number} card */
    shake(card) {
      const el = kept.get(`c${card}`)?.el;
      if (!el) return;
      el.classList.remove('refused');
      el.getBoundingClientRect();
      el.classList.add('refused');
      setTimeout(() => el.classList.remove('refused'), 400);
    },
    clear() {
      clearTimeout(settling);
      kept.clear();
      piles.clear();
      counts.clear();
      felt.replaceChildren();
    },
  };
}
