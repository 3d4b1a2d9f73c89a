// Play time of the match, as the server counts it. Each word of the server that names a time sets it right.

/** So long (ms) a measure counts against a worse one: clocks drift, and ways change. */
const MEASURE_HOLDS = 30000;

/** @param {() => number} local milliseconds that never run backwards */
export function createClock(local) {
  /** @type {number | null} */
  let ahead = null;
  /** Ms there and back of the best measure that still counts, and when it was taken. */
  let best = Infinity;
  let bestAt = 0;
  return {
    /** The server says it is `now`; how long its word took is not known. @param {number} now */
    set(now) {
      ahead = now - local();
      best = Infinity;
    },
    /**
     * It answered `now` to a question `took` ms ago. The less it took, the surer half of it is the way back: a slow answer
     * does not spoil a quick one, for a while.
     * @param {number} now @param {number} took
     */
    measure(now, took) {
      if (took > best * 1.3 && local() - bestAt < MEASURE_HOLDS) return;
      best = took;
      bestAt = local();
      ahead = now + took / 2 - local();
    },
    /** An entry of `at` has arrived: it cannot be earlier. @param {number} at */
    atLeast(at) {
      if (ahead === null || at - local() > ahead) ahead = at - local();
    },
    /** Play time now, ms; 0 while unknown. */
    now() {
      return ahead === null ? 0 : local() + ahead;
    },
  };
}

/** `m:ss` of `ms`, rounded up while counting down. @param {number} ms */
export function minutes(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** `m:ss` of time played so far, rounded down; hours when there are any. @param {number} ms */
export function elapsed(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const rest = `${Math.floor((seconds % 3600) / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return hours ? `${hours}:${rest.padStart(5, '0')}` : rest;
}
