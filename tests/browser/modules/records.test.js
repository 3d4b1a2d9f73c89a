import assert from 'node:assert/strict';
import test from 'node:test';
import { daysIn, firstDay, isDate, isMonth, monthOf, monthText, shiftDate, shiftMonth, weekday, weekdays, weeksOf } from '../../../client/web/js/dates.js';
import { setLanguage } from '../../../client/web/js/i18n.js';
import { boardsText } from '../../../client/web/js/records/after.js';
import { readWanted, writeWanted } from '../../../client/web/js/records/board_query.js';
import { stateOf } from '../../../client/web/js/records/calendar.js';
import { counted, isSettled, number, percent, ratingText, score, signed, time } from '../../../client/web/js/records/figures.js';
import { dateText, localDate } from '../../../client/web/js/today.js';
import { data } from './data.js';

/** From UTC-11 to UTC+14, with change-overs in both halves of the year, of half an hour too. */
const ZONES = ['Pacific/Pago_Pago', 'America/New_York', 'UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Kiritimati'];

/** @param {(zone: string) => void} check */
function inEveryZone(check) {
  const before = process.env.TZ;
  for (const zone of ZONES) {
    process.env.TZ = zone;
    check(zone);
  }
  if (before === undefined) delete process.env.TZ;
  else process.env.TZ = before;
}

test('every month of twelve years has its days, each once and in order, in every zone and with every start of the week', () => {
  const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  inEveryZone((zone) => {
    for (let month = '2020-01', i = 0; i < 144; i += 1, month = shiftMonth(month, 1)) {
      const leap = i % 12 === 1 && [2020, 2024, 2028].includes(2020 + Math.floor(i / 12));
      assert.equal(daysIn(month), (lengths[i % 12] ?? 0) + (leap ? 1 : 0), `${month} ${zone}`);
      const first = (i % 7) + 1;
      const weeks = weeksOf(month, first);
      const dates = weeks.flat().filter(Boolean);
      assert.deepEqual(dates, dates.map((_, n) => shiftDate(`${month}-01`, n)), month);
      assert.equal(dates.length, daysIn(month));
      for (const week of weeks) {
        assert.equal(week.length, 7);
        assert.ok(week.some(Boolean));
        week.forEach((date, n) => date && assert.equal(weekday(date), ((first - 1 + n) % 7) + 1));
      }
    }
  });
});

test('months and dates step over the ends of years, and back', () => {
  assert.deepEqual([shiftMonth('2026-12', 1), shiftMonth('2026-01', -1), shiftMonth('2026-05', -17)], ['2027-01', '2025-12', '2024-12']);
  assert.deepEqual([shiftDate('2026-12-31', 1), shiftDate('2028-03-01', -1), shiftDate('2027-03-01', -1)], ['2027-01-01', '2028-02-29', '2027-02-28']);
  assert.deepEqual(['2026-02-29', '2026-13-01', '2026-1-1', 'x', '0000-01-01', '2028-02-29'].map(isDate), [false, false, false, false, false, true]);
  assert.deepEqual(['2026-12', '2026-00', '2026', ''].map(isMonth), [true, false, false, false]);
});

test('the day and its month are the player’s, a minute before midnight and after it, on nights of change-over too', () => {
  const nights = ['2026-12-31', '2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01', '2027-02-28'];
  inEveryZone((zone) => {
    for (const night of nights) {
      const [year, month, day] = night.split('-').map(Number);
      const before = new Date(year, month - 1, day, 23, 59, 30);
      const after = new Date(year, month - 1, day + 1, 0, 0, 30);
      assert.equal(localDate(before), night, zone);
      assert.equal(localDate(after), shiftDate(night, 1), zone);
      assert.equal(monthOf(localDate(after)), night.endsWith('31') || night === '2027-02-28' ? shiftMonth(night.slice(0, 7), 1) : night.slice(0, 7));
      assert.match(dateText(night, 'en'), new RegExp(`\\b${day}, ${year}$`), zone);
    }
    assert.equal(monthText('2026-12', 'de'), 'Dezember 2026', zone);
    assert.equal(weekdays(1, 'en')[0]?.long, 'Monday', zone);
    assert.equal(weekdays(7, 'da')[0]?.long, 'søndag', zone);
  });
});

