// The address of a match to watch: `/watch/<match>`. One that is over leads to its replay.

import { h } from '../dom.js';
import { t } from '../i18n.js';

/** @param {import('../app.js').App} app @param {string} match */
export function watchPage(app, match) {
  return {
    el: h('main', { class: 'wait' }, h('p', {}, t('home.connecting'))),
    shown: () => app.join({ match, watch: true }),
  };
}
