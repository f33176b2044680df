/** Daily rows of days without a session, and dates that are years off. */

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionsBetween } from '../../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate, weekdayFromDay } from '../../../src/base/time/dates.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchOne } from '../support/segment-rows.ts';

const at = eachTest('2026-11-20T22:00:00Z');
const read = (options: SourceOptions = {}) =>
  fetchOne(fetchFiles({ path: at.folder, ...options }, at.context));

const HEADER = 'date,open,high,low,close,volume';
type Row = [date: string, ...numbers: (number | string)[]];

/** Made rows with prices that never repeat. */
const row = (date: string, i: number): Row => {
  const close = 50 + ((i * i * 37) % 101) / 100;
  return [date, close - 0.13, close + 0.51, close - 0.72, close, 1000 + i];
};
const sessions = (from: string, to: string) =>
  Array.from(sessionsBetween(dayFromDate(from), dayFromDate(to)), dateFromDay);
const days = (from: string, to: string) =>
  Array.from({ length: dayFromDate(to) - dayFromDate(from) + 1 }, (_, i) =>
    dateFromDay(dayFromDate(from) + i),
  );
const daily = (from = '2023-01-03', to = '2024-03-15') => sessions(from, to).map(row);
const csv = (rows: readonly Row[]) => [HEADER, ...rows.map(String), ''].join('\n');

async function readRows(rows: readonly Row[], options: SourceOptions = {}) {
  await at.write({ 'ABCD.csv': csv(rows) });
  const found = await read(options);
  return { dates: found.rows.map(({ date }) => date), reasons: found.reasons };
}

/** The same with the number of files that the exact way has read. */
async function readWays(rows: readonly Row[]) {
  await at.write({ 'ABCD.csv': csv(rows) });
  const { rows: kept, examined } = await read();
  return { dates: kept.map(({ date }) => date), examined: examined.length };
}

const NO_SESSION = (day: string) =>
  `no session on ${day}; if its market trades then, say so with --dates written`;

describe('a row of a day without a session', () => {
  // It made a Saturday the newest day of the market, and moved entries of other symbols.
  it.each(
    someOf(
      [
        ['2024-03-01', '2024-03-02', 'Saturday 2024-03-02'],
        ['2023-07-05', '2023-07-04', 'Tuesday 2023-07-04'],
        ['2018-12-06', '2018-12-05', 'Wednesday 2018-12-05'],
      ],
      3,
    ),
  )('is refused: %s written as %s', async (right, wrong, named) => {
    const dates = sessions('2018-01-02', '2024-03-15');
    const rows = dates.map((date, i) => row(date === right ? wrong : date, i));
    expect(await readRows(rows)).toEqual({
      dates: dates.filter((date) => date !== right),
      reasons: { [NO_SESSION(named)]: 1 },
    });
    expect((await readRows(rows, { dates: 'written' })).dates).toContain(wrong);
  });

  long('is refused alone of one symbol, in a column of symbols', async () => {
    const lines = (symbol: string, rows: readonly Row[]) => rows.map((one) => `${symbol},${one}`);
    const odd: Row = ['2024-03-16', 50, 51, 49, 50.5, 7];
    const all = [...lines('AAAA', daily()), ...lines('BBBB', [...daily(), odd])];
    await at.write({ 'market.csv': [`symbol,${HEADER}`, ...all, ''].join('\n') });
    const { rows, reasons } = await read();
    expect(rows).toHaveLength(2 * daily().length);
    expect(reasons).toEqual({ [NO_SESSION('Saturday 2024-03-16')]: 1 });
  });

  it('is refused in a file of that day alone, for all symbols', async () => {
    const lines = ['AAAA', 'BBBB', 'CCCC'].map((symbol) => `${symbol},2024-03-16,5,6,4,5,7`);
    await at.write({ 'market.csv': [`symbol,${HEADER}`, ...lines, ''].join('\n') });
    const { rows, reasons } = await read();
    expect([rows, Object.entries(reasons)]).toEqual([
      [],
      [[expect.stringContaining('2024-03-16 is a Saturday without a session'), 3]],
    ]);
  });

  it('is kept where only the New York Stock Exchange was closed: 1985-09-27', async () => {
    const rows = days('1985-09-23', '1985-10-04').flatMap((date, i) =>
      weekdayFromDay(dayFromDate(date)) % 6 === 0 ? [] : [row(date, i)],
    );
    expect(await readRows(rows)).toMatchObject({ dates: { length: 10 }, reasons: {} });
  });
});

