// The options of a game as a form, and in words. What is possible is the server's to say; this offers what RULES allow.

import { h } from '../dom.js';
import { t } from '../i18n.js';
import { TERMS } from '../wire.js';
import { passLimit } from '../words.js';

/** @typedef {import('../types.js').Terms} Terms */
/** @typedef {{name: string, kind: 'choice', label: string, values: [any, string][], wide?: boolean}} Choice */
/** @typedef {{name: string, kind: 'switch', label: string, text: string}} Switch */
/** @typedef {(Choice | Switch) & {when?: (terms: Terms) => boolean, more?: boolean}} Field */

/** @param {string} name @param {[any, string][]} values @param {Partial<Field>} [rest] @returns {Field} */
const choice = (name, values, rest = {}) =>
  /** @type {Field} */ ({ name, kind: 'choice', label: `terms.${name}`, values, ...rest });
/** @param {string} name @param {Partial<Field>} [rest] @returns {Field} */
const toggle = (name, rest = {}) =>
  /** @type {Field} */ ({ name, kind: 'switch', label: `terms.${name}`, text: `terms.${name}Text`, ...rest });

const DRAW = /** @type {[any, string][]} */ ([[1, 'terms.draw1'], [3, 'terms.draw3']]);
const PASSES = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => /** @type {[any, string]} */ ([n, String(n)]));
const alternating = (/** @type {Terms} */ terms) => terms.tempo === 'alternating';
const simultaneous = (/** @type {Terms} */ terms) => terms.tempo === 'simultaneous';
const clock = (/** @type {(number | null)[]} */ seconds) =>
  seconds.map((n) => /** @type {[any, string]} */ ([n, n === null ? 'terms.noClock' : `s${n}`]));

/** @type {Record<string, Field[]>} */
export const FIELDS = {
  duel: [
    choice('tempo', [['simultaneous', 'terms.simultaneous'], ['alternating', 'terms.alternating']], { }),
    choice('draw.0', DRAW, { label: 'terms.drawYou' }),
    choice('draw.1', DRAW, { label: 'terms.drawRival' }),
    choice('games', [[1, 'terms.games1'], [3, '3'], [5, '5']]),
    choice('turn_seconds', clock([30, 60, 120, 300, null]), { when: alternating }),
    choice('game_seconds', clock([300, 600, 900, 1800, null]), { when: simultaneous }),
    choice('first', [['random', 'terms.random'], ['low_card', 'terms.low_card'], ['host', 'terms.host'], ['guest', 'terms.guest']], {
      when: alternating,
    }),
    choice('passes', [['unlimited', 'terms.unlimited'], ['one', 'terms.one']]),
    toggle('clear_bonus', { more: true }),
    toggle('play_on', { more: true }),
    toggle('mirror', { more: true }),
    toggle('penalty', { more: true, when: simultaneous }),
    toggle('rated', { more: true, when: (terms) => terms.draw[0] === terms.draw[1] && !terms.mirror }),
    choice('grace_seconds', clock([30, 60, 120, 300]), { more: true }),
  ],
  klondike: [
    choice('draw', DRAW),
    choice('scoring', [['standard', 'terms.standard'], ['vegas', 'terms.vegas'], ['none', 'terms.none']]),
    choice('passes', [['unlimited', 'terms.unlimited'], ['strict', 'terms.strict'], ...PASSES], {
      when: (terms) => terms.scoring !== 'vegas',
      wide: true,
    }),
    toggle('winnable', { when: (terms) => !terms.code }),
    toggle('worry_back', { text: '', more: true }),
    choice('empty_column', [['king', 'terms.king'], ['any', 'terms.any']], { more: true }),
    toggle('finish', { more: true }),
    toggle('open_deal', { more: true }),
    toggle('time_penalty', { more: true, when: (terms) => terms.scoring === 'standard' }),
    toggle('cumulative', { more: true, when: (terms) => terms.scoring === 'vegas' }),
    toggle('unlimited_hints', { text: '', more: true }),
  ],
  two_deck: [
    choice('draw', [[1, 'terms.draw1Easy'], [3, 'terms.draw3Hard']]),
    choice('scoring', [['normal', 'terms.normal'], ['vegas', 'terms.vegas']]),
  ],
};

/** @param {string} label */
function valueText(label) {
  if (!/^s\d+$/.test(label)) return label.includes('.') ? t(label) : label;
  const seconds = Number(label.slice(1));
  return seconds % 60 === 0 ? t('terms.minutes', { n: seconds / 60 }) : t('terms.seconds', { n: seconds });
}

/** @param {Terms} terms @param {string} name */
const get = (terms, name) => (name.includes('.') ? terms.draw[Number(name.slice(-1))] : terms[name]);

/** @param {Terms} terms @param {string} name @param {unknown} value @returns {Terms} */
function set(terms, name, value) {
  if (!name.includes('.')) return { ...terms, [name]: value };
  const draw = [...terms.draw];
  draw[Number(name.slice(-1))] = value;
  return { ...terms, draw };
}

