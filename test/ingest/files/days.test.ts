/** The day of a bar, and files whose bars are of no days. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { sessionsBetween } from '../../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { inMemory } from '../support/in-memory.ts';
import { fetchAll, fetchOne } from '../support/segment-rows.ts';

const at = eachTest('2026-11-20T22:00:00Z');

const read = (options: SourceOptions = {}) =>
  fetchOne(fetchFiles({ path: at.folder, ...options }, at.context));
const refusal = (options: SourceOptions = {}) =>
  fetchAll(fetchFiles({ path: at.folder, ...options }, at.context)).then(
    (all) => all.flatMap(({ segment }) => segment.skipped.map(({ reason }) => reason)).join('\n'),
    (error: Error) => error.message,
  );

const header = 'date,open,high,low,close,volume';
const bars = (...dates: string[]) =>
  [header, ...dates.map((date, i) => `${date},${50 + i / 100},99,1,${50 + i / 100},1`), ''].join(
    '\n',
  );
const sessions = (from: string, to: string, move = 0) =>
  Array.from(sessionsBetween(dayFromDate(from), dayFromDate(to)), (day) => dateFromDay(day + move));
const weeks = (from: string, count: number) =>
  Array.from({ length: count }, (_, i) => dateFromDay(dayFromDate(from) + i * 7));

describe('weekly and longer bars', () => {
  it('are refused by name, and read with --interval 1d', async () => {
    await at.write({ 'ABCD.csv': bars(...weeks('2024-01-08', 12)) });
    expect(await refusal()).toContain(
      'it holds weekly bars (its dates are all Mondays, a week apart), and bars of 1d, 1m and 5m are read: 5m to 4h are made from 1m; if they are bars of days, say so with --interval 1d',
    );
    expect((await read({ interval: '1d' })).rows).toHaveLength(12);
  });

  it('are refused where a few lie unevenly: months of 28 and 33 days, and a week left out', async () => {
    await at.write({
      'AAAA.csv': bars('2023-02-01', '2023-03-01', '2023-04-03'),
      'BBBB.csv': bars('2024-01-08', '2024-01-22', '2024-01-29'),
    });
    expect(await refusal()).toMatch(
      /it holds (monthly|weekly) bars.*it holds (monthly|weekly) bars/s,
    );
  });

  // A stretch of a file had it refused whole, and so had weekly bars before the daily ones.
  it('are refused behind hundreds of daily bars, and in a file of several symbols', async () => {
    const daily = sessions('2022-01-03', '2023-06-30');
    const later = sessions('2023-08-29', '2023-12-29');
    const every = sessions('2024-01-02', '2024-12-31').filter(
      (_, i) => i < 100 || i > 130 || i % 3 === 0,
    );
    const [stretch, thirds] = [
      'it holds weekly bars (from 2023-07-03 to 2023-08-28 its dates are all Mondays, a week apart)',
      'it holds bars of 3 sessions (from 2024-05-23 to 2024-07-09 its dates are all 3 sessions apart)',
    ];
    await at.write({ 'ABCD.csv': bars(...daily, ...weeks('2023-07-03', 9), ...later, ...every) });
    const { rows: kept, reasons: refused } = await read();
    expect([kept.length, Object.entries(refused)]).toEqual([
      daily.length + later.length + every.length - 11,
      [
        [expect.stringContaining(thirds), 11],
        [expect.stringContaining(stretch), 9],
      ],
    ]);
    await at.write({ 'ABCD.csv': bars(...weeks('2021-01-04', 40), ...daily) });
    expect((await read()).rows).toHaveLength(daily.length);
    const lines = (symbol: string, dates: string[]) =>
      dates.map((date) => `${symbol},${date},1,1,1,1,1`);
    const both = [...lines('AAA', daily.slice(0, 40)), ...lines('BBB', weeks('2022-01-03', 8))];
    await at.write({ 'ABCD.csv': [`symbol,${header}`, ...both, ''].join('\n') });
    const { rows, reasons, segment } = await read();
    expect(new Set(rows.map(({ symbol }) => symbol))).toEqual(new Set(['AAA']));
    const isWeekly = expect.stringContaining('it holds weekly bars');
    expect(Object.keys(reasons)).toEqual([isWeekly]);
    // A command then ends with 1, as for a file of its own.
    expect(segment.skipped).toEqual([
      { name: 'BBB of ABCD.csv', reason: isWeekly, isRefused: true },
    ]);
    expect(segment.readings).toMatchObject([{ symbols: 1, symbol: 'AAA' }]);
    // They hold no other symbol, though they are a sixth of all rows.
    expect([segment.rejectedLines, segment.refusedFileLines?.()]).toEqual([8, 8]);
  });

  long('are one of several symbols whose rows are of several securities', async () => {
    const days = sessions('2022-01-03', '2022-01-14');
    const lines = (symbol: string, price: number) =>
      days.map((date) => `${symbol},${date},${price},${price},${price},${price},1`);
    const rows = [...lines('AAA', 1), ...lines('BBB', 10), ...lines('BBB', 50)];
    await at.write({ 'ABCD.csv': [`symbol,${header}`, ...rows, ''].join('\n') });
    const reason = expect.stringContaining('it holds several securities');
    const { segment } = await read();
    expect(segment.skipped).toEqual([{ name: 'BBB of ABCD.csv', reason, isRefused: true }]);
    expect([segment.rejectedLines, segment.refusedFileLines?.()]).toEqual([20, 20]);
  });

  it('are no dates where rows are counted', async () => {
    for (const first of [0, 1]) {
      await at.write({ 'ABCD.csv': bars(...[0, 1, 2].map((at) => String(first + at))) });
      expect(await refusal()).toContain(
        `its column of dates counts rows (${[0, 1, 2].map((at) => first + at).join(', ')}, …)`,
      );
    }
  });

  it('are refused by a column that names them', async () => {
    const told = (name: string, text: string) =>
      bars('2024-01-08', '2024-01-10')
        .trimEnd()
        .split('\n')
        .map((line, i) => `${line},${i === 0 ? name : text}`)
        .join('\n');
    await at.write({ 'ABCD.csv': told('interval', '1wk') });
    expect(await refusal()).toContain('it holds weekly bars (its column "interval" says 1wk)');
    await at.write({ 'ABCD.csv': told('timeframe', 'M') });
    expect(await refusal()).toContain('it holds monthly bars (its column "timeframe" says M)');
    await at.write({ 'ABCD.csv': told('period', '1h') });
    expect(await refusal()).toContain('it holds bars of 1h (its column "period" says 1h)');
    await at.write({ 'ABCD.csv': told('multiplier,timespan', '5,day') });
    expect(await refusal()).toContain('it holds bars of 5 days (its column "timespan" says 5 day)');
    await at.write({ 'ABCD.csv': told('multiplier,timespan', '1,day') });
    expect((await read()).rows).toHaveLength(2);
    await at.write({ 'ABCD.csv': told('multiplier,interval', '100,1d') });
    expect((await read()).rows).toHaveLength(2);
    await at.write({ 'ABCD.csv': told('period', '2024Q1') });
    expect((await read()).rows).toHaveLength(2);
  });
});

describe('dates that are no sessions', () => {
  const early = sessions('2024-03-04', '2024-03-22', -1);

  it('are refused until --dates decides', async () => {
    await at.write({ 'ABCD.csv': bars(...early) });
    expect(await refusal()).toContain(
      'it may hold sessions of the dates as written (of its 15 dates 3 are Sundays (2024-03-03) and none is a Friday) or sessions of the day after each date (those are then days of trading, but no time of day says so): say which with --dates written|next|previous',
    );
    const dates = async (options: SourceOptions) =>
      (await read(options)).rows.map(({ date }) => date).slice(0, 2);
    expect(await dates({ dates: 'next' })).toEqual(['2024-03-04', '2024-03-05']);
    expect(await dates({ dates: 'written' })).toEqual(['2024-03-03', '2024-03-04']);
    await at.write({ 'ABCD.csv': bars(...sessions('2024-03-04', '2024-03-22', 1)) });
    expect(await refusal()).toContain('sessions of the day before each date');
    expect(await dates({ dates: 'previous' })).toEqual(['2024-03-04', '2024-03-05']);
  });

  it('are taken as written where the days beside them are sessions, and the reading says so', async () => {
    const words = async (...dates: string[]) => {
      await at.write({ 'ABCD.csv': bars(...dates) });
      return (await read()).segment.readings?.[0].reading.dates?.words;
    };
    const either =
      'sessions of the dates as written, by default: the days beside them are sessions, too';
    expect(await words('2024-03-05', '2024-03-06', '2024-03-07')).toBe(either);
    expect(await words('2024-03-04', '2024-03-05', '2024-03-06', '2024-03-07')).toBe(either);
    const week = ['2024-03-04', '2024-03-05', '2024-03-06', '2024-03-07', '2024-03-08'];
    expect(await words(...week)).toBe('dates as written');
    expect(await words('2024-03-05')).toBe('dates as written');
  });

  it('are refused in a file whose first dates are sessions', async () => {
    const later = sessions('2024-03-04', '2024-12-20', -1);
    await at.write({ 'ABCD.csv': bars(...sessions('2024-01-02', '2024-03-01'), ...later) });
    expect(await refusal()).toContain(
      'those are then days of trading, but no time of day says so, its other dates are sessions as written',
    );
    await at.write({ 'ABCD.csv': bars(...sessions('2024-01-02', '2024-12-20', -1)) });
    expect(await refusal()).toContain('--dates');
  });

  it('are told by the time of day', async () => {
    const days = sessions('2024-03-04', '2024-03-22');
    const unix = early.map((date) => String(Date.parse(`${date}T18:30:00Z`)));
    const stamps: Record<string, string[]> = {
      "Berlin's midnight": early.map((date) => `${date}T23:00:00.000Z`),
      "Auckland's midnight": early.map((date) => `${date}T11:00:00Z`),
      "UTC's midnight in New York": early.map((date) => `${date} 19:00:00-05:00`),
      "New York's opening in Sydney": sessions('2024-03-04', '2024-03-22', 1).map(
        (date) => `${date} 01:30:00`,
      ),
      "New York's opening": days.map((date) => `${date}T14:30:00Z`),
      "New York's close": days.map((date) => `${date}T21:00:00Z`),
      "New York's midnight": days.map((date) => `${date}T05:00:00Z`),
      'Unix times of the midnight of Kolkata': unix,
    };
    const names = Object.keys(stamps);
    const symbols = names.map((_, i) => `ABC${String.fromCharCode(65 + i)}`);
    await at.write(
      Object.fromEntries(names.map((name, i) => [`${symbols[i]}.csv`, bars(...stamps[name])])),
    );
    const { rows, segment } = await read();
    expect(segment.interval).toBe('1d');
    for (const [i, name] of names.entries()) {
      const own = rows.filter(({ symbol }) => symbol === symbols[i]);
      expect([name, ...own.map(({ date }) => date)]).toEqual([name, ...days]);
    }
  });

  it('are told where a zone has its midnight in UTC in winter only', async () => {
    const winter = sessions('2024-01-02', '2024-03-28').map((date) => `${date}T00:00:00.000Z`);
    const summer = sessions('2024-04-01', '2024-06-28', -1).map((date) => `${date}T23:00:00.000Z`);
    await at.write({ 'ABCD.csv': bars(...winter, ...summer) });
    expect((await read()).rows.map(({ date }) => date)).toEqual(
      sessions('2024-01-02', '2024-06-28'),
    );
  });

  long('are refused in a short file whose times are midnight further east', async () => {
    const stamps = ['2024-03-05', '2024-03-06'].map((date) => `${date}T23:00:00Z`);
    await at.write({ 'ABCD.csv': bars(...stamps) });
    expect(await refusal()).toContain(
      '23:00 of 2024-03-05 may be midnight further east) or sessions of the day after each date (those are then days of trading, but the dates as written are days of trading, too)',
    );
    expect((await read({ dates: 'next' })).rows.map(({ date }) => date)).toEqual([
      '2024-03-06',
      '2024-03-07',
    ]);
    const closes = ['2024-03-05', '2024-03-06'].map((date) => `${date}T21:00:00Z`);
    await at.write({ 'ABCD.csv': bars(...closes) });
    expect((await read()).rows.map(({ date }) => date)).toEqual(['2024-03-05', '2024-03-06']);
  });

  long('are refused with those of the same file that show nothing by themselves', async () => {
    const rows = [
      ...early.map((date) => `${date},AAA,50,51,49,50,1000`),
      ...['2024-03-04', '2024-03-05'].map((date) => `${date},BBB,60,61,59,60,1000`),
    ];
    await at.write({
      'all.csv': ['date,symbol,open,high,low,close,volume', ...rows, ''].join('\n'),
    });
    expect(await refusal()).toContain('are Sundays (2024-03-03) and none is a Friday');
    // A day's file of many symbols.
    const sunday = ['AAA', 'BBB'].map((symbol) => `2024-03-03,${symbol},50,51,49,50,1000`);
    await at.write({
      'all.csv': ['date,symbol,open,high,low,close,volume', ...sunday, ''].join('\n'),
    });
    expect(await refusal()).toContain('2024-03-03 is a Sunday without a session');
  });
});

describe('the last day of a daily file', () => {
  const opens = sessions('2024-03-11', '2024-05-06').map(
    (date) => Date.parse(`${date}T13:30:00Z`) / 1000,
  );
  const close = String(Date.parse('2024-05-06T20:00:00Z') / 1000);

  long('may stand twice, and the later one counts', async () => {
    await at.write({ 'ABCD.csv': bars(...opens.map(String), close) });
    for (const options of [{}, { interval: '1d' }] as const) {
      const { rows, reasons } = await read(options);
      expect([rows.length, rows.at(-1)?.date, rows.at(-1)?.close]).toEqual([
        40,
        '2024-05-06',
        50.4,
      ]);
      expect(reasons).toEqual({ 'a newer line has the same date': 1 });
    }
    await at.write({ 'ABCD.csv': bars(close, ...opens.map(String).reverse()) });
    expect((await read()).rows.at(-1)?.close).toBe(50);
  });

  // The line is no row of the table: its shape leaves it out.
  it('may be followed by a line that is no bar', async () => {
    const closing = '"Downloaded from Example.com as of 05-06-2026 07:29pm CDT"\n';
    const text = `Time,Open,High,Low,Last,Volume\n${sessions('2024-01-02', '2024-01-31')
      .map((date) => `${date.slice(5, 7)}/${date.slice(8)}/2024,10,11,9,10,1\n`)
      .join('')}${closing}`;
    await at.write({ 'EFGH.csv': text });
    const { rows, rejected } = await read();
    expect([rows.length, rejected]).toEqual([21, 0]);
  });
});

describe.skipIf(!hasRealdata)('real and made files', () => {
  test.each([
    ['real/AAPL_W.csv', 'it holds weekly bars'],
    ['real/AAPL-yahoo-monthly.csv', 'it holds monthly bars'],
    ['real/weekly_adjusted_IBM.csv', 'it holds weekly bars'],
    ['real/AAPL-shifted.txt', 'are Sundays (2017-03-05) and none is a Friday'],
    ['made/02/ABCD.csv', 'it holds weekly bars'],
    ['made/02/EFGH.csv', 'it holds weekly bars (its column "interval" says 1wk)'],
    ['made/02/IJKL.csv', 'it holds monthly bars'],
    ['made/03/EFGH.csv', 'sessions of the day after each date'],
    ['made/03/IJKL.csv', 'sessions of the day before each date'],
  ])('%s is refused', async (path, reason) => {
    expect(await refusal({ path: realdata(`dialects/${path}`), symbol: 'ABCD' })).toContain(reason);
  });

  test.each(
    someOf(
      [
        ['made/03/ABCD.csv', 15, '2024-03-04', '2024-03-22'],
        ['made/14/ABCD.csv', 40, '2024-03-11', '2024-05-06'],
        ['made/14/EFGH.csv', 28, '2024-01-02', '2024-02-08'],
      ],
      2,
    ),
  )('%s is read', async (path, count, first, last) => {
    const { rows } = await read({ path: realdata(`dialects/${path}`) });
    expect([rows.length, rows[0].date, rows.at(-1)?.date]).toEqual([count, first, last]);
  });
});

describe('a column of dates beside timestamps', () => {
  const minutes = (header: string, line: (clock: string) => string) =>
    [header, ...['09:30', '09:31', '09:32'].map((clock) => line(clock)), ''].join('\n');

  it.each(
    someOf(
      [
        [
          'timestamp,date,open,high,low,close,volume',
          (clock: string) => `2024-03-04 ${clock}:00,2024-03-04,1,1,1,1,1`,
        ],
        [
          'datetime,Date,open,high,low,close,volume',
          (clock: string) => `2024-03-04T${clock}:00-05:00,03/04/2024,1,1,1,1,1`,
        ],
        [
          'symbol,date,open,high,low,close,volume,timestamp',
          (clock: string) =>
            `ABCD,2024-03-04,1,1,1,1,1,${Date.parse(`2024-03-04T${clock}:00-05:00`)}`,
        ],
        [
          'date,time,open,high,low,close,volume',
          (clock: string) => `2024-03-04,${clock},1,1,1,1,1`,
        ],
        // These were refused: as no date, and as rows of several securities.
        [
          'time,date,open,high,low,close,volume',
          (clock: string) => `2024-03-04 ${clock}:00,2024-03-04,1,1,1,1,1`,
        ],
        [
          'date,open,high,low,close,volume,Bar Time',
          (clock: string) => `03/04/2024,1,1,1,1,1,2024-03-04T${clock}:00-05:00`,
        ],
      ],
      3,
    ),
  )('has the day of minutes: %s', async (names, line) => {
    await at.write({ 'ABCD.csv': minutes(names, line) });
    const { rows, segment, rejected } = await read();
    expect([segment.interval, rejected]).toEqual(['1m', 0]);
    expect(rows.map(({ date }) => date)).toEqual([
      '2024-03-04T14:30:00Z',
      '2024-03-04T14:31:00Z',
      '2024-03-04T14:32:00Z',
    ]);
  });

  it('dates daily bars, whatever else the timestamps are', async () => {
    const names = 'timestamp,date,open,high,low,close,volume';
    const days = ['2024-03-04', '2024-03-05'];
    const text = (stamp: (date: string) => string) =>
      [names, ...days.map((date) => `${stamp(date)},${date},1,1,1,1,1`), ''].join('\n');
    for (const stamp of [
      (date: string) => `${date}T21:00:00Z`,
      (date: string) => String(Date.parse(`${date}T00:00:00Z`) - 3_600_000),
      () => '2024-05-01 17:03:21',
    ]) {
      await at.write({ 'ABCD.csv': text(stamp) });
      const renamed = text(stamp).replace('timestamp', 'update_time');
      await at.write({ 'EFGH.csv': renamed });
      const { rows, segment } = await read();
      const found = [segment.interval, ...rows.map(({ date }) => date)];
      expect(found).toEqual(['1d', ...days, ...days]);
    }
  });
});

test.skipIf(!hasRealdata)('made/10 has two sessions of minutes', async () => {
  const { rows, segment, rejected } = await read({ path: realdata('dialects/made/10/ABCD.csv') });
  expect([segment.interval, rows.length, rejected]).toEqual(['1m', 780, 0]);
});

describe('one frame in three formats', () => {
  const days = ['2024-03-05', '2024-03-06', '2024-03-07'];

  it("gives the same days, with Parquet's instants read on the clock of their zone", async () => {
    await mkdir(at.folder, { recursive: true });
    const values = days
      .map((date) => `(timezone('Europe/Berlin', TIMESTAMP '${date}'), 1.0, 1.0, 1.0, 1.0, 1)`)
      .join(', ');
    const pandas = '{"columns": [{"name": "date", "metadata": {"timezone": "Europe/Berlin"}}]}';
    await inMemory(async (connection) => {
      await connection.run(`SET TimeZone = 'UTC'`);
      await connection.run(`COPY (FROM (VALUES ${values}) t(date, open, high, low, close, volume))
        TO '${join(at.folder, 'PARQ.parquet')}' (FORMAT parquet, KV_METADATA {pandas: '${pandas}'})`);
    });
    await at.write({ 'CSV.csv': bars(...days.map((date) => `${date} 00:00:00+01:00`)) });
    const { rows } = await read();
    expect(rows.map(({ symbol, date }) => `${symbol} ${date}`)).toEqual(
      ['CSV', 'PARQ'].flatMap((symbol) => days.map((date) => `${symbol} ${date}`)),
    );
  });
});

it('Parquet has days as numbers since 1970, and the prices of a bar in a column of their own', async () => {
  await mkdir(at.folder, { recursive: true });
  const days = ['2024-03-05', '2024-03-06', '2024-03-07', '2024-03-08', '2024-03-11'];
  const frame = `(SELECT date::DATE AS date, 2.0 AS open, 3.0 AS high, 1.0 AS low, 2.5 AS close,
    7 AS volume FROM (VALUES ${days.map((day) => `('${day}')`)}) t(date))`;
  const number = `date - DATE '1970-01-01'`;
  const selects = {
    INTS: `SELECT * REPLACE ((${number})::INTEGER AS date) FROM ${frame}`,
    LONG: `SELECT (${number})::BIGINT AS "DATE", * EXCLUDE (date) FROM ${frame}`,
    PART: `SELECT date, {open: open, high: high, low: low, close: close} AS ohlc, volume FROM ${frame}`,
    // A row count, and numbers that include a weekend.
    ROWS: `SELECT * REPLACE (row_number() OVER ()::INTEGER AS date) FROM ${frame}`,
    WEEK: `SELECT * REPLACE ((${number} + 1)::INTEGER AS date) FROM ${frame}`,
  };
  await inMemory(async (connection) => {
    for (const [name, select] of Object.entries(selects)) {
      const path = join(at.folder, `${name}.parquet`);
      await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`);
    }
  });
  const { rows, segment } = await read();
  expect(
    rows.map(({ symbol, date, low, close, volume }) => [symbol, date, low, close, volume]),
  ).toEqual(
    ['INTS', 'LONG', 'PART'].flatMap((symbol) => days.map((date) => [symbol, date, 1, 2.5, 7])),
  );
  const reasons = Object.fromEntries(segment.skipped.map(({ name, reason }) => [name, reason]));
  expect(reasons).toEqual({
    'ROWS.parquet': expect.stringContaining('its column of dates counts rows'),
    'WEEK.parquet': expect.stringContaining('if it counts days since 1970, write it as a date'),
  });
});

// `close_year.csv` and `d_0703m.csv` were refused as bars of years and of 703 minutes.
describe('words of the name of a file', () => {
  const market = ['2024-03-04', '2024-03-05'].flatMap((date) =>
    ['AAA', 'BBB', 'CCC'].map((symbol) => `${symbol},${date},1,1,1,1,1`),
  );
  it.each(
    someOf(['close_year.csv', 'd_year.csv', 'd_0703m.csv', 'market_weekly.csv', 'x_703m.csv'], 3),
  )('refuse no rows of days: %s', async (name) => {
    await at.write({ [name]: [`symbol,${header}`, ...market, ''].join('\n') });
    expect((await read()).rows).toHaveLength(6);
  });

  it('decide where the rows have one date', async () => {
    await at.write({ 'ABCD_weekly.csv': bars('2024-03-04') });
    expect(await refusal()).toContain('it holds weekly bars (its name says 1w)');
  });
});
