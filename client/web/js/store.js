// What this browser keeps: who the player is, his settings, the games he has open. Nothing of it is needed to play.

/** @typedef {import('./types.js').Settings} Settings */
/** @typedef {{match: string, variant: string, names: string[], at: number, over: boolean}} Kept */
/** Somebody who played in this browser before another came. @typedef {{token: string, name: string, games: Kept[]}} Former */

const KEYS = { token: 'ds.token', settings: 'ds.settings', games: 'ds.games', terms: 'ds.terms', quick: 'ds.quick', slept: 'ds.slept', filter: 'ds.filter', told: 'ds.told', moving: 'ds.moving', former: 'ds.former', hidden: 'ds.hidden' };
const MOST_GAMES = 12;
const TOKEN = /^.{20,100}$/;

/**
 * What is kept under `key`, if it is of the same kind as `otherwise`: others may have written there.
 * @param {string} key @param {unknown} otherwise
 */
function read(key, otherwise) {
  try {
    const text = localStorage.getItem(key);
    const kept = text === null ? otherwise : JSON.parse(text);
    return kind(kept) === kind(otherwise) ? kept : otherwise;
  } catch {
    return otherwise; // storage forbidden, or not ours
  }
}

/** @param {unknown} value */
function kind(value) {
  if (Array.isArray(value)) return 'list';
  return value === null ? 'null' : typeof value;
}

/** @param {any} game */
const isKept = (game) => typeof game?.match === 'string' && Array.isArray(game.names) && typeof game.at === 'number';

/** @param {any} one */
const isFormer = (one) => TOKEN.test(one?.token) && typeof one.token === 'string' && typeof one.name === 'string' && Array.isArray(one.games);

/** @param {unknown} value @returns {string | null} */
const textOrNull = (value) => (typeof value === 'string' && value !== '' ? value : null);

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
  mute: false,
};

/** @returns {string[]} */
const slept = () => read(KEYS.slept, []).filter((/** @type {unknown} */ one) => typeof one === 'string');

export const store = {
  /** @returns {string | null} */
  token: () => (TOKEN.test(read(KEYS.token, '')) ? read(KEYS.token, '') : null),
  /** @param {string | null} token */
  setToken: (token) => write(KEYS.token, token ?? ''),
  /** @param {string} language @returns {Settings} */
  settings(language) {
    const defaults = { ...DEFAULTS, language };
    const kept = Object.entries(read(KEYS.settings, {}));
    const sound = kept.filter(([key, value]) => kind(value) === kind(/** @type {any} */ (defaults)[key]));
    const settings = { ...defaults, ...Object.fromEntries(sound) };
    return { ...settings, name: settings.name.slice(0, 24) };
  },
  /** @param {Settings} settings */
  setSettings: (settings) => write(KEYS.settings, settings),
  /** The terms chosen last for a variant. @param {string} variant @returns {Record<string, unknown>} */
  terms: (variant) => Object(read(KEYS.terms, {})[variant]),
  /** @param {string} variant @param {Record<string, unknown>} terms */
  setTerms: (variant, terms) => write(KEYS.terms, { ...read(KEYS.terms, {}), [variant]: terms }),
  /** The quick match chosen last. @returns {{tempo: string, draw: number, rated: boolean}} */
  quick: () => ({ tempo: 'simultaneous', draw: 1, rated: false, ...read(KEYS.quick, {}) }),
  /** @param {{tempo: string, draw: number, rated: boolean}} quick */
  setQuick: (quick) => write(KEYS.quick, quick),
  /** Which kinds of solo games the statistics show; empty: all. @returns {Record<string, string>} */
  filter: () => Object.fromEntries(Object.entries(read(KEYS.filter, {})).filter(([, value]) => typeof value === 'string')),
  /** @param {Record<string, string>} filter */
  setFilter: (filter) => write(KEYS.filter, filter),
  /** Whether this browser stopped the clock of a match because its page was hidden. @param {string} match */
  slept: (match) => slept().includes(match),
  /** @param {string} match @param {boolean} asleep */
  setSlept(match, asleep) {
    const others = slept().filter((one) => one !== match);
    write(KEYS.slept, asleep ? [match, ...others].slice(0, MOST_GAMES) : others);
  },
  /** What was last told of that cannot be won: the match and how often it was undone. @returns {string | null} */
  told: () => textOrNull(read(KEYS.told, '')),
  /** @param {string} what */
  setTold: (what) => write(KEYS.told, what),
  /** Newest first. @returns {Kept[]} */
  games: () => read(KEYS.games, []).filter(isKept),
  /** @param {Kept} game */
  keepGame(game) {
    const others = store.games().filter(({ match }) => match !== game.match);
    write(KEYS.games, [game, ...others].slice(0, MOST_GAMES));
  },
  /** @param {string} match */
  forgetGame: (match) => write(KEYS.games, store.games().filter((game) => game.match !== match)),
  /** @param {Kept[]} games */
  setGames: (games) => write(KEYS.games, games),
  /** Games of the server's list that are not wanted in the list here. @returns {string[]} */
  hidden: () => read(KEYS.hidden, []).filter((/** @type {unknown} */ match) => typeof match === 'string'),
  /** @param {string} match */
  hide: (match) => write(KEYS.hidden, [match, ...store.hidden()].slice(0, 100)),
  /** The code that is being brought to the server, with the token that this browser made for it. @returns {{token: string, move: string} | null} */
  moving() {
    const { token, move } = read(KEYS.moving, {});
    return typeof token === 'string' && typeof move === 'string' ? { token, move } : null;
  },
  /** @param {{token: string, move: string} | null} moving */
  setMoving: (moving) => write(KEYS.moving, moving ?? {}),
  /** Who played here before, the last first. @returns {Former[]} */
  former: () => read(KEYS.former, []).filter(isFormer).map((/** @type {Former} */ one) => ({ ...one, games: one.games.filter(isKept) })),
  /** @param {Former[]} former */
  setFormer: (former) => write(KEYS.former, former),
};
