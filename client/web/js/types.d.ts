// What travels (docs/protocol.md), with every default filled in by wire.js, and what the modules hand each other.

export type Pile = string;
export type Target = string;

export interface Seat {
  columns: number[][];
  down: number[];
  stock: number[];
  waste: number[];
  pass_number: number;
  declared: boolean;
  stuck: boolean;
  strikes: number[];
  wait_until: number;
}
export interface Turn {
  seat: number;
  number: number;
  acted: boolean;
  played_up: boolean;
  passes: number;
  barren: number;
  ends_at: number | null;
}
export interface Tally {
  score: number;
  bonus: number;
  moves: number;
  recycles: number;
  worry_backs: number;
  undos: number;
  hints: number;
  played_ms: number;
  running_since: number | null;
  paused: boolean;
  actions: number;
}
export interface Outcome {
  reason: string;
  winner: number | null;
  counts: number[];
  why: string | null;
}
export interface Position {
  seats: Seat[];
  foundations: number[][];
  turn: Turn | null;
  last_up: number | null;
  ends_at: number | null;
  tally: Tally | null;
  outcome: Outcome | null;
  undo_depth: number;
  redo_depth: number;
}
export interface Player {
  name: string;
  identity: string;
  bot: boolean;
  present: boolean;
  ready: boolean;
  gone_until: number | null;
  waited_for: boolean;
  rematch: boolean;
  agrees_end: boolean;
  nonce: string | null;
  said: { what: string; at: number } | null;
}
/** Two plays for one place: the card of `winner` was `ms` before the other's. */
export interface Race {
  no: number;
  by: number;
  ms: number;
  winner: number;
  card: number;
}
export interface GameResult {
  outcome: Outcome;
  credited: number[];
  commitment: string;
  seed: string;
  nonces: string[];
  races: Race[];
  proofs: { seat: number; k: number }[];
}
/** A finished search that showed that a game cannot be won. */
export interface LossProof {
  states: number;
  ms: number;
  question: string;
}
export type Terms = { type: 'klondike' | 'two_deck' | 'duel' } & Record<string, any>;
export interface Table {
  match: string;
  terms: Terms;
  players: (Player | null)[];
  phase: 'gathering' | 'countdown' | 'playing' | 'between' | 'over';
  code: string | null;
  game: number;
  sums: number[];
  games: GameResult[];
  starts_at: number | null;
  ready_until: number | null;
  commitment: string | null;
  deal_code: string | null;
  restarts: number;
  notice: string | null;
  proof: LossProof | null;
  result: Outcome | null;
  next_match: string | null;
  declined: number | null;
  rematch_terms: Terms | null;
  end_declined: number | null;
}
export interface Legal {
  moves: Record<string, Target[]>;
  tap: Record<string, Target>;
  double: Record<string, Target>;
  commands: string[];
}
export interface Refusal {
  code: string;
  by?: number;
  by_ms?: number;
  card?: number;
}
export type Wish = { do: string } & Record<string, any>;
export type GameEvent = { ev: string } & Record<string, any>;
export type Message = { t: string } & Record<string, any>;

/** Somebody who seeks an opponent. `since`: local ms. */
export interface OpenSeek {
  seek: string;
  name: string;
  terms: Terms;
  since: number;
  rating: number | null;
}
/** An opponent is found: `match` is to be entered before `until` (local ms). */
export interface Call {
  match: string;
  rival: string;
  terms: Terms;
  seat: number;
  until: number;
}

/** A play sent and not yet answered. */
export interface Flight {
  n: number;
  seen: number;
  do: Wish;
}

/** What the session tells its listener. */
export type Told =
  | { kind: 'changed' }
  | { kind: 'played'; events: GameEvent[]; seat: number | null; mine: boolean }
  | { kind: 'refused'; wish: Wish | null; refusal: Refusal }
  | { kind: 'race'; race: Race }
  | { kind: 'hint'; hint: Record<string, any> }
  | { kind: 'failed'; code: string; message: string; field: string | null }
  | { kind: 'lobby' }
  | { kind: 'welcome'; name: string }
  | { kind: 'notice'; what: string };

/** Where the cards lie on the screen; pixels of the felt. */
export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}
export interface CardSpot {
  key: string;
  card: number;
  pile: string; // seat:pile, or f0..f7
  seat: number; // whose table or, on a foundation, whose deck
  index: number;
  x: number;
  y: number;
  z: number;
  scale: number;
  small: boolean; // of the rival's table: drawn simply
  down: boolean;
  unturned?: boolean; // face down in the game, but shown all the same
  shown: number; // pixels of its top that are not covered by the card above
  side: boolean; // only its left edge shows
}
export interface PileSpot extends Rect {
  pile: string;
  scale: number;
  suit: number | null;
  count: number;
  cards: Rect; // the pile with all its cards
}
export interface Layout {
  cardW: number;
  cardH: number;
  cards: CardSpot[];
  piles: Record<string, PileSpot>;
  zones: Record<string, Rect>;
  shape: 'tall' | 'wide' | 'short';
}
export interface Viewport {
  width: number;
  height: number;
}
export interface Settings {
  language: string;
  name: string;
  fourColours: boolean;
  contrast: boolean;
  leftHand: boolean;
  doubleTap: boolean;
  motion: boolean;
  hideTimer: boolean;
  mute: boolean;
}
