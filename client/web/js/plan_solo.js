// Where the piles of a solo game lie: Klondike with seven columns, the two-deck game with nine.

/** @typedef {import('./layout.js').Plan} Plan */

const RATIO = 1.4;
const EDGE = 6;

/** The widest card such that `high` cards and `wide` columns fit. @param {number} width @param {number} height @param {number} wide @param {number} high */
const fit = (width, height, wide, high) => Math.min(width / wide, height / high / RATIO);

/**
 * @param {import('./types.js').Viewport} felt @param {string} shape
 * @param {import('./types.js').Position} view @param {import('./types.js').Terms} terms
 * @returns {Plan}
 */
export function soloPlan(felt, shape, view, terms) {
  const columns = view.seats[0]?.columns.length ?? 7;
  const draw3 = terms.draw === 3;
  if (shape === 'short' || (columns === 9 && shape === 'wide')) return sidePlan(felt, columns, view, draw3);
  return columns === 9 ? twoRowPlan(felt, draw3) : topRowPlan(felt, draw3);
}

/** Klondike: foundations, waste and stock in a row above the columns. @param {import('./types.js').Viewport} felt @param {boolean} draw3 @returns {Plan} */
function topRowPlan({ width, height }, draw3) {
  const stride = Math.min((width - 2 * EDGE) / 7, (height / 4.6 / RATIO) * 1.12);
  const gap = Math.max(4, stride * 0.1);
  const cardW = stride - gap;
  const cardH = cardW * RATIO;
  const left = (width - 7 * stride + gap) / 2;
  const x = (/** @type {number} */ i) => left + i * stride;
  const top = Math.max(8, cardH * 0.1);
  const y = top + cardH + Math.max(12, cardH * 0.2);
  return {
    cardW,
    foundationScale: 1,
    foundations: [0, 1, 2, 3].map((i) => ({ x: x(i), y: top })),
    tables: [
      {
        seat: 0,
        scale: 1,
        small: false,
        columns: Array.from({ length: 7 }, (_, i) => ({ x: x(i), y })),
        room: height - y - 8,
        stock: { x: x(6), y: top },
        waste: { x: x(5), y: top, fan: draw3 ? stride * 0.46 : 0 },
      },
    ],
    zones: {},
  };
}

/** Two decks on a phone upright: a row of eight foundations, a row for waste and stock, then the columns. @param {import('./types.js').Viewport} felt @param {boolean} draw3 @returns {Plan} */
function twoRowPlan({ width, height }, draw3) {
  const stride = Math.min((width - 2 * 4) / 9, (height / 5.4 / RATIO) * 1.1);
  const gap = Math.max(3, stride * 0.08);
  const cardW = stride - gap;
  const cardH = cardW * RATIO;
  const left = (width - 9 * stride + gap) / 2;
  const x = (/** @type {number} */ i) => left + i * stride;
  const step = (9 * stride - gap - cardW) / 7.6;
  const top = 8;
  const second = top + cardH + 10;
  const y = second + cardH + 14;
  return {
    cardW,
    foundationScale: 1,
    foundations: Array.from({ length: 8 }, (_, i) => ({ x: left + i * step + Math.floor(i / 2) * step * 0.2, y: top })),
    tables: [
      {
        seat: 0,
        scale: 1,
        small: false,
        columns: Array.from({ length: 9 }, (_, i) => ({ x: x(i), y })),
        room: height - y - 8,
        stock: { x: x(8), y: second },
        waste: { x: x(7), y: second, fan: draw3 ? cardW * 0.42 : 0 },
      },
    ],
    zones: {},
  };
}

/**
 * Foundations at the left (a row of two places a suit, or four below each other), columns, waste and stock at the right.
 * @param {import('./types.js').Viewport} felt @param {number} columns @param {import('./types.js').Position} view @param {boolean} draw3
 * @returns {Plan}
 */
function sidePlan({ width, height }, columns, view, draw3) {
  const perRow = view.foundations.length / 4;
  const edge = 10;
  const rowH = (height - edge) / 4;
  const piles = columns + perRow + 1.5 + (draw3 ? 0.84 : 0);
  const cardW = Math.min(fit(width - 4 * edge, height - 2 * edge, piles * 1.1, 3.3), 120);
  const gap = cardW * 0.11;
  const cardH = cardW * RATIO;
  const foundationScale = Math.min(1, (rowH - 6) / cardH);
  const stride = cardW + gap;
  const blockW = perRow * (cardW * foundationScale + gap);
  const fanW = draw3 ? cardW * 0.42 : 0;
  const total = blockW + columns * stride + cardW + 2 * fanW + stride * 0.7;
  const left = Math.max(edge, (width - total) / 2);
  const tableau = left + blockW + stride * 0.3;
  const stockX = tableau + columns * stride + stride * 0.3 + 2 * fanW;
  const rows = Math.min(rowH, cardH * foundationScale + 14);
  return {
    cardW,
    foundationScale,
    foundations: view.foundations.map((_, i) => ({
      x: left + (i % perRow) * (cardW * foundationScale + gap),
      y: edge + Math.floor(i / perRow) * rows,
    })),
    tables: [
      {
        seat: 0,
        scale: 1,
        small: false,
        columns: Array.from({ length: columns }, (_, i) => ({ x: tableau + i * stride, y: edge })),
        room: height - 2 * edge,
        stock: { x: stockX, y: edge },
        waste: { x: stockX, y: edge + cardH + 14, fan: fanW },
      },
    ],
    zones: {},
  };
}
