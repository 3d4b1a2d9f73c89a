// Play time of the match, as the server counts it. Each word of the server that names a time sets it right.

/** @param {() => number} local milliseconds that never run backwards */
export function createClock(local) {
  /** @type {number | null} */
  let ahead = null;
  return {
    /** The server said it is `now`; `late` = ms that its word took. @param {number} now @param {number} [late] */
    set(now, late = 0) {
      ahead = now + late - local();
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
