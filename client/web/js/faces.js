// The faces and backs of the cards, drawn here as SVG text. A card is 100 by 140 units.

import { RANKS, rankOf, suitOf } from './cards.js';

/** Suit shapes in a box of 100 by 100. */
const SUIT_PATHS = [
  'M50 4C56 20 92 42 92 66C92 82 80 90 69 90C62 90 57 87 54 82C55 90 59 95 66 98H34C41 95 45 90 46 82C43 87 38 90 31 90C20 90 8 82 8 66C8 42 44 20 50 4Z',
  'M50 96C44 80 6 56 6 30C6 15 17 5 29 5C38 5 46 10 50 19C54 10 62 5 71 5C83 5 94 15 94 30C94 56 56 80 50 96Z',
  'M50 2C58 20 72 38 88 50C72 62 58 80 50 98C42 80 28 62 12 50C28 38 42 20 50 2Z',
  'M50 4C63 4 72 13 72 25C72 32 69 37 65 41C68 39 72 38 76 38C88 38 97 47 97 59C97 71 88 80 76 80C66 80 58 75 54 67C55 83 58 92 66 98H34C42 92 45 83 46 67C42 75 34 80 24 80C12 80 3 71 3 59C3 47 12 38 24 38C28 38 32 39 35 41C31 37 28 32 28 25C28 13 37 4 50 4Z',
];

/** A suit as a symbol of its own. @param {number} suit */
export const suitIcon = (suit) =>
  `<svg class="suit s${suit}" viewBox="0 0 100 100" aria-hidden="true"><path d="${SUIT_PATHS[suit]}"/></svg>`;

/** @param {number} suit @param {number} x @param {number} y @param {number} size @param {boolean} [turned] */
function pip(suit, x, y, size, turned = false) {
  const scale = size / 100;
  const at = `translate(${x} ${y})${turned ? ' rotate(180)' : ''} scale(${scale}) translate(-50 -50)`;
  return `<path transform="${at}" d="${SUIT_PATHS[suit]}"/>`;
}

/** Where the pips of 2..10 stand, about the middle of the card: across and from the top. */
const L = -21;
const M = 0;
const R = 21;
/** @type {Record<number, [number, number][]>} */
const PIPS = {
  2: [[M, 52], [M, 120]],
  3: [[M, 50], [M, 85], [M, 120]],
  4: [[L, 52], [R, 52], [L, 120], [R, 120]],
  5: [[L, 52], [R, 52], [M, 86], [L, 120], [R, 120]],
  6: [[L, 50], [R, 50], [L, 85], [R, 85], [L, 120], [R, 120]],
  7: [[L, 50], [R, 50], [M, 67.5], [L, 85], [R, 85], [L, 120], [R, 120]],
  8: [[L, 50], [R, 50], [M, 67.5], [L, 85], [R, 85], [M, 102.5], [L, 120], [R, 120]],
  9: [[L, 48], [R, 48], [L, 73], [R, 73], [M, 85.5], [L, 98], [R, 98], [L, 123], [R, 123]],
  10: [[L, 48], [R, 48], [M, 60.5], [L, 73], [R, 73], [L, 98], [R, 98], [M, 110.5], [L, 123], [R, 123]],
};

/** The upper half of a court card's figure above (0, 0): a head-dress. Jack: feathered cap; queen: coronet; king: crown. @type {Record<number, string>} */
const COURTS = {
  11: '<path d="M-17 -10C-18 -24 -8 -29 3 -28C13 -27 17 -20 17 -10Z"/><path d="M8 -27C13 -36 22 -38 27 -34C21 -32 18 -26 13 -21Z" class="trim"/><rect x="-19" y="-12" width="38" height="6" rx="3" class="trim"/>',
  12: '<path d="M-17 -9L-20 -27L-10 -19L0 -31L10 -19L20 -27L17 -9Z"/><circle cx="-20" cy="-29" r="3" class="trim"/><circle cx="0" cy="-33" r="3.4" class="trim"/><circle cx="20" cy="-29" r="3" class="trim"/><rect x="-18" y="-11" width="36" height="5.4" rx="2.6" class="trim"/>',
  13: '<path d="M-17 -9C-25 -17 -24 -27 -15 -28C-8 -29 -3 -25 0 -19C3 -25 8 -29 15 -28C24 -27 25 -17 17 -9Z"/><path d="M-2 -29V-33H-6V-37H-2V-41H2V-37H6V-33H2V-29Z" class="trim"/><path d="M-2 -30H2V-12H-2Z" class="trim"/><rect x="-19" y="-11" width="38" height="6" rx="2" class="trim"/>',
};

/** @param {number} suit @param {number} rank @param {number} middle */
function court(suit, rank, middle) {
  const half = `<g class="figure">${COURTS[rank]}</g>`;
  const frame = '<rect x="-31" y="-46" width="62" height="92" rx="6" class="frame"/>';
  const shape = `${frame}<g transform="translate(0 -3)">${half}</g><g transform="rotate(180) translate(0 -3)">${half}</g>`;
  return `<g transform="translate(${middle} 86)">${shape}<rect x="-31" y="-1" width="62" height="2" class="belt"/>${pip(suit, 0, 0, 20)}</g>`;
}