describe('a file that fills days without a session', () => {
  const known = new Map(daily().map((one) => [one[0], one]));
  const filled = (of: (date: string, before: Row) => Row) => {
    let before: Row = ['', 0];
    return days('2023-01-03', '2024-03-15').map((date) => {
      const own = known.get(date);
      before = own ?? before;
      return own ?? of(date, before);
    });
  };
  const next = (date: string) => daily().find(([other]) => other > date)!;
  const line = (date: string, before: Row): Row => {
    const [from, to] = [before, next(date)];
    const span = dayFromDate(to[0]) - dayFromDate(from[0]);
    const share = (dayFromDate(date) - dayFromDate(from[0])) / span;
    const values = [1, 2, 3, 4, 5].map((column) => {
      const [a, b] = [Number(from[column]), Number(to[column])];
      return a + (b - a) * share;
    });
    return [date, ...values];
  };
  const NAMES: Record<string, (date: string, before: Row) => Row> = {
    'flat at the close, without volume': (date, [, , , , close]) => [
      ...([date, close, close, close, close, 0] as Row),
    ],
    'the bar before again': (date, [, ...values]) => [date, ...values],
    'the next bar': (date) => [date, ...next(date).slice(1)] as Row,
    'a line to the next bar': line,
    'empty cells': (date) => [date, '', '', '', '', ''],
    zeros: (date) => [date, 0, 0, 0, 0, 0],
  };
  it.each(someOf(Object.entries(NAMES), 3))('has none of them: %s', async (_, of) => {
    expect(await readRows(filled(of))).toEqual({
      dates: [...known.keys()],
      reasons: { 'no session on the day, which the row only fills': 136 },
    });
  });
});

describe('another market', () => {
  it('keeps a few bars that leave no day out, and none at the end', async () => {
    const weekdays = days('2024-01-08', '2024-01-19').filter(
      (date) => weekdayFromDay(dayFromDate(date)) % 6 !== 0,
    );
    const constant = weekdays.map((date, i): Row => [date, 10.5, 11, 10, 10.75, 1000 + i]);
    expect(await readRows(constant)).toMatchObject({ dates: weekdays, reasons: {} });
    expect(await readRows(constant.map((one): Row => [...(one.slice(0, 5) as Row), 1000]))).toEqual(
      {
        dates: weekdays,
        reasons: {},
      },
    );
    expect(await readRows(constant.slice(0, 6))).toEqual({
      dates: weekdays.slice(0, 5),
      reasons: { [NO_SESSION('Monday 2024-01-15')]: 1 },
    });
  });

  // Milan traded on Juneteenth of 2022; a file of a month shows no more of its calendar.
  long('keeps the holiday of a short file in its place, and no wrong date', async () => {
    const month = days('2022-06-01', '2022-06-30').filter(
      (date) => weekdayFromDay(dayFromDate(date)) % 6 !== 0 && date !== '2022-06-02',
    );
    expect(await readRows(month.map(row))).toEqual({ dates: month, reasons: {} });
    const wrong = month.filter((date) => date !== '2022-06-21');
    expect((await readRows(wrong.map(row))).reasons).toEqual({
      [NO_SESSION('Monday 2022-06-20')]: 1,
    });
    const moved = [...month.filter((date) => date !== '2022-06-20').map(row), row('2022-06-20', 9)];
    expect((await readRows(moved)).reasons).toEqual({ [NO_SESSION('Monday 2022-06-20')]: 1 });
  });

  long('keeps its weekends, and its own days of trading', async () => {
    const week = days('2023-01-01', '2023-03-31').map(row);
    const foreign = days('2023-01-03', '2023-12-22').flatMap((date, i) =>
      weekdayFromDay(dayFromDate(date)) % 6 === 0 ? [] : [row(date, i)],
    );
    for (const rows of [week, foreign]) {
      expect(await readWays(rows)).toEqual({ dates: rows.map(([date]) => date), examined: 0 });
    }
    const lines = [...week.map((one) => `WEEK,${one}`), ...foreign.map((one) => `FORE,${one}`)];
    await at.write({ 'market.csv': [`symbol,${HEADER}`, ...lines, ''].join('\n') });
    const path = join(at.folder, 'market.csv');
    const { rows, reasons, segment } = await read({ path });
    expect([rows.length, reasons]).toEqual([lines.length, {}]);
    expect(segment.groups.map(({ selectSql }) => selectSql.includes('typed-'))).toEqual([true]);
  });

  long('is none where rows only fill the days', async () => {
    const open = sessions('2023-01-03', '2023-12-22');
    const known = new Map(open.map((date, i) => [date, row(date, i)]));
    let last = row('2023-01-02', 0);
    const filled = days('2023-01-03', '2023-12-22').map((date) => {
      last = known.get(date) ?? ([date, ...last.slice(1)] as Row);
      return last;
    });
    expect(await readWays(filled)).toEqual({ dates: open, examined: 1 });
  });
});

