// `/devices`: where this player plays, a link to one more device, and taking one away.

import { minutes } from '../clock.js';
import { confirm, copy, h, toast } from '../dom.js';
import { currentLanguage, t } from '../i18n.js';
import { createWaiting, frame, waitingNote } from '../records/frame.js';
import { failureText } from '../words.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {{device: string, label?: string, since?: number, own?: boolean}} Device */

/** While a link is open, somebody who came by it is looked for so often, ms. */
const LOOK_EVERY = 4000;
const SVG = 'http://www.w3.org/2000/svg';

/** @param {{size: number, path: string}} qr */
function qrPicture({ size, path }) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', t('devices.qr'));
  const dark = document.createElementNS(SVG, 'path');
  dark.setAttribute('d', path);
  svg.append(dark);
  return h('div', { class: 'qr', 'data-out': 'qr' }, /** @type {any} */ (svg));
}

/** @param {unknown} failed */
function complain(failed) {
  const { code = '', message = '' } = /** @type {Record<string, string>} */ (failed ?? {});
  toast(failureText(code, message), 'bad');
}

/** @param {App} app */
export function devicesPage(app) {
  const list = h('div', {}, waitingNote());
  const offer = h('section', { class: 'part offer' });
  const ask = createWaiting(app, list);
  /** How many there were when the link was made; null: there is none. @type {number | null} */
  let waitingFor = null;
  let known = 0;
  /** @type {ReturnType<typeof setInterval>[]} */
  let timers = [];

  /** @param {Device[]} devices */
  function show(devices) {
    known = devices.length;
    const format = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeStyle: 'short' });
    const row = (/** @type {Device} */ { device, label, since = 0, own = false }) =>
      h(
        'li',
        { 'data-device': device, 'data-own': own ? 'yes' : 'no' },
        h('div', { class: 'who' }, h('b', {}, label || t('devices.unnamed')), own && h('span', { class: 'mark' }, t('devices.own'))),
        h('small', {}, t('devices.since', { date: format.format(since * 1000) })),
        devices.length > 1 && h('button', { type: 'button', 'data-act': 'drop', onclick: () => drop(device, label || t('devices.unnamed'), own) }, t('devices.drop')),
      );
    list.replaceChildren(h('ul', { class: 'device-list' }, ...devices.map(row)));
    if (waitingFor !== null && known > waitingFor) {
      toast(t('devices.added', { name: devices.at(-1)?.label || t('devices.unnamed') }));
      showOffer();
    }
  }

  const refresh = () => ask({ t: 'ask_devices' }, (answer) => answer.devices ?? [], show);

  /** @param {string} device @param {string} label @param {boolean} own */
  async function drop(device, label, own) {
    const text = t(own ? 'devices.dropOwnText' : 'devices.dropText', { name: app.settings().name });
    if (!(await confirm(t('devices.dropAsk', { label }), text, t('devices.drop')))) return;
    try {
      show((await app.question({ t: 'drop_device', device })).devices ?? []);
      showOffer(); // a link that was made before is good no more
    } catch (failed) {
      complain(failed);
      refresh();
    }
  }

  function stop() {
    for (const timer of timers) clearInterval(timer);
    timers = [];
    waitingFor = null;
  }

  /** The button that makes a link. @param {string} [word] */
  function showOffer(word = '') {
    stop();
    offer.replaceChildren(
      h('h2', {}, t('devices.add')),
      h('p', {}, word || t('devices.addText')),
      h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', 'data-act': 'add-device', onclick: makeLink }, t('devices.makeLink'))),
    );
  }

  async function makeLink() {
    try {
      const { code, ms, qr } = await app.question({ t: 'offer_move', origin: location.origin });
      showLink(`${location.origin}/move#${code}`, performance.now() + ms, qr);
    } catch (failed) {
      complain(failed);
    }
  }

  /** @param {string} link @param {number} until @param {{size: number, path: string} | undefined} qr */
  function showLink(link, until, qr) {
    stop();
    waitingFor = known;
    const left = h('output', { 'data-out': 'left' });
    const tick = () => {
      const ms = until - performance.now();
      if (ms <= 0) return showOffer(t('devices.expired'));
      left.textContent = t('devices.left', { time: minutes(ms) });
    };
    timers = [setInterval(tick, 1000), setInterval(refresh, LOOK_EVERY)];
    offer.replaceChildren(
      h('h2', {}, t('devices.add')),
      h(
        'div',
        { class: 'link-and-qr' },
        qr ? qrPicture(qr) : null,
        h(
          'div',
          { class: 'link-text' },
          h('p', {}, t('devices.scan')),
          h('code', { 'data-out': 'move-link' }, link),
          h('div', { class: 'buttons' }, h('button', { type: 'button', class: 'primary', 'data-act': 'copy-link', onclick: () => copy(link) }, t('common.copy')), left),
          h('p', { class: 'note' }, t('devices.secret')),
        ),
      ),
    );
    tick();
  }

  const former = app.who().former();
  const before =
    former.length > 0 &&
    h(
      'section',
      { class: 'part' },
      h('h2', {}, t('devices.former')),
      h('p', {}, t('devices.formerText')),
      h('div', { class: 'buttons' }, ...former.map(({ token, name }) => h('button', { type: 'button', 'data-act': 'back', onclick: () => app.who().back(token) }, t('devices.back', { name: name || t('home.namePlaceholder') })))),
    );
  const page = frame(app, 'devices', t('devices.title'), h('p', {}, t('devices.text', { name: app.settings().name })), list, offer, before);
  showOffer();
  refresh();
  return { el: page.el, shown: page.shown, destroy: stop };
}
