// Elements in few words, toasts, and what a screen reader is told.

import { t } from './i18n.js';

/**
 * An element. Attributes that start with `on` are listeners; `class`, `data-…`, `aria-…` as in HTML; `false` = left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) el.addEventListener(name.slice(2), value);
    else if (name === 'html') el.innerHTML = value;
    else if (value === true) el.setAttribute(name, '');
    else el.setAttribute(name, String(value));
  }
  for (const child of children) if (child) el.append(child);
  return el;
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const el = document.getElementById(id);
  if (!el) throw new Error(`the page lacks #${id}`);
  return el;
}

/** Tell a screen reader. @param {string} text */
export function announce(text) {
  if (!text) return;
  const live = byId('live');
  const line = h('p', {}, text);
  live.append(line);
  while (live.childElementCount > 4) live.firstElementChild?.remove();
}

/** A short word to everybody, gone by itself. @param {string} text @param {'info' | 'bad'} [kind] */
export function toast(text, kind = 'info') {
  const host = byId('toasts');
  const same = [...host.children].find((el) => el.textContent === text);
  same?.remove();
  const el = h('div', { class: `toast ${kind}` }, text);
  host.append(el);
  while (host.childElementCount > 3) host.firstElementChild?.remove();
  setTimeout(() => el.remove(), kind === 'bad' ? 3600 : 2600);
  announce(text);
}

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = h('textarea', { class: 'off-screen', readonly: true });
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy'); // where the clipboard is only for secure pages
    field.remove();
  }
  toast(t('common.copied'));
}

/**
 * A dialog over the page; resolves when it is closed.
 * @param {{title: string, class?: string, body: (close: (value?: unknown) => void) => (Node | string | false | null)[]}} what
 * @returns {Promise<unknown>}
 */
export function dialog({ title, body, class: kind = '' }) {
  return new Promise((resolve) => {
    const id = `title${Math.random().toString(36).slice(2)}`;
    const el = h('dialog', { class: `sheet ${kind}`, 'aria-labelledby': id });
    /** @type {unknown} */
    let result;
    const close = (/** @type {unknown} */ value = undefined) => {
      result = value;
      el.close();
    };
    const x = h('button', { class: 'close', type: 'button', 'aria-label': t('common.close'), onclick: () => close() }, '×');
    el.append(h('header', {}, h('h2', { id }, title), x), h('div', { class: 'body' }, ...body(close)));
    el.addEventListener('close', () => {
      el.remove();
      resolve(result);
    });
    el.addEventListener('pointerdown', (event) => {
      if (event.target === el) close();
    });
    document.body.append(el);
    el.showModal();
  });
}

/** Something more important has come up; than the call to a match, or who plays here, nothing is. */
export function closeDialogs() {
  for (const el of document.querySelectorAll('dialog:not(.call):not(.stays)')) /** @type {HTMLDialogElement} */ (el).close();
}

/** @param {string} title @param {string} text @param {string} yes @returns {Promise<boolean>} */
export async function confirm(title, text, yes) {
  const answer = await dialog({
    title,
    class: 'small',
    body: (close) => [
      text && h('p', {}, text),
      h(
        'div',
        { class: 'buttons' },
        h('button', { type: 'button', class: 'quiet', onclick: () => close(false) }, t('common.cancel')),
        h('button', { type: 'button', class: 'danger', 'data-act': 'yes', autofocus: true, onclick: () => close(true) }, yes),
      ),
    ],
  });
  return answer === true;
}
