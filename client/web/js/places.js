// Pages with an address of their own, beside the match: `/boards`, `/profile/<identity>`, ...

/** @typedef {import('./app.js').App} App */

/**
 * A page as the app shows it.
 * @typedef {object} Page
 * @property {HTMLElement} el
 * @property {(told: import('./types.js').Told) => void} [hear]
 * @property {() => void} [shown]
 * @property {() => void} [redraw]
 * @property {() => void} [destroy]
 */

/** By the first part of the address; the page is given what follows it. @type {Record<string, (app: App, rest: string) => Page>} */
export const PLACES = {};
