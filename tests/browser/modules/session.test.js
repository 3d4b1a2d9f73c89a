import assert from 'node:assert/strict';
import test from 'node:test';
import { createClock } from '../../../client/web/js/clock.js';
import { createSession } from '../../../client/web/js/session.js';

const K = 12; // king of spades; hearts begin at 13
const seats = () => [
  { columns: [[K], [13 + 11], [26], [-1, 0]], down: [0, 0, 0, 1], stock: [-1, -1, -1] },
];
const table = { match: 'm1', terms: { type: 'two_deck' }, players: [{ name: 'Ann' }], phase: 'playing' };
const snapshot = (rest = {}) => ({
  t: 'snapshot',
  no: 5,
  now: 1000,
  table,
  seat: 0,
  n: 2,
  position: { seats: seats(), foundations: Array.from({ length: 8 }, () => []) },
  legal: { moves: {}, tap: {}, double: {} },
  ...rest,
});

function start() {
  const sent = [];
  const told = [];
  const line = { up: true };
  const session = createSession(
    (message) => (line.up && sent.push(message), line.up),
    (word) => told.push(word),
    () => 0,
  );
  session.receive(snapshot());
  return { session, sent, told, line };
}
const columns = (view) => view.seats[0].columns;

test('a play is shown at once, counts on from the last and says what was seen', () => {
  const { session, sent } = start();
  session.play({ do: 'move', card: 24, to: 't0' });
  assert.deepEqual(sent, [{ t: 'play', n: 3, seen: 5, do: { do: 'move', card: 24, to: 't0' } }]);
  assert.deepEqual(columns(session.view())[0], [K, 24]);
  assert.deepEqual(columns(session.state.position)[0], [K], 'the fold itself waits for the server');
});

test('three plays in flight: accepted in order, the picture never jumps', () => {
  const { session } = start();
  session.play({ do: 'move', card: 24, to: 't0' });
  session.play({ do: 'move', card: 26, to: 'f' });
  session.play({ do: 'draw' });
  const shown = JSON.stringify(session.view());
  const answers = [
    [{ ev: 'moved', cards: [24], source: 't1', target: 't0' }],
    [{ ev: 'moved', cards: [26], source: 't2', target: 'f4' }],
    [{ ev: 'drawn', cards: [-1] }],
  ];
  answers.forEach((events, i) => {
    session.receive({ t: 'update', no: 6 + i, at: 1100, seat: 0, n: 3 + i, events });
    assert.equal(JSON.stringify(session.view()), shown);
  });
  assert.equal(session.state.flights.length, 0);
});

test('a refused play takes back itself and what needed it, and nothing else', () => {
  const { session, told } = start();
  session.play({ do: 'move', card: 26, to: 'f' });
  session.play({ do: 'move', card: 24, to: 't0' });
  session.receive({ t: 'refused', n: 3, refusal: { code: 'overtaken', card: 78, by_ms: 40 } });
  assert.deepEqual(session.view().foundations[4], []);
  assert.deepEqual(columns(session.view())[0], [K, 24]);
  const refusal = told.find((word) => word.kind === 'refused');
  assert.equal(refusal.refusal.by_ms, 40);
  assert.equal(refusal.wish.card, 26);
});

test('the rival’s update under a flight stays under it', () => {
  const { session } = start();
  session.play({ do: 'move', card: 24, to: 't0' });
  session.receive({ t: 'update', no: 6, at: 1100, events: [{ ev: 'turned', column: 3, card: 7 }] });
  assert.deepEqual(columns(session.view())[0], [K, 24]);
  assert.deepEqual(columns(session.view())[3], [-1, 7]);
});

test('an update seen already changes nothing', () => {
  const { session } = start();
  const update = { t: 'update', no: 6, at: 1100, events: [{ ev: 'drawn', cards: [40] }] };
  session.receive(update);
  session.receive(update);
  assert.deepEqual(session.view().seats[0].waste, [40]);
});

