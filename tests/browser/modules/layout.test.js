import assert from 'node:assert/strict';
import test from 'node:test';
import { fan, layout } from '../../../client/web/js/layout.js';
import { readPosition, readTerms } from '../../../client/web/js/wire.js';
import { data } from './data.js';

const SCREENS = [
  [1280, 748],
  [1920, 1028],
  [390, 792],
  [375, 560],
  [320, 480],
  [844, 350],
  [667, 320],
  [1024, 716],
  [768, 960],
];
const games = data.map(({ terms, view }) => ({ terms: readTerms(terms), view: readPosition(view), near: 0 }));

for (const [width, height] of SCREENS) {
  for (const leftHand of [false, true]) {
    test(`everything lies on the felt at ${width} x ${height}${leftHand ? ', left hand' : ''}`, () => {
      for (const game of games) {
        const laid = layout(game, { width, height }, { leftHand });
        for (const spot of laid.cards) {
          const name = `${game.terms.type} ${spot.key}`;
          assert.ok(spot.x >= -3 && spot.x + laid.cardW * spot.scale <= width + 3, `${name} x ${spot.x}`);
          assert.ok(spot.y >= -3 && spot.y + laid.cardH * spot.scale <= height + 3, `${name} y ${spot.y}`);
        }
        const keys = laid.cards.map((spot) => spot.key);
        assert.equal(new Set(keys).size, keys.length, 'one element a card');
        const counted = Object.values(laid.piles).reduce((sum, pile) => sum + pile.count, 0);
        assert.equal(counted, game.terms.type === 'klondike' ? 52 : 104);
      }
    });

    test(`no pile covers another at ${width} x ${height}${leftHand ? ', left hand' : ''}`, () => {
      for (const game of games) {
        const piles = Object.values(layout(game, { width, height }, { leftHand }).piles);
        for (const [i, a] of piles.entries()) {
          for (const b of piles.slice(i + 1)) {
            const across = Math.min(a.cards.x + a.cards.w, b.cards.x + b.cards.w) - Math.max(a.cards.x, b.cards.x);
            const down = Math.min(a.cards.y + a.cards.h, b.cards.y + b.cards.h) - Math.max(a.cards.y, b.cards.y);
            const meet = across > 3 && down > 3;
            assert.ok(!meet, `${game.terms.type}: ${a.pile} meets ${b.pile} by ${across} x ${down}`);
          }
        }
      }
    });
  }
}

test('a column fits its room as long as it can, and every card shows', () => {
  for (const [cards, down, room] of [[1, 0, 300], [7, 6, 200], [19, 6, 300], [13, 0, 250], [20, 8, 320]]) {
    const offsets = fan(cards, down, 80, room);
    assert.equal(offsets.length, cards);
    assert.equal(offsets[0], 0);
    for (let i = 1; i < cards; i += 1) assert.ok(offsets[i] > offsets[i - 1]);
    if (cards < 15) assert.ok(offsets.at(-1) + 80 <= room + 1, `${cards} cards in ${room}`);
  }
});

test('the top back of a stock is its last card, which lights up with the pile', () => {
  for (const game of games) {
    const { cards, piles } = layout(game, { width: 1280, height: 748 }, { leftHand: false });
    for (const pile of Object.values(piles).filter(({ pile, count }) => pile.endsWith(':s') && count)) {
      const backs = cards.filter((spot) => spot.pile === pile.pile).sort((a, b) => a.z - b.z);
      assert.equal(backs.at(-1).index, pile.count - 1);
    }
  }
});
