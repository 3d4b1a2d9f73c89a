// Checks a duel's deal after its seed is revealed: docs/fair-deals.md, done anew in the browser.

/** @typedef {import('./types.js').GameResult} GameResult */
/** @typedef {import('./types.js').Position} Position */

/** @param {string} hex */
const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
/** @param {ArrayBuffer} buffer */
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * The 52 faces of `seat`'s deck in the order of the deal.
 * @param {Uint8Array} seed @param {Uint8Array[]} nonces @param {number} seat
 */
async function deck(seed, nonces, seat) {
  const key = await crypto.subtle.importKey('raw', /** @type {any} */ (seed), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const prefix = [...(nonces[0] ?? []), ...(nonces[1] ?? []), seat];
  /** @type {number[]} */
  let words = [];
  let counter = 0;
  const next = async () => {
    if (words.length === 0) {
      const message = new Uint8Array([...prefix, 0, 0, 0, 0]);
      new DataView(message.buffer).setUint32(prefix.length, counter);
      counter += 1;
      const digest = new DataView(await crypto.subtle.sign('HMAC', key, message));
      words = Array.from({ length: 8 }, (_, i) => digest.getUint32(i * 4));
    }
    return /** @type {number} */ (words.shift());
  };
  const cards = Array.from({ length: 52 }, (_, i) => i);
  for (let i = 51; i > 0; i -= 1) {
    const limit = Math.floor(2 ** 32 / (i + 1)) * (i + 1);
    let x = await next();
    while (x >= limit) x = await next();
    const j = x % (i + 1);
    [cards[i], cards[j]] = [/** @type {number} */ (cards[j]), /** @type {number} */ (cards[i])];
  }
  return cards;
}

/** Where the deal of `cards` shows another face than `opening` did. @param {number[]} cards @param {number[][]} columns @param {number} low */
function differs(cards, columns, low) {
  let at = 0;
  for (let row = 0; row < columns.length; row += 1) {
    for (let column = row; column < columns.length; column += 1) {
      const shown = columns[column]?.[row];
      const dealt = /** @type {number} */ (cards[at]) + low;
      if (shown !== undefined && shown >= 0 && shown !== dealt) return true;
      at += 1;
    }
  }
  return false;
}

/**
 * @param {GameResult} result @param {boolean} mirror
 * @param {Position | null} opening the deal as this player saw it, if he was there
 * @returns {Promise<'Yes' | 'No' | 'Cannot'>}
 */
export async function verifyDeal(result, mirror, opening) {
  if (!globalThis.crypto?.subtle) return 'Cannot';
  const seed = bytes(result.seed);
  if (hex(await crypto.subtle.digest('SHA-256', seed)) !== result.commitment) return 'No';
  const nonces = [0, 1].map((seat) => bytes(result.nonces[seat] ?? ''));
  for (const [seat, own] of (opening?.seats ?? []).entries()) {
    const cards = await deck(seed, nonces, mirror ? 0 : seat);
    if (differs(cards, own.columns, seat * 52)) return 'No';
  }
  return 'Yes';
}
