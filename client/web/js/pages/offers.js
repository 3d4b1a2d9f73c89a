// The offer to end the game as it stands: made, withdrawn, accepted, declined. Both are told each of these.

import { h, toast } from '../dom.js';
import { t } from '../i18n.js';
import { playerName } from '../words.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').Table} Table */

/** The banner while an offer stands, or `null`. @param {App} app @param {Table} table @param {number} seat */
export function offerBanner(app, table, seat) {
  if (table.phase !== 'playing') return null;
  const [mine, theirs] = [table.players[seat]?.agrees_end, table.players[1 - seat]?.agrees_end];
  const answer = (/** @type {boolean} */ on) => () => app.play({ do: 'agree_end', on });
  if (theirs && !mine) {
    const text = t('table.agreeOffered', { name: playerName(table, 1 - seat) });
    const no = h('button', { type: 'button', 'data-act': 'disagree', onclick: answer(false) }, t('table.agreeNo'));
    const yes = h('button', { type: 'button', 'data-act': 'agree', onclick: answer(true) }, t('table.agreeYes'));
    return { key: `agree ${text}`, nodes: [h('span', {}, text), h('span', { class: 'choice' }, no, yes)] };
  }
  if (!mine) return null;
  const back = h('button', { type: 'button', 'data-act': 'withdraw', onclick: answer(false) }, t('table.agreeWithdraw'));
  return { key: 'agreed', nodes: [h('span', {}, t('table.agreeSent')), back] };
}

/** Tells once that an offer was declined. @param {App} app */
export function createOffers(app) {
  /** @type {number | null} */
  let known = app.session.state.table?.end_declined ?? null;
  return {
    refresh() {
      const { table, seat } = app.session.state;
      if (!table || table.end_declined === known) return;
      known = table.end_declined;
      if (known !== null && known !== seat) toast(t('table.agreeDeclined', { name: playerName(table, known) }));
    },
  };
}
