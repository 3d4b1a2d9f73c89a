// Where the piles of a duel lie: the own table nearest, the rival's opposite and smaller, the foundations between.

/** @typedef {import('./layout.js').Plan} Plan */
/** @typedef {import('./types.js').Viewport} Viewport */

const RATIO = 1.4;

/**
 * @param {Viewport} felt @param {string} shape @param {number} near @param {import('./types.js').Terms} terms
 * @returns {Plan}
 */
export function duelPlan(felt, shape, near, terms) {
  const draws = [terms.draw[near] === 3, terms.draw[1 - near] === 3];
  if (shape === 'short') return shortPlan(felt, near, draws);
  return shape === 'tall' ? tallPlan(felt, near, draws) : widePlan(felt, near, draws);
}

/** `count` corners from `x` on. @param {number} count @param {number} x @param {number} y @param {number} stride */
const row = (count, x, y, stride) => Array.from({ length: count }, (_, i) => ({ x: x + i * stride, y }));

/** Eight in a row, a little more room between the suits. @param {number} middle @param {number} y @param {number} w @param {number} gap */
function eight(middle, y, w, gap) {
  const between = gap * 1.5;
  const total = 8 * w + 7 * gap + 3 * between;
  return Array.from({ length: 8 }, (_, i) => ({
    x: middle - total / 2 + i * (w + gap) + Math.floor(i / 2) * between,
    y,
  }));
}

/** A phone upright: rival, foundations, own columns, and at the thumb the own stock. @param {Viewport} felt @param {number} near @param {boolean[]} draws @returns {Plan} */
function tallPlan({ width, height }, near, [own3, rival3]) {
  const edge = 6;
  const stride = Math.min((width - 2 * edge) / 7, (height / 7.2 / RATIO) * 1.1);
  const gap = stride * 0.08;
  const cardW = stride - gap;
  const cardH = cardW * RATIO;
  const left = (width - 7 * stride + gap) / 2;
  const rivalScale = 0.62;
  const rivalW = cardW * rivalScale;
  const rivalStride = rivalW * 1.1;
  const rivalRoom = Math.max(cardH * rivalScale * 1.7, height * 0.185);
  const right = left + 7 * stride - gap;
  const gapF = 3;
  const foundationW = Math.min(cardW, (7 * stride - gap - 7 * gapF - 4.5 * gapF) / 8);
  const foundationY = 6 + rivalRoom + 8;
  const foundationH = foundationW * RATIO;
  const ownY = foundationY + foundationH + 14;
  const stockY = height - cardH - 8;
  return {
    cardW,
    foundationScale: foundationW / cardW,
    foundations: eight(width / 2, foundationY, foundationW, gapF),
    tables: [
      {
        seat: near,
        scale: 1,
        small: false,
        columns: row(7, left, ownY, stride),
        room: stockY - ownY - 10,
        stock: { x: right - cardW, y: stockY },
        waste: { x: right - cardW - stride - 4, y: stockY, fan: own3 ? cardW * 0.42 : 0 },
      },
      {
        seat: 1 - near,
        scale: rivalScale,
        small: true,
        columns: row(7, left, 6, rivalStride),
        room: rivalRoom,
        stock: { x: right - rivalW, y: 6 },
        waste: { x: right - 2 * rivalW - 5, y: 6, fan: rival3 ? rivalW * 0.42 : 0 },
      },
    ],
    zones: {
      actions: { x: left, y: stockY, w: right - left - 2 * stride - (own3 ? cardW * 0.9 : 4), h: cardH },
      middle: { x: 0, y: foundationY - 5, w: width, h: foundationH + 10 },
    },
  };
}