/** @param {number} rank @param {number} x @param {number} y @param {number} size */
function index(rank, x, y, size) {
  const text = RANKS[rank - 1] ?? '';
  const squeeze = text === '10' ? ` textLength="${size * 0.98}" lengthAdjust="spacingAndGlyphs"` : '';
  return `<text x="${x}" y="${y}" font-size="${size}"${squeeze}>${text}</text>`;
}

/** For small cards: what matters, as large as it can be. @param {number} suit @param {number} rank @param {number} right */
function plainFace(suit, rank, right) {
  return `${index(rank, 6, 41, 46)}${pip(suit, right - 21, 25, 34)}${pip(suit, right / 2, 94, 64)}`;
}

/** For a card of which only the left edge shows: its suit under its rank. @param {number} suit @param {number} rank @param {number} right */
function sideFace(suit, rank, right) {
  return `${index(rank, 6, 41, 44)}${pip(suit, 22, 68, 32)}${pip(suit, right / 2 + 16, 96, 46)}`;
}

/** For large cards: index, pips, figures. @param {number} suit @param {number} rank @param {number} right */
function fullFace(suit, rank, right) {
  const middle = right / 2;
  const corner = `${index(rank, 6, 29, 32)}${pip(suit, rank === 10 ? 51 : 42, 18, 22)}`;
  if (rank === 1) return corner + pip(suit, middle, 86, 54);
  if (rank > 10) return corner + court(suit, rank, middle);
  const size = rank > 8 ? 20 : 24;
  return corner + (PIPS[rank] ?? []).map(([x, y]) => pip(suit, middle + x, y, size, y > 86)).join('');
}

/** The mark of a duel deck along the right edge: dots for the nearer seat's, slanted bars for the other's. @param {number} mark */
function band(mark) {
  if (mark === 0) {
    const dots = Array.from({ length: 9 }, (_, i) => `<circle cx="94.4" cy="${11 + i * 14.7}" r="2.7"/>`).join('');
    return `<g class="band near"><path d="M89 0H93Q100 0 100 7V133Q100 140 93 140H89Z" class="ground"/>${dots}</g>`;
  }
  const bars = Array.from({ length: 14 }, (_, i) => `<path d="M89 ${12 + i * 10}L100 ${2 + i * 10}V${7 + i * 10}L89 ${17 + i * 10}Z"/>`);
  return `<g class="band far"><path d="M89 0H93Q100 0 100 7V133Q100 140 93 140H89Z" class="ground"/>${bars.join('')}</g>`;
}

/**
 * @param {number} card
 * @param {{plain: boolean, side: boolean, mark: number | null}} look `mark`: whose deck, in a duel (0 the nearer seat's, 1 the other's)
 */
export function face(card, { plain, side, mark }) {
  const suit = suitOf(card);
  const rank = rankOf(card);
  const right = mark === null ? 100 : 90;
  const drawing = side ? sideFace(suit, rank, right) : plain ? plainFace(suit, rank, right) : fullFace(suit, rank, right);
  const deck = mark === null ? '' : side ? `<g transform="translate(100 0) scale(-1 1)">${band(mark)}</g>` : band(mark);
  return `<svg viewBox="0 0 100 140" class="face s${suit}" aria-hidden="true">${side && mark !== null ? `<g transform="translate(8 0)">${drawing}</g>` : drawing}${deck}</svg>`;
}

/** The back: a lattice with dots for the nearer deck, slanted bars for the other's. @param {number | null} mark */
export function back(mark) {
  let lines = '';
  if (mark === 1) {
    for (let i = -10; i < 14; i += 1) lines += `<path d="M8 ${i * 12 + 12}L92 ${i * 12 - 44}" class="bar"/>`;
  } else {
    for (let i = -8; i < 14; i += 1) {
      lines += `<path d="M8 ${i * 12}L92 ${i * 12 + 84}M92 ${i * 12}L8 ${i * 12 + 84}" class="lattice"/>`;
    }
  }
  const emblem = mark === 1 ? '<path d="M50 52L66 70L50 88L34 70Z" class="emblem"/>' : '<circle cx="50" cy="70" r="15" class="emblem"/>';
  const box = '<rect x="7" y="7" width="86" height="126" rx="6" class="ground"/>';
  const clip = `<svg x="7" y="7" width="86" height="126" viewBox="7 7 86 126">${lines}</svg>`;
  return `<svg viewBox="0 0 100 140" class="back ${mark === 1 ? 'far' : 'near'}" aria-hidden="true">${box}${clip}${emblem}<rect x="7" y="7" width="86" height="126" rx="6" class="rim"/></svg>`;
}