describe('a date that is years off', () => {
  const yearsOff = (place: number, year: string) =>
    daily().map(
      (one, i, all): Row =>
        i === (place + all.length) % all.length
          ? ([`${year}${one[0].slice(4)}`, ...one.slice(1)] as Row)
          : one,
    );
  it.each(
    someOf(
      [
        ['newest', -1, '2025', '2024-03-15'],
        ['oldest', 0, '2019', '2023-01-03'],
      ],
      2,
    ),
  )('is refused: the %s', async (_, place, year, meant) => {
    const wrong = `${year}${meant.slice(4)}`;
    expect(await readRows(yearsOff(place, year))).toEqual({
      dates: sessions('2023-01-03', '2024-03-15').filter((date) => date !== meant),
      reasons: {
        [`${wrong} is years from all other dates, and the session of ${meant} is missing; if the date is right, say so with --dates written`]: 1,
      },
    });
    expect((await readRows(yearsOff(place, year), { dates: 'written' })).reasons).toEqual({});
  });

  // HEWC's first bar of 2015 was weeks before its second one, and its later years have holes.
  it('is no date of a share that trades on few days', async () => {
    const thin = daily().filter((_, i) => i % 5 !== 3);
    const rows = [row('2022-10-17', 3), ...thin.filter(([date]) => date !== '2023-10-17')];
    expect(await readRows(rows)).toMatchObject({ dates: { length: rows.length }, reasons: {} });
  });

  it('is no first bar after a long halt, on a date of no missing session', async () => {
    const rows = [...daily(), row('2025-06-03', 7)];
    expect(await readRows(rows)).toMatchObject({ dates: { length: rows.length }, reasons: {} });
  });
});

describe('a date that is months off', () => {
  const reasonOf = (wrong: string, meant: string) =>
    `${wrong} is months from all other dates, and the session of ${meant} is missing; if the date is right, say so with --dates written`;
  it.each(
    someOf(
      [
        ['newest', '2024-03-15', '2024-05-15'],
        ['oldest', '2023-01-03', '2022-11-03'],
      ],
      2,
    ),
  )('is refused: the %s', async (_, meant, wrong) => {
    const rows = daily().map(
      (one): Row => (one[0] === meant ? ([wrong, ...one.slice(1)] as Row) : one),
    );
    expect(await readRows(rows)).toEqual({
      dates: sessions('2023-01-03', '2024-03-15').filter((date) => date !== meant),
      reasons: { [reasonOf(wrong, meant)]: 1 },
    });
  });

  it('is refused in the file of a few days', async () => {
    const rows = ['2024-03-12', '2024-03-13', '2024-05-14'].map(row);
    expect((await readRows(rows)).reasons).toEqual({ [reasonOf('2024-05-14', '2024-03-14')]: 1 });
  });

  it('is loaded after a pause that ends on another day of the month', async () => {
    const rows = [...daily(), row('2024-05-17', 7)];
    expect(await readRows(rows)).toMatchObject({ dates: { length: rows.length }, reasons: {} });
  });
});

// It replaced the bar of its wrong date, as the later line.
describe('a date that its place in the file contradicts', () => {
  const misplaced = (wrong: string) =>
    daily().map((one): Row => (one[0] === '2023-09-21' ? ([wrong, ...one.slice(1)] as Row) : one));
  it('is refused, in either order of the rows', async () => {
    const dates = ['2023-07-21', '2023-11-21', '2023-09-12', '2022-12-01', '2025-09-21'];
    const files = dates.flatMap((wrong) => [misplaced(wrong), misplaced(wrong).toReversed()]);
    const symbols = files.map((_, i) => `ABC${String.fromCharCode(65 + i)}`);
    await at.write(Object.fromEntries(files.map((rows, i) => [`${symbols[i]}.csv`, csv(rows)])));
    const { rows, reasons } = await read();
    const right = sessions('2023-01-03', '2024-03-15').filter((date) => date !== '2023-09-21');
    for (const name of symbols) {
      const own = rows.filter(({ symbol }) => symbol === name);
      expect(own.map(({ date }) => date)).toEqual(right);
    }
    expect(reasons).toEqual(
      Object.fromEntries(
        dates.map((wrong) => [
          `${wrong} stands between 2023-09-20 and 2023-09-22, and the session of 2023-09-21 is missing; if the date is right, say so with --dates written`,
          2,
        ]),
      ),
    );
  });

  it('is taken as written where no session is missing, or many rows are in no order', async () => {
    const all = daily();
    const moved = [...all.slice(0, 50), ...all.slice(51, 80), all[50], ...all.slice(80)];
    expect(await readRows(moved)).toMatchObject({ dates: { length: all.length }, reasons: {} });
  });
});

