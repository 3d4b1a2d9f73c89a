// Codes that people type. The server reads them exactly; here they are only told apart.

import { readTerms } from './wire.js';

/** @typedef {import('./types.js').Terms} Terms */

/**
 * What a typed code is: a deal code, told by its first letters, or a room code. The server reads it exactly.
 * @param {string} text @returns {{deal: Terms} | {room: string}}
 */
export function readCode(text) {
  const bare = text.normalize('NFKC').toUpperCase().replace(/[^A-Z0-9]/g, '');
  const deal = /^(DS|KL)\d.{6,}$/.exec(bare);
  if (!deal) return { room: text.trim() };
  const type = deal[1] === 'DS' ? 'two_deck' : 'klondike';
  const draw = bare.slice(3, 5) === 'D3' ? 3 : 1;
  const scoring = { N: 'normal', V: 'vegas', S: 'standard', O: 'none', 0: 'none' }[bare[5] ?? ''];
  return { deal: readTerms({ type, draw, ...(scoring ? { scoring } : {}), code: text.trim() }) };
}
