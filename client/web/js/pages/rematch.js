// After a match: ask for another one, with the same rules or others; see what the other asks for; accept or decline.

import { dialog, h } from '../dom.js';
import { t } from '../i18n.js';
import { writeTerms } from '../wire.js';
import { playerName } from '../words.js';
import { termsForm, termsInWords } from './terms_form.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').Table} Table */
/** @typedef {import('../types.js').Terms} Terms */

/** @param {App} app @param {Terms | null} terms `null`: as this match */
const ask = (app, terms) => app.play({ do: 'rematch', on: true, ...(terms ? { terms: writeTerms(terms) } : {}) });

/** The players' names, by seat. @param {Table} table */
const namesOf = (table) => table.players.map((_, seat) => playerName(table, seat));

/** Ask for a rematch with other rules. @param {App} app @param {Table} table */
async function askOther(app, table) {
  const form = termsForm(table.rematch_terms ?? table.terms, namesOf(table));
  const terms = await dialog({
    title: t('end.rematchOther'),
    class: 'wide',
    body: (close) => [
      form.el,
      h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', 'data-act': 'rematch-with', onclick: () => close(form.value()) }, t('end.rematchAsk'))),
    ],
  });
  if (terms) ask(app, /** @type {Terms} */ (terms));
}

/** What is other than in this match: label, before (empty: it did not apply), after. @param {Table} table @returns {[string, string, string][]} */
export function changes(table) {
  if (!table.rematch_terms) return [];
  const names = namesOf(table);
  const before = new Map(termsInWords(table.terms, names));
  const after = new Map(termsInWords(table.rematch_terms, names));
  return [...after]
    .map(([label, is]) => /** @type {[string, string, string]} */ ([label, before.get(label) ?? '', is]))
    .filter(([, was, is]) => was !== is);
}

/** @param {Table} table */
function changeList(table) {
  const rows = changes(table).map(([label, was, is]) => h('div', {}, h('dt', {}, label), h('dd', {}, was && h('s', {}, was), ' ', h('b', {}, is))));
  return rows.length > 0 && h('dl', { class: 'terms changed', 'data-out': 'changed' }, ...rows);
}

/**
 * What is said to a player about a rematch at the end of a match, and his buttons.
 * @param {App} app @param {Table} table @param {number} seat
 * @returns {{notes: (Node | false | null | undefined)[], buttons: (Node | false)[]}}
 */
export function rematchPart(app, table, seat) {
  const [me, rival] = [table.players[seat], table.players[1 - seat]];
  const name = playerName(table, 1 - seat);
  const other = h('button', { type: 'button', class: 'quiet', 'data-act': 'rematch-other', onclick: () => askOther(app, table) }, t('end.rematchOther'));
  const again = h('button', { type: 'button', class: 'primary', 'data-act': 'rematch', onclick: () => ask(app, null) }, t('end.rematch'));
  if (table.declined !== null) {
    const mine = table.declined === seat;
    const note = mine ? t('end.youDeclined') : t('end.declined', { name });
    return { notes: [h('p', { class: 'note' }, note)], buttons: [mine && again] };
  }
  if (rival?.rematch && !me?.rematch) {
    const asked = t(table.rematch_terms ? 'end.rematchAskedOther' : 'end.rematchAsked', { name });
    const no = h('button', { type: 'button', class: 'quiet', 'data-act': 'decline', onclick: () => app.play({ do: 'rematch', on: false }) }, t('end.decline'));
    const yes = h('button', { type: 'button', class: 'primary', 'data-act': 'rematch', onclick: () => ask(app, table.rematch_terms) }, t(table.rematch_terms ? 'end.rematchAccept' : 'end.rematch'));
    return { notes: [h('p', { class: 'note' }, asked), changeList(table)], buttons: [other, no, yes] };
  }
  const gone = rival && !rival.present && h('p', { class: 'note' }, t('end.gone', { name }));
  if (!me?.rematch) return { notes: [gone], buttons: [other, again] };
  const waits = h('button', { type: 'button', class: 'primary', 'data-act': 'rematch', disabled: true }, t('end.rematchSent'));
  const mine = table.rematch_terms && h('p', { class: 'note' }, t('end.rematchAskedFor'));
  return { notes: [gone, mine, changeList(table)], buttons: [other, waits] };
}
