// Who sits there: a glance at a player's records without leaving the table. Ways further open in another tab.

import { dialog, h } from '../dom.js';
import { t } from '../i18n.js';
import { readHistory, readProfile } from './answers.js';
import { day, isSettled, number, percent, ratingText } from './figures.js';
import { createWaiting, nameOf, waitingNote } from './frame.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../types.js').Player} Player */
/** @typedef {import('./answers.js').Profile} Profile */

/** A link that leaves this page where it is. @param {string} path @param {string} label @param {string} name */
const elsewhere = (path, label, name) => h('a', { href: path, target: '_blank', rel: 'noopener', class: 'button', 'data-to': name }, label);

/** @param {Profile} profile */
const tempos = ({ duels }) =>
  duels.length === 0
    ? h('p', { class: 'note' }, t('profile.noDuels'))
    : h(
        'table',
        { class: 'glance' },
        h('caption', { class: 'off-screen' }, t('profile.duels')),
        h('thead', {}, h('tr', {}, ...['boards.game', 'boards.rating', 'profile.played', 'profile.won'].map((key) => h('th', { scope: 'col' }, t(key))))),
        h(
          'tbody',
          {},
          ...duels.map(({ tempo, rating, played, won }) =>
            h(
              'tr',
              {},
              h('th', { scope: 'row' }, t(`terms.${tempo}`)),
              h('td', {}, rating ? ratingText(rating) : '–', rating && !isSettled(rating) && h('small', {}, ` ${t('profile.unsettledShort')}`)),
              h('td', {}, number(played)),
              h('td', {}, percent(won, played)),
            ),
          ),
        ),
      );

/** @param {App} app @param {{identity: string, name: string}} person */
export function openPerson(app, person) {
  const mine = person.identity === app.me();
  const body = h('div', { class: 'glance-body' }, waitingNote());
  const sums = h('p', { class: 'note', 'data-out': 'between', role: 'status' });
  const path = encodeURIComponent(person.identity);
  const done = dialog({
    title: nameOf(person),
    class: 'person-card',
    body: () => [
      body,
      h(
        'div',
        { class: 'buttons' },
        !mine && elsewhere(`/history/${encodeURIComponent(app.me())}/${path}`, t('profile.between'), 'between'),
        elsewhere(`/profile/${path}`, t('records.profile'), 'person'),
      ),
      h('p', { class: 'note' }, t('profile.newTab')),
    ],
  });
  createWaiting(app, body)({ t: 'ask_profile', identity: person.identity }, readProfile, (profile) =>
    body.replaceChildren(h('p', { class: 'note' }, profile.since > 0 ? t('profile.since', { date: day(profile.since * 1000) }) : ''), tempos(profile), sums),
  );
  if (!mine) {
    app.question({ t: 'ask_history', rival: person.identity }).then(
      (raw) => {
        const { against } = readHistory(raw);
        if (against && against.won + against.lost > 0) sums.textContent = t('profile.betweenSums', { won: against.won, lost: against.lost });
      },
      () => {},
    );
  }
  return done;
}

/** A player's name as a button to his records; a computer's, or an unknown's, is plain. @param {App} app @param {Player | null | undefined} player @param {string} name */
export const personButton = (app, player, name) =>
  player && !player.bot && player.identity
    ? h('button', { type: 'button', class: 'who person', 'data-act': 'person', title: t('records.profile'), onclick: () => openPerson(app, player) }, name)
    : h('strong', { class: 'who' }, name);
