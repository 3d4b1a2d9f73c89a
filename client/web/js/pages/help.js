// How to play, the keys, tips and words: texts of the language's help.

import { h } from '../dom.js';
import { currentLanguage } from '../i18n.js';
import da from '../lang/help_da.js';
import de from '../lang/help_de.js';
import en from '../lang/help_en.js';

/** A heading and its paragraphs; a pair is a term with its meaning. @typedef {[string, (string | [string, string])[]]} Section */

/** @type {Record<string, Section[]>} */
const HELP = { en, de, da };

export function helpBody() {
  return (HELP[currentLanguage()] ?? en).map(([title, lines], i) => {
    const pairs = lines.filter((line) => Array.isArray(line));
    const plain = lines.filter((line) => typeof line === 'string');
    return h(
      'details',
      { open: i === 0 },
      h('summary', {}, title),
      plain.length > 0 && h('ul', {}, ...plain.map((line) => h('li', {}, line))),
      pairs.length > 0 && h('dl', {}, ...pairs.map(([word, meaning]) => h('div', {}, h('dt', {}, word), h('dd', {}, meaning)))),
    );
  });
}
