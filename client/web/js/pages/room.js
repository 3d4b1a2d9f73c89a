// The waiting room of a duel: the invitation, who sits where, what is agreed, and Ready.

import { copy, dialog, h } from '../dom.js';
import { t } from '../i18n.js';
import { writeTerms } from '../wire.js';
import { personButton } from '../records/person.js';
import { hasComputer, playerName } from '../words.js';
import { lastWord, sayButton } from './say.js';
import { termsForm, termsList } from './terms_form.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').Table} Table */

/** 16 random bytes as the deal wants them. */
export function nonce() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Names by which a machine calls itself: for another one they lead nowhere. */
const ONLY_HERE = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/;

/** @param {Table} table */
export const linkOf = (table) => `${location.origin}/${table.code ? `r/${table.code}` : `m/${table.match}`}`;

/** @param {string} label @param {string} value @param {string} name */
const copyRow = (label, value, name) =>
  h(
    'div',
    { class: 'copy-row' },
    h('span', { class: 'label' }, label),
    h('output', { 'data-out': name }, value),
    h('button', { type: 'button', onclick: () => copy(value) }, t('common.copy')),
  );

/** @param {Table} table */
function invitation(table) {
  const link = linkOf(table);
  const share = typeof navigator.share === 'function';
  const shareIt = () => navigator.share({ title: t('app.title'), text: t('room.shareText'), url: link }).catch(() => {});
  return h(
    'section',
    { class: 'invite' },
    h('h2', {}, t('room.waiting')),
    h('p', {}, t('room.invite')),
    copyRow(t('room.link'), link, 'link'),
    ONLY_HERE.test(location.hostname) && h('p', { class: 'note', 'data-out': 'only-here' }, t('room.onlyHere')),
    table.code && copyRow(t('room.code'), table.code, 'code'),
    share && h('button', { type: 'button', class: 'primary', onclick: shareIt }, t('common.share')),
  );
}

/** @param {App} app @param {Table} table */
async function propose(app, table) {
  const form = termsForm(table.terms, table.players.map((player, i) => player?.name ?? t(i ? 'terms.guest' : 'terms.host')));
  const terms = await dialog({
    title: t('room.change'),
    class: 'wide',
    body: (close) => [
      form.el,
      h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', 'data-act': 'propose', onclick: () => close(form.value()) }, t('terms.propose'))),
    ],
  });
  if (terms) app.play({ do: 'propose', terms: writeTerms(/** @type {any} */ (terms)) });
}

/** Who came by a link has had no chance to say who he is. @param {App} app */
async function rename(app) {
  const label = t('home.name');
  const name = h('input', { type: 'text', name: 'name', maxlength: '24', value: app.settings().name, 'aria-label': label, autocomplete: 'nickname', autofocus: true, onfocus: () => name.select() });
  const given = await dialog({
    title: label,
    class: 'small',
    body: (close) => {
      const submit = (/** @type {Event} */ event) => {
        event.preventDefault();
        close(name.value.trim());
      };
      return [h('form', { onsubmit: submit }, name, h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'primary', 'data-act': 'rename-yes' }, t('common.ok'))))];
    },
  });
  if (typeof given === 'string' && given) app.rename(given);
}

/** @param {App} app */
export function roomPage(app) {
  const { table, seat } = app.session.state;
  if (!table) return h('main', { class: 'room' });
  const names = table.players.map((player, i) => (player ? playerName(table, i) : t(i ? 'terms.guest' : 'terms.host')));
  const full = table.players.every(Boolean);
  const me = seat === null ? null : table.players[seat];
  const seats = table.players.map((player, i) =>
    h(
      'li',
      { class: player?.ready ? 'ready' : '' },
      h('span', { class: `swatch ${i === (seat ?? 0) ? 'near' : 'far'}`, 'aria-hidden': 'true' }),
      personButton(app, player, player ? playerName(table, i) + (i === seat ? ` (${t('common.you')})` : '') : t('room.freeSeat')),
      lastWord(app, player, i),
      i === seat && h('button', { type: 'button', class: 'quiet', 'data-act': 'rename', onclick: () => rename(app) }, t('home.name')),
      player && h('span', { class: 'state' }, t(!player.present ? 'room.isAway' : player.ready ? 'room.isReady' : 'room.notReady')),
    ),
  );
  const ready = () => app.play(me?.ready ? { do: 'unready' } : { do: 'ready', nonce: nonce() });
  return h(
    'main',
    { class: 'room' },
    h('header', { class: 'top' }, h('h1', {}, t('room.title')), h('button', { type: 'button', class: 'quiet', onclick: () => app.goHome() }, t('room.leave'))),
    !full && invitation(table),
    h('ul', { class: 'seats' }, ...seats),
    h(
      'section',
      { class: 'agreed' },
      h('header', {}, h('h2', {}, t('terms.rules')), seat !== null && table.ready_until === null && h('button', { type: 'button', class: 'quiet', 'data-act': 'change', onclick: () => propose(app, table) }, t('room.change'))),
      termsList(table.terms, names),
    ),
    seat === null
      ? h('p', { class: 'note' }, t('room.watching'))
      : h(
          'div',
          { class: 'buttons stretch' },
          full && !hasComputer(table) && sayButton(app),
          h('button', { type: 'button', class: me?.ready ? '' : 'primary', 'data-act': 'ready', 'aria-pressed': String(Boolean(me?.ready)), onclick: ready }, t(me?.ready ? 'room.unready' : 'room.ready')),
        ),
    !hasComputer(table) && h('p', { class: 'note' }, t(table.ready_until === null ? 'room.both' : 'room.bothSoon')),
    table.commitment && h('details', { class: 'fair' }, h('summary', {}, t('room.fair')), h('code', {}, table.commitment)),
  );
}
