import assert from 'node:assert/strict';
import test from 'node:test';
import { readCode } from '../../../client/web/js/codes.js';
import { DICTIONARIES, preferred, setLanguage, t } from '../../../client/web/js/i18n.js';
import { WORDS } from '../../../client/web/js/pages/say.js';
import { cardName, failureText, raceText, reasonText, refusalText, scoreText } from '../../../client/web/js/words.js';
import { data } from './data.js';

const { da, de, en } = DICTIONARIES;
const blanks = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

test('all languages have the same texts with the same blanks', () => {
  for (const words of [de, da]) {
    assert.deepEqual(Object.keys(words).sort(), Object.keys(en).sort());
    for (const [key, text] of Object.entries(en)) assert.deepEqual(blanks(words[key]), blanks(text), key);
  }
});

test('every refusal, end and failure has its words', () => {
  for (const code of data.refusal) assert.ok(en[`refusal.${code}`], code);
  for (const reason of data.reason) assert.ok(en[`reason.${reason}`], reason);
  for (const why of data.why) assert.ok(en[`reason.void.${why}`], why);
  assert.deepEqual(WORDS.map((word) => `emote.${word}`), data.emotes.map((word) => `emote.${word}`));
  for (const word of data.emotes) assert.ok(en[`emote.${word}`], word);
  for (const code of data.failed) assert.ok(failureText(code, 'why').length > 5, code);
});

test('cards and refusals are told in the reader’s language', () => {
  setLanguage('de');
  assert.equal(cardName(24), 'Herz Dame');
  assert.match(refusalText({ code: 'overtaken', card: 14, by_ms: 84 }), /Herz 2, 84 ms/);
  setLanguage('da');
  assert.equal(cardName(51), 'klør konge');
  setLanguage('en');
  assert.equal(cardName(52), 'ace of spades');
  assert.equal(t('no.such.key'), 'no.such.key');
  assert.deepEqual([0, 1, 2].map((n) => t('pile.count', { pile: 'stock', n })), ['stock, 0 cards', 'stock, 1 card', 'stock, 2 cards']);
  assert.equal(preferred(['fr-FR', 'da-DK', 'en']), 'da');
});

test('dollars are shown as the rules want them', () => {
  assert.deepEqual([416, 0, -104].map((score) => scoreText(score, 'vegas')), ['$416', '$0', '-$104']);
  assert.equal(scoreText(120, 'standard'), '120');
});

test('a typed code is told apart: deal or room', () => {
  for (const text of ['DS1-D3V-AAAAAAB', 'ds1d3vaaaaaab', ' ds1–d3v–aaaaaab ', 'ＤＳ１-Ｄ３Ｖ-ＡＡＡＡＡＡＢ']) {
    const { deal } = readCode(text);
    assert.deepEqual([deal.type, deal.draw, deal.scoring], ['two_deck', 3, 'vegas'], text);
  }
  assert.equal(readCode('KL1-D1S-AAAAACH').deal.type, 'klondike');
  assert.deepEqual(readCode(' mzera '), { room: 'mzera' });
});

test('who was first and why a game is void are told in words', () => {
  const table = { players: [{ name: 'Ann' }, { name: 'Ben' }] };
  const race = { no: 9, by: 8, ms: 42, winner: 0, card: 27 };
  assert.equal(raceText(race, table, 0), 'You were first: 2 of diamonds, 42 ms before Ben.');
  assert.equal(raceText(race, table, null), 'Ann was first: 2 of diamonds, 42 ms ahead.');
  assert.match(reasonText({ reason: 'void', winner: null, counts: [0, 0], why: 'both_away' }, table), /both were away/);
  assert.equal(reasonText({ reason: 'void', winner: null, counts: [0, 0], why: null }, table), 'The game does not count.');
});
