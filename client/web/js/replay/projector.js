// Runs a reel: which frame is shown, whether it goes on by itself, and how fast. The timer is an argument.

/** Waits between frames are cut to this, ms: nobody watches somebody think. */
const LONGEST = 1500;
const SHORTEST = 70;
export const SPEEDS = [0.5, 1, 2, 4, 8];

/**
 * @param {import('./reel.js').Reel} reel
 * @param {() => void} changed
 * @param {{later: (call: () => void, ms: number) => any, cancel: (timer: any) => void}} [timer]
 */
export function createProjector(reel, changed, timer = { later: (call, ms) => setTimeout(call, ms), cancel: (id) => clearTimeout(id) }) {
  const last = reel.frames.length - 1;
  const state = { index: 0, playing: false, speed: 1 };
  /** @type {any} */
  let waiting = null;

  /** How long frame `index` waits for the next one. @param {number} index */
  const gap = (index) => {
    const wait = (reel.frames[index + 1]?.at ?? 0) - (reel.frames[index]?.at ?? 0);
    return Math.max(SHORTEST, Math.min(wait, LONGEST)) / state.speed;
  };

  function arm() {
    timer.cancel(waiting);
    waiting = state.playing ? timer.later(next, gap(state.index)) : null;
  }

  function next() {
    state.index = Math.min(state.index + 1, last);
    if (state.index === last) state.playing = false;
    arm();
    changed();
  }

  return {
    state,
    last,
    /** @param {number} index */
    go(index) {
      state.index = Math.max(0, Math.min(Math.round(index), last));
      arm();
      changed();
    },
    toggle() {
      state.playing = !state.playing;
      if (state.playing && state.index === last) state.index = 0;
      arm();
      changed();
    },
    /** @param {number} speed */
    run(speed) {
      state.speed = speed;
      arm();
      changed();
    },
    destroy() {
      timer.cancel(waiting);
    },
  };
}
