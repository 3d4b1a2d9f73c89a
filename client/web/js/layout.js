// Geometry: where each card and pile of a view lies on a felt of so many pixels. Pure: no DOM, no rules, no clock.
//
// Piles are named `seat:pile` (`0:t3`, `1:w`, `0:s`) and, shared by all, `f0`..`f7`. The nearer table is `near`'s.

import { deckOf, foundationSuit, HIDDEN } from './cards.js';
import { duelPlan } from './plan_duel.js';
import { soloPlan } from './plan_solo.js';

/** @typedef {import('./types.js').Layout} Layout */
/** @typedef {import('./types.js').Rect} Rect */
/** @typedef {import('./types.js').Position} Position */

/** Height of a card over its width. */
export const RATIO = 1.4;
/** A covered card shows so much of its height: face down, face up, and at the least when a column is crowded. */
const FAN = { down: 0.13, up: 0.36, leastDown: 0.04, leastUp: 0.13 };

/**
 * @typedef {object} Plan what a variant's plan decides: sizes and corners; `x` of a waste is its top card's
 * @property {number} cardW
 * @property {{seat: number, scale: number, columns: {x: number, y: number}[], room: number, stock: {x: number, y: number},
 *   waste: {x: number, y: number, fan: number}, small: boolean}[]} tables
 * @property {{x: number, y: number}[]} foundations
 * @property {number} foundationScale
 * @property {Record<string, Rect>} zones
 */

/**
 * `tall`: a phone upright. `short`: a phone on its side. `wide`: the rest.
 * @param {import('./types.js').Viewport} felt
 */
export function shapeOf({ width, height }) {
  if (width < height * 0.95) return 'tall';
  return height < 460 ? 'short' : 'wide';
}

/**
 * The offsets of a column's cards from its top, so that it fits into `room` if it can.
 * @param {number} cards @param {number} down @param {number} cardH @param {number} room
 */
export function fan(cards, down, cardH, room) {
  const covered = Math.max(0, cards - 1);
  const downs = Math.min(down, covered);
  const ups = covered - downs;
  let downStep = FAN.down * cardH;
  let upStep = FAN.up * cardH;
  const spare = Math.max(0, room - cardH);
  if (downs * downStep + ups * upStep > spare && covered > 0) {
    downStep = Math.max(FAN.leastDown * cardH, Math.min(downStep, (spare - ups * upStep) / Math.max(1, downs)));
    upStep = ups ? Math.min(upStep, Math.max(FAN.leastUp * cardH, (spare - downs * downStep) / ups)) : upStep;
  }
  return Array.from({ length: cards }, (_, i) => Math.min(i, downs) * downStep + Math.max(0, i - downs) * upStep);
}

/** @param {number} cardW @param {number} cardH */
function createSheet(cardW, cardH) {
  /** @type {Layout['cards']} */
  const cards = [];
  /** @type {Layout['piles']} */
  const piles = {};
  return {
    cards,
    piles,
    /** @param {string} pile @param {number} x @param {number} y @param {number} scale @param {number} count @param {number | null} suit */
    pile(pile, x, y, scale, count, suit = null) {
      const rect = { x, y, w: cardW * scale, h: cardH * scale };
      piles[pile] = { pile, ...rect, scale, suit, count, cards: { ...rect } };
    },
    /** @param {Omit<Layout['cards'][number], 'key'> & {key?: string}} spot */
    card(spot) {
      const key = spot.key ?? (spot.card === HIDDEN ? `${spot.pile}:${spot.index}` : `c${spot.card}`);
      cards.push({ ...spot, key });
      const area = /** @type {Layout['piles'][string]} */ (piles[spot.pile]).cards;
      const right = Math.max(area.x + area.w, spot.x + cardW * spot.scale);
      const bottom = Math.max(area.y + area.h, spot.y + cardH * spot.scale);
      area.x = Math.min(area.x, spot.x);
      area.w = right - area.x;
      area.h = bottom - area.y;
    },
  };
}

/** @param {ReturnType<typeof createSheet>} sheet @param {Position} p @param {Plan['tables'][number]} table @param {number} cardH */
function layTable(sheet, p, table, cardH) {
  const { seat, scale, small } = table;
  const own = p.seats[seat];
  if (!own) return;
  const h = cardH * scale;
  own.columns.forEach((cards, i) => {
    const pile = `${seat}:t${i}`;
    const { x, y } = table.columns[i] ?? { x: 0, y: 0 };
    const down = own.down[i] ?? 0;
    const hidden = cards.filter((card) => card === HIDDEN).length; // an open one needs room to be read, turned or not
    const offsets = fan(cards.length, hidden, h, table.room);
    sheet.pile(pile, x, y, scale, cards.length);
    cards.forEach((card, index) => {
      const dy = offsets[index] ?? 0;
      const shown = index === cards.length - 1 ? h : (offsets[index + 1] ?? 0) - dy;
      const face = { down: card === HIDDEN, unturned: card !== HIDDEN && index < down, small, shown, side: false };
      sheet.card({ card, pile, seat, index, x, y: y + dy, z: index + 1, scale, ...face });
    });
  });
  layStock(sheet, own, table, h);
  layWaste(sheet, own, table, h);
}

