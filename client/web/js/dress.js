// How the whole page looks and speaks, by the player's settings.

import { setLanguage, t } from './i18n.js';

/** @param {import('./types.js').Settings} settings */
export function dress(settings) {
  setLanguage(settings.language);
  document.documentElement.lang = settings.language;
  document.title = t('app.title');
  const { dataset } = document.documentElement;
  dataset.suits = settings.fourColours ? 'four' : 'two';
  dataset.contrast = settings.contrast ? 'high' : 'normal';
  dataset.motion = settings.motion ? 'full' : 'none';
}