test('the week begins as the reader’s region has it', () => {
  assert.deepEqual([firstDay('en', 'en-US'), firstDay('en', 'en-GB'), firstDay('de', 'de-DE'), firstDay('da', 'da-DK')], [7, 1, 1, 1]);
  assert.equal(firstDay('de', 'en-US'), 1);
  assert.equal(firstDay('en', 'no tag'), 7);
});

test('a day is won, begun, missed, open or to come', () => {
  const day = { date: '2026-12-03', match: 'm', draw: 1, won: false, score: null, moves: null, ms: null };
  assert.equal(stateOf({ ...day, won: true }, '2026-12-03', '2026-12-05'), 'won');
  assert.equal(stateOf(day, '2026-12-03', '2026-12-03'), 'begun');
  assert.deepEqual(['2026-12-04', '2026-12-05', '2026-12-06'].map((date) => stateOf(undefined, date, '2026-12-05')), ['missed', 'new', 'future']);
});

test('every board has one address, and what is no board is read as the nearest one', () => {
  for (const game of ['klondike', 'two_deck', 'simultaneous', 'alternating'])
    for (const board of ['won', 'score', 'time', 'moves', 'streak'])
      for (const draw of [1, 3])
        for (const scoring of ['standard', 'normal', 'vegas', 'none'])
          for (const clean of [false, true])
            for (const date of [null, '2026-12-01']) {
              const wanted = readWanted(new URLSearchParams({ game, board, draw: String(draw), scoring, ...(clean ? { clean: '1' } : {}), ...(date ? { date } : {}) }));
              const query = writeWanted(wanted);
              assert.deepEqual(readWanted(new URLSearchParams(query)), wanted, query);
              assert.equal(wanted.board === 'rating', ['simultaneous', 'alternating'].includes(game), query);
              if (wanted.date) assert.ok(wanted.game === 'klondike' && wanted.scoring === 'standard' && ['score', 'time', 'moves'].includes(wanted.board));
              if (wanted.scoring === 'none') assert.notEqual(wanted.board, 'score');
            }
  assert.equal(writeWanted(readWanted(new URLSearchParams(''))), '');
  assert.deepEqual(readWanted(new URLSearchParams('game=whist&board=luck&draw=2&scoring=zen&rules=0.5&date=2026-02-30')), readWanted(new URLSearchParams('')));
});

test('figures are written as the reader writes them', () => {
  setLanguage('de');
  assert.deepEqual([number(12345), number(null), score(12345, 'standard'), score(-104, 'vegas')], ['12.345', '–', '12.345', '-$104']);
  assert.deepEqual([counted('records.days', 1), counted('records.days', 1234)], ['1 Tag', '1.234 Tage']);
  setLanguage('en');
  assert.deepEqual([percent(1, 3), percent(10, 10), percent(0, 4), percent(0, 0)], ['33.3%', '100%', '0%', '–']);
  assert.deepEqual([time(65_000), time(null), time(987_654_321)], ['1:05', '–', '274:20:54']);
  assert.deepEqual([11.6, -9.2, 0.3, -0.4].map(signed), ['+12', '−9', '±0', '±0']);
  assert.deepEqual([ratingText({ value: 1512.4, plus_minus: 84.2 }), ratingText({ value: 1500 })], ['1512 ± 84', '1500']);
  assert.deepEqual([isSettled({ games: data.settled }), isSettled({ games: data.settled - 1 })], [true, false]);
});

test('why a win is on no board is told, every reason', () => {
  setLanguage('en');
  assert.equal(boardsText({ off: [] }), 'This win counts for the leaderboards.');
  assert.equal(boardsText({ off: ['code', 'too_fast'] }), 'Not on the leaderboards: a typed deal code, faster than hands can play.');
  const words = data.off.map((why) => boardsText({ off: [why] }));
  assert.equal(new Set(words).size, data.off.length);
  for (const text of words) assert.doesNotMatch(text, /_/);
});