test('after a break it asks for what came after, and sends again only what did not count', () => {
  const { session, sent, line } = start();
  session.play({ do: 'draw' });
  line.up = false;
  session.offline();
  session.play({ do: 'draw' });
  assert.deepEqual(session.rejoin(), { t: 'join', match: 'm1', legal: true, since: 5 });
  line.up = true;
  sent.length = 0;
  session.receive({ t: 'update', no: 6, at: 1200, seat: 0, n: 3, events: [{ ev: 'drawn', cards: [40] }] });
  assert.equal(sent.length, 0, 'not before the way back is complete');
  session.receive({ t: 'resumed', no: 6, n: 3 });
  assert.deepEqual(sent.map((message) => message.n), [4]);
  assert.deepEqual(session.view().seats[0].waste, [40, -1]);
});

test('a snapshot settles what counted; a rewound one forgets what was under way', () => {
  const { session, sent } = start();
  session.play({ do: 'draw' });
  session.play({ do: 'draw' });
  sent.length = 0;
  session.receive(snapshot({ no: 9, n: 3 }));
  assert.deepEqual(sent.map((message) => message.n), [4]);
  session.receive(snapshot({ no: 9, n: 3, rewound: true }));
  assert.equal(session.state.flights.length, 0);
  session.play({ do: 'draw' });
  assert.equal(sent.at(-1).n, 4);
});

test('a tab that was moved away plays nothing', () => {
  const { session, sent } = start();
  session.receive({ t: 'moved_away' });
  assert.equal(session.play({ do: 'draw' }), false);
  assert.equal(sent.length, 0);
});

test('the end cancels what is under way', () => {
  const { session } = start();
  session.play({ do: 'draw' });
  session.receive({ t: 'update', no: 6, at: 1100, events: [{ ev: 'ended', outcome: { reason: 'time', winner: 0, counts: [3, 1] } }] });
  assert.equal(session.state.flights.length, 0);
  assert.equal(session.view().outcome.reason, 'time');
});

test('a tap on a stock without a pass left shows nothing turned', () => {
  const turned = { columns: [[K]], down: [0], stock: [], waste: [3, 4], pass_number: 1 };
  const view = (terms) => {
    const { session } = start();
    const position = { seats: [turned], foundations: Array.from({ length: 8 }, () => []) };
    session.receive(snapshot({ no: 6, table: { ...table, terms }, position }));
    session.play({ do: 'recycle' });
    return session.view().seats[0];
  };
  assert.deepEqual(view({ type: 'two_deck', scoring: 'vegas' }).waste, [3, 4]);
  assert.deepEqual(view({ type: 'two_deck' }).waste, []);
});

test('a race is told to both', () => {
  const { session, told } = start();
  const race = { no: 6, by: 5, ms: 42, winner: 0, card: K };
  session.receive({ t: 'update', no: 6, at: 1100, seat: 1, n: 1, race });
  assert.deepEqual(told.filter(({ kind }) => kind === 'race'), [{ kind: 'race', race }]);
});

test('the clock believes the quickest answer, until it is old', () => {
  let local = 0;
  const clock = createClock(() => local);
  clock.set(5000);
  assert.equal(clock.now(), 5000, 'a word that took nobody knows how long');
  local = 100;
  clock.measure(5120, 40);
  assert.equal(clock.now(), 5140, 'half of 40 ms on its way');
  local = 1100;
  clock.measure(5900, 400);
  assert.equal(clock.now(), 6140, 'a slow answer does not spoil it');
  local = 2100;
  clock.measure(7130, 20);
  assert.equal(clock.now(), 7140);
  local = 40000;
  clock.measure(45000, 400);
  assert.equal(clock.now(), 45200, 'an old measure counts no more');
});

test('a duel asks for the time when it is entered and when it counts down', () => {
  const { session, sent } = start();
  const duel = { ...table, terms: { type: 'duel' }, players: [{ name: 'Ann' }, { name: 'Ben' }], phase: 'gathering' };
  session.receive(snapshot({ no: 6, table: duel, position: undefined }));
  session.receive({ t: 'update', no: 7, at: 1100, table: { ...duel, phase: 'countdown', starts_at: 4100 } });
  assert.equal(sent.filter(({ t }) => t === 'ping').length, 2);
  session.receive({ t: 'pong', sent: 0, now: 1100, lines: [38, null] });
  assert.deepEqual(session.state.lines, [38, null]);
});
