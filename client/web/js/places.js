// Pages with an address of their own, beside the match: `/boards`, `/profile/<identity>`, ...

import { devicesPage } from './pages/devices.js';
import { movePage } from './pages/move.js';
import { replayPage } from './pages/replay.js';
import { watchPage } from './pages/watch.js';
import { boardsPage } from './records/boards.js';
import { calendarPage } from './records/calendar.js';
import { historyPage } from './records/history.js';
import { profilePage } from './records/profile.js';

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
export const PLACES = { profile: profilePage, history: historyPage, boards: boardsPage, calendar: calendarPage, devices: devicesPage, move: movePage, replay: replayPage, watch: watchPage };

/** The parts of an address in plain letters; one that is broken stays as it is. @param {string} path */
export const partsOf = (path) =>
  path
    .split('/')
    .slice(1)
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
