// Words in the reader's language. A text that a dictionary lacks is shown in English.

import da from './lang/da.js';
import de from './lang/de.js';
import devicesDa from './lang/devices_da.js';
import devicesDe from './lang/devices_de.js';
import devicesEn from './lang/devices_en.js';
import duelDa from './lang/duel_da.js';
import duelDe from './lang/duel_de.js';
import duelEn from './lang/duel_en.js';
import enMain from './lang/en.js';
import recordsDa from './lang/records_da.js';
import recordsDe from './lang/records_de.js';
import recordsEn from './lang/records_en.js';
import replayDa from './lang/replay_da.js';
import replayDe from './lang/replay_de.js';
import replayEn from './lang/replay_en.js';

/** @type {Record<string, string>} */
const en = { ...enMain, ...duelEn, ...devicesEn, ...recordsEn, ...replayEn };
/** @type {Record<string, Record<string, string>>} */
export const DICTIONARIES = { en, de: { ...de, ...duelDe, ...devicesDe, ...recordsDe, ...replayDe }, da: { ...da, ...duelDa, ...devicesDa, ...recordsDa, ...replayDa } };

export const LANGUAGES = { en: 'English', de: 'Deutsch', da: 'Dansk' };

let language = 'en';

/** The first of the browser's languages that there is a dictionary for. @param {readonly string[]} wanted */
export const preferred = (wanted) =>
  wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in DICTIONARIES) ?? 'en';

/** @param {string} chosen */
export function setLanguage(chosen) {
  language = chosen in DICTIONARIES ? chosen : 'en';
}

export const currentLanguage = () => language;

/** Is there a text for `key`? @param {string} key */
export const has = (key) => key in en;

/**
 * The text for `key` with `{name}` filled in from `values`. Where `n` is one, `key.one` goes before, if there is such a text.
 * @param {string} key @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const one = `${key}.one`;
  const named = values['n'] === 1 && has(one) ? one : key;
  const text = DICTIONARIES[language]?.[named] ?? en[named] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
