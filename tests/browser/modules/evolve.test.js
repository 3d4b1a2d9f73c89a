import assert from 'node:assert/strict';
import test from 'node:test';
import { evolve } from '../../../client/web/js/evolve.js';
import { readPosition } from '../../../client/web/js/wire.js';
import { data } from './data.js';

for (const game of data) {
  test(game.name, () => {
    let position = readPosition(game.opening);
    for (const { events, view } of game.steps) {
      const before = JSON.stringify(position);
      const old = position;
      for (const event of events) position = evolve(position, event);
      assert.deepEqual(position, readPosition(view));
      assert.equal(JSON.stringify(old), before, 'a position is never changed in place');
    }
  });
}
