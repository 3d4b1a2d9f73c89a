// What this browser keeps: who the player is, his settings, the games he has open. Nothing of it is needed to play.

/** @typedef {import('./types.js').Settings} Settings */
/** @typedef {{match: string, variant: string, names: string[], at: number, over: boolean}} Kept */

const KEYS = { token: 'ds.token', settings: 'ds.settings', games: 'ds.games', terms: 'ds.terms', slept: 'ds.slept', told: 'ds.told' };
const MOST_GAMES = 12;

/** @param {string} key @param {unknown} otherwise */
function read(key, otherwise) {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise; // storage forbidden, or not ours
  }
}

/** @param {string} key @param {unknown} value */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage full or forbidden: the page goes on without it.
  }
}

/** @type {Omit<Settings, 'language'>} */
const DEFAULTS = {
  name: '',
  fourColours: false,
  contrast: false,
  leftHand: false,
  doubleTap: true,
  motion: true,
  hideTimer: false,
};

export const store = {
  /** @returns {string | null} */
  token: () => read(KEYS.token, null),
  /** @param {string | null} token */
  setToken: (token) => write(KEYS.token, token),
  /** @param {string} language @returns {Settings} */
  settings: (language) => ({ ...DEFAULTS, language, ...read(KEYS.settings, {}) }),
  /** @param {Settings} settings */
  setSettings: (settings) => write(KEYS.settings, settings),
  /** The terms chosen last for a variant. @param {string} variant @returns {Record<string, unknown>} */
  terms: (variant) => read(KEYS.terms, {})[variant] ?? {},
  /** @param {string} variant @param {Record<string, unknown>} terms */
  setTerms: (variant, terms) => write(KEYS.terms, { ...read(KEYS.terms, {}), [variant]: terms }),
  /** The match whose clock this browser stopped because its page was hidden. @returns {string | null} */
  slept: () => read(KEYS.slept, null),
  /** @param {string | null} match */
  setSlept: (match) => write(KEYS.slept, match),
  /** What was last told of that cannot be won: the match and how often it was undone. @returns {string | null} */
  told: () => read(KEYS.told, null),
  /** @param {string} what */
  setTold: (what) => write(KEYS.told, what),
  /** Newest first. @returns {Kept[]} */
  games: () => read(KEYS.games, []),
  /** @param {Kept} game */
  keepGame(game) {
    const others = store.games().filter(({ match }) => match !== game.match);
    write(KEYS.games, [game, ...others].slice(0, MOST_GAMES));
  },
  /** @param {string} match */
  forgetGame: (match) => write(KEYS.games, store.games().filter((game) => game.match !== match)),
};
