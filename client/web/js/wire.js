// Messages as they come leave out what is at its default: fill it in, so that nothing behind asks twice.

/** @typedef {import('./types.js').Position} Position */

const SEAT = { waste: [], pass_number: 1, declared: false, stuck: false, strikes: [], wait_until: 0 };
const TURN = { number: 1, acted: false, played_up: false, passes: 0, barren: 0, ends_at: null };
const TALLY = {
  score: 0,
  bonus: 0,
  moves: 0,
  recycles: 0,
  worry_backs: 0,
  undos: 0,
  hints: 0,
  played_ms: 0,
  running_since: null,
  paused: false,
  actions: 0,
};
const OUTCOME = { winner: null, counts: [], why: null };
const POSITION = {
  turn: null,
  last_up: null,
  ends_at: null,
  tally: null,
  outcome: null,
  undo_depth: 0,
  redo_depth: 0,
};
const PLAYER = {
  identity: '',
  bot: false,
  present: true,
  ready: false,
  gone_until: null,
  waited_for: false,
  rematch: false,
  agrees_end: false,
  nonce: null,
  said: null,
};
const TABLE = {
  phase: 'gathering',
  code: null,
  game: 1,
  sums: [],
  games: [],
  starts_at: null,
  ready_until: null,
  commitment: null,
  deal_code: null,
  restarts: 0,
  notice: null,
  proof: null,
  result: null,
  next_match: null,
  declined: null,
  end_declined: null,
};
const RESULT = { credited: [], commitment: '', seed: '', nonces: [], races: [], proofs: [] };

/** @type {Record<string, Record<string, unknown>>} */
export const TERMS = {
  klondike: {
    draw: 1,
    scoring: 'standard',
    passes: 'unlimited',
    worry_back: true,
    empty_column: 'king',
    open_deal: false,
    time_penalty: false,
    cumulative: false,
    unlimited_hints: false,
    finish: true,
    winnable: false,
    code: null,
    daily: null,
  },
  two_deck: { draw: 1, scoring: 'normal', code: null },
  duel: {
    tempo: 'simultaneous',
    draw: [1, 1],
    passes: 'unlimited',
    clear_bonus: false,
    play_on: false,
    first: 'random',
    turn_seconds: 60,
    game_seconds: 900,
    grace_seconds: 60,
    games: 1,
    rated: false,
    mirror: false,
    penalty: false,
  },
};

/** @param {any} raw @returns {import('./types.js').Turn | null} */
export const readTurn = (raw) => (raw ? { ...TURN, ...raw } : null);
/** @param {any} raw @returns {import('./types.js').Tally | null} */
export const readTally = (raw) => (raw ? { ...TALLY, ...raw } : null);
/** @param {any} raw @returns {import('./types.js').Outcome | null} */
export const readOutcome = (raw) => (raw ? { ...OUTCOME, ...raw } : null);

/** @param {any} raw @returns {Position | null} */
export function readPosition(raw) {
  if (!raw) return null;
  return {
    ...POSITION,
    ...raw,
    seats: raw.seats.map((/** @type {any} */ seat) => ({ ...SEAT, ...seat })),
    turn: readTurn(raw.turn),
    tally: readTally(raw.tally),
    outcome: readOutcome(raw.outcome),
    past: undefined,
    future: undefined,
  };
}

/** @param {any} raw @returns {import('./types.js').Terms} */
export const readTerms = (raw) => ({ ...TERMS[raw.type], ...raw });

/** @param {any} raw @returns {import('./types.js').Table} */
export function readTable(raw) {
  return {
    ...TABLE,
    ...raw,
    terms: readTerms(raw.terms),
    players: raw.players.map((/** @type {any} */ player) => player && { ...PLAYER, ...player }),
    games: (raw.games ?? []).map((/** @type {any} */ game) => ({
      ...RESULT,
      ...game,
      outcome: readOutcome(game.outcome),
    })),
    proof: raw.proof ? { question: '', ...raw.proof } : null,
    result: readOutcome(raw.result),
    rematch_terms: raw.rematch_terms ? readTerms(raw.rematch_terms) : null,
  };
}

/** @param {any} raw @returns {import('./types.js').Legal | null} */
export const readLegal = (raw) => (raw ? { moves: {}, tap: {}, double: {}, commands: [], ...raw } : null);

/**
 * Terms without what is at its default: what is sent.
 * @param {import('./types.js').Terms} terms
 */
export function writeTerms(terms) {
  const defaults = TERMS[terms.type] ?? {};
  const kept = Object.entries(terms).filter(
    ([key, value]) => key === 'type' || (key in defaults && JSON.stringify(value) !== JSON.stringify(defaults[key])),
  );
  return Object.fromEntries(kept);
}
