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

/** Where the pips of 2..10 stand: columns at 30, 50, 70; rows from the top. */
const L = 31;
const M = 50;
const R = 69;
/** @type {Record<number, [number, number][]>} */
const PIPS = {
  2: [[M, 46], [M, 114]],
  3: [[M, 46], [M, 80], [M, 114]],
  4: [[L, 46], [R, 46], [L, 114], [R, 114]],
  5: [[L, 46], [R, 46], [M, 80], [L, 114], [R, 114]],
  6: [[L, 46], [R, 46], [L, 80], [R, 80], [L, 114], [R, 114]],
  7: [[L, 46], [R, 46], [M, 63], [L, 80], [R, 80], [L, 114], [R, 114]],
  8: [[L, 46], [R, 46], [M, 63], [L, 80], [R, 80], [M, 97], [L, 114], [R, 114]],
  9: [[L, 44], [R, 44], [L, 68], [R, 68], [M, 80], [L, 92], [R, 92], [L, 116], [R, 116]],
  10: [[L, 44], [R, 44], [M, 56], [L, 68], [R, 68], [L, 92], [R, 92], [M, 104], [L, 116], [R, 116]],
};

/** The upper half of a court card's figure, about (50, 80): head-dress above the suit. @type {Record<number, string>} */
const COURTS = {
  11: '<path d="M33 62C33 50 41 45 52 45C62 45 67 51 67 58L70 62Z"/><path d="M60 47C66 38 76 38 80 42C75 45 72 51 66 55Z" class="trim"/><path d="M31 62H69V67H31Z" class="trim"/>',
  12: '<path d="M32 64L29 47L39 54L50 42L61 54L71 47L68 64Z"/><circle cx="29" cy="45" r="3" class="trim"/><circle cx="50" cy="40" r="3.4" class="trim"/><circle cx="71" cy="45" r="3" class="trim"/><path d="M32 62H68V67H32Z" class="trim"/>',
  13: '<path d="M30 64L28 46H35V52H41V44H47V38H53V44H59V52H65V46H72L70 64Z"/><path d="M46 36H54V40H46Z" class="trim"/><path d="M48 32H52V44H48Z" class="trim"/><path d="M30 62H70V67H30Z" class="trim"/>',
};

/** @param {number} suit @param {number} rank */
function court(suit, rank) {
  const half = `<g class="figure">${COURTS[rank]}</g>`;
  const frame = '<rect x="21" y="31" width="58" height="98" rx="5" class="frame"/>';
  const cross = '<path d="M21 92L79 68" class="line"/>';
  const suits = pip(suit, 32, 44, 0) + pip(suit, 50, 75.5, 15) + pip(suit, 50, 84.5, 15, true);
  return `${frame}${cross}${half}<g transform="rotate(180 50 80)">${half}</g>${suits}`;
}

/** @param {number} rank @param {number} x @param {number} y @param {number} size */
function index(rank, x, y, size) {
  const text = RANKS[rank - 1] ?? '';
  const squeeze = text === '10' ? ` textLength="${size * 0.98}" lengthAdjust="spacingAndGlyphs"` : '';
  return `<text x="${x}" y="${y}" font-size="${size}"${squeeze}>${text}</text>`;
}

/** For small cards: what matters, as large as it can be. @param {number} suit @param {number} rank @param {number} right */
function plainFace(suit, rank, right) {
  return `${index(rank, 6, 41, 46)}${pip(suit, right - 20, 25, 34)}${pip(suit, 50, 94, 66)}`;
}

/** For large cards: index, pips, figures. @param {number} suit @param {number} rank @param {number} right */
function fullFace(suit, rank, right) {
  const corner = `${index(rank, 6, 27, 28)}${pip(suit, rank === 10 ? 46 : 38, 17.5, 20)}`;
  const turned = `<g transform="rotate(180 50 70)">${corner}</g>`;
  let middle = '';
  if (rank === 1) middle = pip(suit, 50, 80, 52);
  else if (rank > 10) middle = court(suit, rank);
  else middle = (PIPS[rank] ?? []).map(([x, y]) => pip(suit, x, y, rank > 8 ? 19 : 22, y > 80)).join('');
  return corner + (right < 100 ? `${turned}` : turned) + middle;
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
 * @param {{plain: boolean, mark: number | null}} look `mark`: whose deck, in a duel (0 the nearer seat's, 1 the other's)
 */
export function face(card, { plain, mark }) {
  const suit = suitOf(card);
  const rank = rankOf(card);
  const right = mark === null ? 97 : 88;
  const drawing = plain ? plainFace(suit, rank, right) : fullFace(suit, rank, right);
  const shift = mark !== null && !plain ? ' transform="translate(-2 0) scale(.93 1)"' : '';
  const deck = mark === null ? '' : band(mark);
  return `<svg viewBox="0 0 100 140" class="face s${suit}" aria-hidden="true"><g${shift}>${drawing}</g>${deck}</svg>`;
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
