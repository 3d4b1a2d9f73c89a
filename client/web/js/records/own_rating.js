// This player's own ratings, beside what is said of rated games.

import { h } from '../dom.js';
import { t } from '../i18n.js';
import { readProfile } from './answers.js';
import { isSettled, ratingText } from './figures.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./answers.js').DuelRecord} DuelRecord */

/** @param {DuelRecord} duel */
const words = ({ tempo, rating }) => (rating ? `${t(`terms.${tempo}`)} ${ratingText(rating)}${isSettled(rating) ? '' : ` (${t('profile.unsettledShort')})`}` : '');

/** In one line, empty until it is known. @param {App} app */
export function ownRating(app) {
  const el = h('small', { class: 'own-rating', 'data-out': 'own-rating', hidden: true });
  app.question({ t: 'ask_profile' }).then(
    (raw) => {
      const ratings = readProfile(raw).duels.map(words).filter(Boolean);
      el.textContent = ratings.length ? t('find.yourRating', { ratings: ratings.join(' · ') }) : t('find.noRating');
      el.hidden = false;
    },
    () => {},
  );
  return el;
}
