// The word about the connection: nothing for a blink, then what is wrong, and that it is over.

import { toast } from './dom.js';
import { t } from './i18n.js';

/** A line that is renewed within this time was never gone, for the player; ms. */
const BLINK = 1000;

/** @param {HTMLElement} el */
export function createLine(el) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let late;
  let why = 'lost';
  let told = false;

  /** @param {string} key empty: nothing to tell */
  function say(key) {
    el.hidden = !key;
    el.textContent = key ? t(key) : '';
  }

  return {
    down() {
      if (told || late !== undefined) return;
      late = setTimeout(() => {
        told = true;
        say(`line.${why}`);
      }, BLINK);
    },
    up() {
      clearTimeout(late);
      late = undefined;
      why = 'lost';
      if (told) toast(t('line.back'));
      told = false;
      say('');
    },
    /** What the server said of itself. @param {string} what */
    notice(what) {
      if (what === 'draining') why = 'draining';
      else say(what === 'unavailable' ? 'line.unavailable' : '');
    },
  };
}
