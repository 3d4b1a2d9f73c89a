// Solo clocks stand while the page is hidden, and go on when it is back, be it by another way.

import { store } from './store.js';

/** Look whether the page is hidden, and have the clock stand or go on. @param {import('./app.js').App} app */
export function minded(app) {
  const { table, position, seat, away, flights } = app.session.state;
  const tally = position?.tally;
  if (!table || !tally || position.outcome || seat === null || away) return;
  if (document.hidden && tally.running_since !== null && !tally.paused) {
    store.setSlept(table.match, true);
    app.play({ do: 'pause', hidden: true });
  } else if (!document.hidden && tally.paused && store.slept(table.match) && flights.length === 0) {
    store.setSlept(table.match, false);
    app.play({ do: 'unpause' });
  }
}