/** Options that do not apply go back to their default, so that nothing hidden is agreed. @param {Terms} terms @returns {Terms} */
export function settled(terms) {
  const defaults = TERMS[terms.type] ?? {};
  const idle = (FIELDS[terms.type] ?? []).filter((field) => field.when && !field.when(terms) && !field.name.includes('.'));
  return idle.reduce((now, field) => ({ ...now, [field.name]: defaults[field.name] }), terms);
}

/** What each seat draws, by the name of who sits there. @param {Field} field @param {string[]} names */
function seatLabel(field, names) {
  const seat = Number(field.name.slice(-1));
  return t('terms.drawOf', { name: names[seat] ?? t(seat ? 'terms.guest' : 'terms.host') });
}

/**
 * A form for `start`; `value()` gives what is chosen.
 * @param {Terms} start
 * @param {string[]} [names] of the seats, where it is known who sits on which; else the first seat is the reader's
 */
export function termsForm(start, names) {
  let terms = start;
  const fields = FIELDS[start.type] ?? [];
  /** @type {(() => void)[]} */
  const refreshers = [];
  const change = (/** @type {string} */ name, /** @type {unknown} */ value) => {
    terms = set(terms, name, value);
    for (const refresh of refreshers) refresh();
  };
  /** @param {Field} field */
  const row = (field) => {
    const label = names && field.name.includes('.') ? seatLabel(field, names) : t(field.label);
    const el = field.kind === 'switch' ? switchRow(field, terms, change) : choiceRow(field, terms, change, label);
    refreshers.push(() => el.toggleAttribute('hidden', Boolean(field.when && !field.when(terms))));
    return el;
  };
  const passes = h('p', { class: 'note', 'data-out': 'passes', role: 'status' });
  /** Say how many passes there are; `other`: in the game of a code. @param {Terms} [other] */
  const showPasses = (other = terms) => {
    passes.textContent = `${t('terms.passes')}: ${passLimit(other) ?? t('terms.unlimited')}`;
  };
  refreshers.push(showPasses);
  const plain = fields.filter((field) => !field.more).map(row);
  const more = fields.filter((field) => field.more).map(row);
  const el = h(
    'div',
    { class: 'terms-form' },
    ...plain,
    start.type !== 'duel' && passes,
    more.length > 0 && h('details', {}, h('summary', {}, t('common.more')), ...more),
  );
  for (const refresh of refreshers) refresh();
  return { el, value: () => settled(terms), change, showPasses };
}

/** @param {Switch} field @param {Terms} terms @param {(name: string, value: unknown) => void} change */
function switchRow(field, terms, change) {
  const box = h('input', { type: 'checkbox', role: 'switch', name: field.name, checked: Boolean(get(terms, field.name)) });
  box.addEventListener('change', () => change(field.name, box.checked));
  const text = field.text ? h('small', {}, t(field.text)) : null;
  return h('label', { class: 'row switch' }, h('span', {}, t(field.label), text), box);
}

/** One option and its choices. @param {Choice} field @param {Terms} terms @param {(name: string, value: unknown) => void} change @param {string} [label] */
export function choiceRow(field, terms, change, label = t(field.label)) {
  const now = get(terms, field.name);
  const known = field.values.some(([value]) => value === now);
  const values = known ? field.values : [...field.values, /** @type {[any, string]} */ ([now, `s${now}`])];
  if (values.length > 3 || field.wide) {
    const options = values.map(([value, text], i) => h('option', { value: String(i), selected: value === now }, valueText(text)));
    const select = h('select', { name: field.name }, ...options);
    select.addEventListener('change', () => change(field.name, values[Number(select.value)]?.[0]));
    return h('label', { class: 'row' }, h('span', {}, label), select);
  }
  const radios = values.map(([value, text], i) => {
    const radio = h('input', { type: 'radio', name: field.name, value: String(i), checked: value === now });
    radio.addEventListener('change', () => change(field.name, value));
    return h('label', {}, radio, h('span', {}, valueText(text)));
  });
  return h('fieldset', { class: 'row' }, h('legend', {}, label), h('div', { class: 'segments' }, ...radios));
}

/**
 * The terms in words: pairs of what and how. Everything that is agreed, defaults included.
 * @param {Terms} terms @param {string[]} [names] of the seats
 * @returns {[string, string][]}
 */
export function termsInWords(terms, names = []) {
  return (FIELDS[terms.type] ?? [])
    .filter((field) => !field.when || field.when(terms))
    .map((field) => {
      const value = get(terms, field.name);
      const label = field.name.includes('.') ? seatLabel(field, names) : t(field.label);
      if (field.kind === 'switch') return [label, t(value ? 'common.on' : 'common.off')];
      const known = field.values.find(([other]) => other === value);
      return [label, valueText(known ? known[1] : `s${value}`)];
    });
}

/** @param {Terms} terms @param {string[]} [names] */
export const termsList = (terms, names) =>
  h('dl', { class: 'terms' }, ...termsInWords(terms, names).map(([what, how]) => h('div', {}, h('dt', {}, what), h('dd', {}, how))));