/** @param {ReturnType<typeof createSheet>} sheet @param {import('./types.js').Seat} own @param {Plan['tables'][number]} table @param {number} h */
function layStock(sheet, own, { seat, scale, small, stock }, h) {
  const pile = `${seat}:s`;
  sheet.pile(pile, stock.x, stock.y, scale, own.stock.length);
  const backs = Math.min(3, own.stock.length);
  for (let i = 0; i < backs; i += 1) {
    const lift = i * 1.5 * scale;
    const index = own.stock.length - backs + i;
    const spot = { key: `${pile}:${i}`, card: HIDDEN, pile, seat, index, x: stock.x - lift, y: stock.y - lift };
    sheet.card({ ...spot, z: i + 1, scale, down: true, small, shown: h, side: false });
  }
}

/** @param {ReturnType<typeof createSheet>} sheet @param {import('./types.js').Seat} own @param {Plan['tables'][number]} table @param {number} h */
function layWaste(sheet, own, { seat, scale, small, waste }, h) {
  const pile = `${seat}:w`;
  const count = own.waste.length;
  sheet.pile(pile, waste.x, waste.y, scale, count);
  const fanned = waste.fan ? 3 : 1;
  for (let index = Math.max(0, count - fanned - 1); index < count; index += 1) {
    const behind = Math.min(fanned - 1, count - 1 - index);
    const x = waste.x - behind * waste.fan;
    const card = /** @type {number} */ (own.waste[index]);
    const look = { down: card === HIDDEN, small, shown: h, side: behind > 0 && waste.fan > 0 };
    sheet.card({ card, pile, seat, index, x, y: waste.y, z: index + 1, scale, ...look });
  }
}

/**
 * @param {object} game
 * @param {Position} game.view
 * @param {import('./types.js').Terms} game.terms
 * @param {number} game.near the seat whose table is the nearer one
 * @param {import('./types.js').Viewport} felt
 * @param {{leftHand: boolean}} options
 * @returns {Layout}
 */
export function layout({ view, terms, near }, felt, { leftHand }) {
  const shape = shapeOf(felt);
  const drawn = terms.type === 'duel' ? duelPlan(felt, shape, near, terms) : soloPlan(felt, shape, view, terms);
  const plan = leftHand ? mirrored(drawn, felt.width) : drawn;
  const cardH = plan.cardW * RATIO;
  const sheet = createSheet(plan.cardW, cardH);
  const count = view.foundations.length;
  view.foundations.forEach((cards, i) => {
    const { x, y } = plan.foundations[i] ?? { x: 0, y: 0 };
    const scale = plan.foundationScale;
    sheet.pile(`f${i}`, x, y, scale, cards.length, foundationSuit(i, count));
    for (let index = Math.max(0, cards.length - 2); index < cards.length; index += 1) {
      const card = /** @type {number} */ (cards[index]);
      const spot = { card, pile: `f${i}`, seat: deckOf(card), index, x, y, z: index + 1, scale, small: false };
      sheet.card({ ...spot, down: false, shown: cardH * scale, side: false });
    }
  });
  for (const table of plan.tables) layTable(sheet, view, table, cardH);
  return { cardW: plan.cardW, cardH, cards: sheet.cards, piles: sheet.piles, zones: plan.zones, shape };
}

/**
 * The same plan for the other hand: sides change, the order of columns, foundations and fanned cards does not.
 * @param {Plan} plan @param {number} width @returns {Plan}
 */
function mirrored(plan, width) {
  /** @param {{x: number, y: number}[]} spots @param {number} w */
  const flipRow = (spots, w) => {
    return spots.map((spot) => {
      const xs = spots.filter(({ y }) => y === spot.y).map(({ x }) => x); // each row for itself: they may differ in length
      return { ...spot, x: spot.x + width - Math.max(...xs) - w - Math.min(...xs) };
    });
  };
  const zones = Object.entries(plan.zones).map(([name, zone]) => [name, { ...zone, x: width - zone.x - zone.w }]);
  return {
    ...plan,
    foundations: flipRow(plan.foundations, plan.cardW * plan.foundationScale),
    tables: plan.tables.map((table) => {
      const w = plan.cardW * table.scale;
      const waste = { ...table.waste, x: width - table.waste.x - w + 2 * table.waste.fan };
      const stock = { ...table.stock, x: width - table.stock.x - w };
      return { ...table, columns: flipRow(table.columns, w), stock, waste };
    }),
    zones: Object.fromEntries(zones),
  };
}