// A typo in the newest line replaced an older bar without a word.
it('a last row with the date of an older bar is named, and counts as a correction', async () => {
  const older = daily()[180];
  const close = Number(older[4]);
  const typed: Row = [older[0], ...older.slice(1, 4), close + 0.05, 1175];
  await at.write({ 'ABCD.csv': csv([...daily(), typed]) });
  const { segment, rows } = await read();
  expect(rows.find(({ date }) => date === older[0])?.volume).toBe(1175);
  expect(segment.notes).toEqual([
    expect.stringContaining(
      `the last row has the date ${older[0]}, which is before 2024-03-15 in the row before it: its close of ${close + 0.05} replaces ${close};`,
    ),
  ]);
  await at.write({ 'ABCD.csv': csv([...daily(), older]) });
  expect((await read()).segment.notes).toEqual([]);
});

it('a stored series shows its market to a file of one day', async () => {
  const served = sessions('2024-01-02', '2024-06-28').concat(
    '2024-01-15',
    '2024-02-19',
    '2024-05-27',
  );
  await at.write({ 'RY.csv': csv([row('2024-07-04', 5)]), 'SPY.csv': csv([row('2024-07-04', 6)]) });
  const servedDays = (symbol: string) =>
    symbol === 'RY' ? served.map((date) => dayFromDate(date)).sort() : undefined;
  const { rows } = await fetchOne(fetchFiles({ path: at.folder }, { ...at.context, servedDays }));
  expect(rows.map(({ symbol }) => symbol)).toEqual(['RY']);
});

// Only the Sunday was refused, and the next bars were served a day early.
describe('a few dates of a long file that are a day early or late', () => {
  const moved = (from: string, count: number, by: number) =>
    daily().map(([date, ...values]): Row => {
      const place = sessions(from, date).length;
      const isMoved = date >= from && place <= count;
      return [isMoved ? dateFromDay(dayFromDate(date) + by) : date, ...values];
    });

  it.each(
    someOf(
      [
        ['2024-03-04', 3, -1, 'Sunday 2024-03-03 has no session', '2024-03-06'],
        ['2024-02-20', 4, -1, 'Monday 2024-02-19 has no session', '2024-02-23'],
        ['2024-03-06', 3, 1, 'Saturday 2024-03-09 has no session', '2024-03-06'],
        ['2024-03-05', 3, -1, '2024-03-04 has several bars', '2024-03-07'],
        ['2024-03-05', 3, 1, '2024-03-08 has several bars', '2024-03-05'],
      ],
      5,
    ),
  )('are refused: from %s on, %i by %i', async (from, count, by, fact, missing) => {
    const rows = moved(from, count, by);
    const { dates, reasons } = await readRows(rows);
    const [[reason, refused]] = Object.entries(reasons);
    expect([Object.keys(reasons).length, refused]).toEqual([
      1,
      count + (fact.includes('several') ? 1 : 0),
    ]);
    expect(reason).toContain(`a day ${by < 0 ? 'early' : 'late'}: ${fact}, and the session of`);
    expect(reason).toContain(`${missing} has no bar`);
    const right = daily().map(String);
    expect(rows.filter((one) => dates.includes(one[0]) && !right.includes(String(one)))).toEqual(
      [],
    );
    expect(dates.length + (refused ?? 0)).toBe(rows.length);
    const written = rows.filter((one) => !right.includes(String(one))).map(([date]) => date);
    expect((await readRows(rows, { dates: 'written' })).dates).toContain(written[1]);
  });

  long('are kept where other days are missing, too', async () => {
    const holes = daily().filter(([date], i) => i % 20 !== 7 || date > '2024-02-26');
    const rows = holes.filter(([date]) => date !== '2024-03-06');
    const odd: Row = ['2024-03-03', 50, 51, 49, 50.5, 7];
    const all = [...rows, odd].toSorted(([a], [b]) => (a < b ? -1 : 1));
    expect((await readRows(all)).reasons).toEqual({ [NO_SESSION('Sunday 2024-03-03')]: 1 });
  });
});
