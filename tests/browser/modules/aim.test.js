import assert from 'node:assert/strict';
import test from 'node:test';
import { TOLERANCE, dropTarget, lifted, lights, tapped, targetOf } from '../../../client/web/js/aim.js';
import { layout } from '../../../client/web/js/layout.js';
import { readLegal, readPosition, readTerms } from '../../../client/web/js/wire.js';
import { data } from './data.js';

const felt = { width: 1280, height: 748 };
const tables = data.map((raw) => {
  const game = { terms: readTerms(raw.terms), view: readPosition(raw.view), near: 0 };
  return { game, table: { view: game.view, seat: 0, legal: readLegal(raw.legal) }, laid: layout(game, felt, { leftHand: false }) };
});

/** Every legal move of every table, with the rectangle of its card and of where it goes. */
function* moves() {
  for (const { table, laid } of tables) {
    for (const [name, targets] of Object.entries(table.legal.moves)) {
      const card = Number(name);
      const from = laid.cards.find((spot) => spot.card === card);
      for (const to of targets) {
        const [pile] = lights({ ...table, legal: { ...table.legal, moves: { [card]: [to] } } }, card, Object.keys(laid.piles));
        yield { table, laid, card, from, to, pile: laid.piles[pile] };
      }
    }
  }
}

const rectAt = (laid, from, x, y) => ({ x, y, w: laid.cardW * from.scale, h: laid.cardH * from.scale });

test('a card dropped on its target goes there, wherever on a foundation area', () => {
  let tried = 0;
  for (const { table, laid, card, from, to, pile } of moves()) {
    const rect = rectAt(laid, from, pile.cards.x, pile.cards.y + pile.cards.h - pile.h);
    assert.equal(dropTarget(laid, table, card, rect), to);
    tried += 1;
  }
  assert.ok(tried > 50, `${tried} moves tried`);
});

test('a near miss counts when one legal pile is near', () => {
  let tried = 0;
  for (const { table, laid, card, from, to, pile } of moves()) {
    if (table.legal.moves[card].length > 1 || to === 'f') continue;
    const empty = { ...laid, piles: { [from.pile]: laid.piles[from.pile], [pile.pile]: pile } };
    const below = pile.cards.y + pile.cards.h + pile.cards.h * TOLERANCE * 0.97;
    const rect = rectAt(laid, from, pile.cards.x, below);
    if (Math.abs(from.x - pile.x) < laid.cardW) continue;
    assert.equal(dropTarget(empty, table, card, rect), to);
    tried += 1;
  }
  assert.ok(tried > 10, `${tried} moves tried`);
});

test('a card put down where it was goes home', () => {
  for (const { table, laid, card, from } of moves()) {
    assert.equal(dropTarget(laid, table, card, rectAt(laid, from, from.x + 4, from.y + 4)), null);
  }
});

test('a card let go with the pointer on a foundation that does not take it is sent, to hear why', () => {
  let tried = 0;
  for (const { table, laid } of tables) {
    for (const from of laid.cards) {
      if (from.card < 0 || !from.pile.startsWith('0:t') || table.legal.moves[from.card] || !lifted(table, from.card).length) continue;
      const pile = laid.piles.f0;
      const rect = rectAt(laid, from, pile.x + (pile.w - laid.cardW * from.scale) / 2, pile.y + pile.h / 2 - 5); // held by its upper edge
      assert.equal(dropTarget(laid, table, from.card, rect), 'f');
      tried += 1;
    }
  }
  assert.ok(tried > 20, `${tried} drops tried`);
});

test('with a card all those on it are lifted, and nothing of the rival', () => {
  for (const { table, laid } of tables) {
    for (const spot of laid.cards) {
      if (spot.card < 0) continue;
      const run = lifted(table, spot.card);
      if (spot.pile.startsWith('1:')) assert.deepEqual(run, []);
      else if (spot.pile.includes(':t')) {
        assert.deepEqual(run, table.view.seats[0].columns[Number(spot.pile.slice(3))].slice(spot.index));
      }
    }
  }
});

test('a tap asks the server’s list; a second card is selected instead; a foundation never moves by it', () => {
  for (const { table, laid } of tables) {
    for (const spot of laid.cards) {
      if (spot.card < 0 || spot.pile.startsWith('1:')) continue;
      const at = { card: spot.card, pile: spot.pile };
      const first = tapped(table, at, { selected: null, double: false });
      const to = table.legal.tap[spot.card];
      if (spot.pile[0] === 'f') assert.ok(!('wish' in first));
      else if (to) assert.deepEqual(first, { wish: { do: 'move', card: spot.card, to } });
      const again = tapped(table, at, { selected: null, double: true });
      const second = table.legal.double[spot.card];
      if (second) assert.deepEqual(again, { wish: { do: 'move', card: spot.card, to: second } });
      const other = Object.keys(table.legal.moves).map(Number).find((card) => card !== spot.card);
      if (other === undefined || spot.pile[0] === 'f') continue;
      const meant = tapped(table, at, { selected: other, double: false });
      if (table.legal.moves[other].includes(targetOf(spot.pile))) assert.equal(meant.wish.card, other);
      else if (lifted(table, spot.card).length) assert.deepEqual(meant, { select: spot.card });
    }
    const stock = tapped(table, { card: null, pile: '0:s' }, { selected: null, double: false });
    assert.equal(stock.wish.do, table.view.seats[0].stock.length ? 'draw' : 'recycle');
  }
});
