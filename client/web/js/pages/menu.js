// The menu of a running game, and the settings.

import { HIDDEN } from '../cards.js';
import { confirm, copy, dialog, h } from '../dom.js';
import { LANGUAGES, t } from '../i18n.js';
import { cardName } from '../words.js';
import { termsList } from './terms_form.js';

/** @typedef {import('../app.js').App} App */

/** @param {App} app */
export async function restart(app) {
  const tally = app.session.view()?.tally;
  if (tally && tally.moves > 0 && !app.session.view()?.outcome) {
    if (!(await confirm(t('table.restartAsk'), t('table.restartText'), t('table.restart')))) return;
  }
  app.play({ do: 'restart' });
}

/** @param {App} app */
async function resign(app) {
  if (await confirm(t('table.resignAsk'), t('table.resignText'), t('table.resign'))) app.play({ do: 'resign' });
}

/** The stock of an open deal, in the order of drawing. @param {App} app */
function stockOrder(app) {
  const stock = app.session.view()?.seats[0]?.stock.filter((card) => card !== HIDDEN) ?? [];
  if (stock.length === 0) return null;
  return h('details', {}, h('summary', {}, t('table.stockOrder')), h('p', {}, stock.map(cardName).join(', ')));
}

/** @param {App} app */
export function openMenu(app) {
  const { table, seat } = app.session.state;
  if (!table) return Promise.resolve();
  const duel = table.terms.type === 'duel';
  const playing = table.phase === 'playing' && seat !== null && !app.session.view()?.outcome;
  const agrees = seat !== null && table.players[seat]?.agrees_end;
  return dialog({
    title: t(`variant.${table.terms.type}`),
    body: (close) => {
      /** @param {string} act @param {string} label @param {() => unknown} run @param {string} [kind] */
      const item = (act, label, run, kind = '') =>
        h('button', { type: 'button', class: `item ${kind}`, 'data-act': act, onclick: () => (close(), run()) }, label);
      return [
        h(
          'div',
          { class: 'menu-list' },
          !duel && item('restart', t('table.restart'), () => restart(app)),
          !duel && item('menu-new', t('table.newGame'), () => app.newGame()),
          !duel && table.deal_code && item('copy-code', `${t('table.code')}: ${table.deal_code}`, () => copy(table.deal_code ?? '')),
          duel && playing && item('agree-end', t(agrees ? 'table.agreeWithdraw' : 'table.agree'), () => app.play({ do: 'agree_end', on: !agrees })),
          duel && playing && item('resign', t('table.resign'), () => resign(app), 'danger'),
          duel && table.phase !== 'over' && item('copy-watch', t('replay.copyWatch'), () => copy(`${location.origin}/watch/${table.match}`)),
          item('settings', t('home.settings'), () => app.openSettings()),
          item('help', t('home.help'), () => app.openHelp()),
          item('leave', t('common.home'), () => app.goHome()),
        ),
        stockOrder(app),
        h('details', {}, h('summary', {}, t('terms.rules')), termsList(table.terms, table.players.map((player) => player?.name ?? ''))),
      ];
    },
  });
}

/** @param {App} app */
export function settingsDialog(app) {
  const settings = app.settings();
  /** @param {'fourColours' | 'contrast' | 'leftHand' | 'doubleTap' | 'motion' | 'hideTimer' | 'mute'} name */
  const box = (name) => {
    const input = h('input', { type: 'checkbox', role: 'switch', name, checked: settings[name] });
    input.addEventListener('change', () => app.change({ [name]: input.checked }));
    return h('label', { class: 'row switch' }, h('span', {}, t(`settings.${name}`)), input);
  };
  const language = h(
    'select',
    { name: 'language' },
    ...Object.entries(LANGUAGES).map(([tag, label]) => h('option', { value: tag, selected: tag === settings.language }, label)),
  );
  return dialog({
    title: t('settings.title'),
    body: (close) => {
      language.addEventListener('change', () => {
        app.change({ language: language.value });
        close();
      });
      return [
        h(
          'div',
          { class: 'terms-form' },
          h('label', { class: 'row' }, h('span', {}, t('settings.language')), language),
          box('fourColours'),
          box('contrast'),
          box('leftHand'),
          box('doubleTap'),
          box('motion'),
          box('hideTimer'),
          box('mute'),
          h('div', { class: 'row' }, h('span', {}, t('devices.title'), h('small', {}, t('devices.short'))), h('button', { type: 'button', 'data-act': 'devices', onclick: () => (close(), app.go('/devices')) }, t('devices.open'))),
        ),
      ];
    },
  });
}