/** A desk: rival above, foundations between, own table below; stocks at the right, words at the left. @param {Viewport} felt @param {number} near @param {boolean[]} draws @returns {Plan} */
function widePlan({ width, height }, near, [own3, rival3]) {
  const toRight = 3.92 + 0.25 + (own3 ? 0.84 : 0) + 2.15; // from the middle of the columns to the stock's edge, in cards
  const cardW = Math.min(height * 0.112, (width - 160) / (3.92 + toRight), 118);
  const cardH = cardW * RATIO;
  const stride = cardW * 1.13;
  const middle = Math.min(width / 2, width - 12 - toRight * cardW);
  const rivalScale = 0.6;
  const rivalW = cardW * rivalScale;
  const rivalStride = rivalW * 1.13;
  const rivalRoom = height * 0.25;
  const foundationScale = 0.84;
  const foundationW = cardW * foundationScale;
  const foundationY = 8 + rivalRoom + 10;
  const foundationH = foundationW * RATIO;
  const ownY = foundationY + foundationH + 20;
  const left = middle - (7 * stride - (stride - cardW)) / 2;
  const right = left + 7 * stride;
  const rivalLeft = middle - (7 * rivalStride - (rivalStride - rivalW)) / 2;
  const rivalRight = rivalLeft + 7 * rivalStride;
  const ownFan = own3 ? cardW * 0.42 : 0;
  const rivalFan = rival3 ? rivalW * 0.42 : 0;
  const wasteX = right + cardW * 0.25 + 2 * ownFan;
  const rivalWasteX = rivalRight + rivalW * 0.35 + 2 * rivalFan;
  return {
    cardW,
    foundationScale,
    foundations: eight(middle, foundationY, foundationW, foundationW * 0.1),
    tables: [
      {
        seat: near,
        scale: 1,
        small: false,
        columns: row(7, left, ownY, stride),
        room: height - ownY - 10,
        stock: { x: wasteX + stride, y: ownY },
        waste: { x: wasteX, y: ownY, fan: ownFan },
      },
      {
        seat: 1 - near,
        scale: rivalScale,
        small: true,
        columns: row(7, rivalLeft, 8, rivalStride),
        room: rivalRoom,
        stock: { x: rivalWasteX + rivalStride, y: 8 },
        waste: { x: rivalWasteX, y: 8, fan: rivalFan },
      },
    ],
    zones: {
      actions: { x: 16, y: ownY, w: left - 32, h: cardH * 1.6 },
      middle: { x: 0, y: foundationY - 9, w: width, h: foundationH + 18 },
    },
  };
}

/**
 * A phone on its side: rival at the left, his columns in two rows so that his cards can be read; foundations in the middle
 * (two a suit); own table at the right.
 * @param {Viewport} felt @param {number} near @param {boolean[]} draws @returns {Plan}
 */
function shortPlan({ width, height }, near, [own3, rival3]) {
  const edge = 8;
  const stride = Math.min((width * 0.585) / (own3 ? 9.1 : 8.2), (height / 3.6 / RATIO) * 1.1);
  const cardW = stride * 0.92;
  const ownFan = own3 ? cardW * 0.42 : 0;
  const cardH = cardW * RATIO;
  const rowH = (height - edge) / 4;
  const foundationH = Math.min(cardH, rowH - 5);
  const foundationW = foundationH / RATIO;
  const stockX = width - edge - cardW;
  const left = stockX - 7 * stride - stride * 0.12 - 2 * ownFan;
  const foundationX = left - 12 - 2 * foundationW - 4;
  const fan = rival3 ? 0.2 : 0; // of the rival's waste, in cards
  const rivalStride = Math.min((foundationX - edge - 12) / (4 + 2 * fan), cardW * 0.86);
  const rivalW = rivalStride * 0.92;
  const rivalScale = rivalW / cardW;
  const half = (height - 3 * edge) / 2;
  const below = half + 2 * edge;
  const last = edge + (3 + 2 * fan) * rivalStride;
  return {
    cardW,
    foundationScale: foundationW / cardW,
    foundations: Array.from({ length: 8 }, (_, i) => ({
      x: foundationX + (i % 2) * (foundationW + 4),
      y: edge / 2 + Math.floor(i / 2) * rowH,
    })),
    tables: [
      {
        seat: near,
        scale: 1,
        small: false,
        columns: row(7, left, edge, stride),
        room: height - 2 * edge,
        stock: { x: stockX, y: height - edge - cardH },
        waste: { x: stockX, y: height - 2 * edge - 2 * cardH, fan: ownFan },
      },
      {
        seat: 1 - near,
        scale: rivalScale,
        small: true,
        columns: [...row(4, edge, edge, rivalStride), ...row(3, edge, below, rivalStride)],
        room: half,
        stock: { x: last, y: below },
        waste: { x: last, y: below + rivalW * RATIO + 6, fan: fan * rivalW },
      },
    ],
    zones: {
      actions: { x: stockX - 4, y: edge, w: cardW + 8, h: Math.max(30, height - 4 * edge - 2 * cardH) },
      middle: { x: foundationX - 6, y: 0, w: 2 * foundationW + 16, h: height },
    },
  };
}
