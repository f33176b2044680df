/** Local files of bars of minutes: their interval, zone and hours, and their refused rows. */

import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import type { BaseInterval } from '../../../src/base/time/intervals.ts';
import type { SourceOptions } from '../../../src/ingest/contract/source-options.ts';
import { fetchFiles, fetchStooq } from '../../../src/ingest/files/source.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { type Fetched, fetchAll, fetchOne, testContext } from '../support/segment-rows.ts';

const at = eachTest();

const readAll = (options: SourceOptions = {}) =>
  fetchAll(fetchFiles({ path: at.folder, ...options }, at.context));
const read = (options: SourceOptions = {}) =>
  fetchOne(fetchFiles({ path: at.folder, ...options }, at.context));

const header = 'date,open,high,low,close,volume';
/** Bars with all prices 1 and these stamps. */
const bars = (...stamps: string[]) =>
  [header, ...stamps.map((stamp) => `${stamp},1,1,1,1,1`), ''].join('\n');

const starts = ({ rows }: Fetched) => rows.map(({ date }) => date);
/** Options for bars of which nothing tells zone and side. */
const KNOWN = { zone: 'America/New_York', stamps: 'start' } as const;
const kind = ({ segment: { interval, hours } }: Fetched) => [interval, hours];

describe('the interval of a file', () => {
  it('is told by the smallest step, or by a column', async () => {
    const told = (column: string, text: string) =>
      [
        `${header},${column}`,
        ...['09:30', '10:30'].map((at) => `2026-11-19 ${at},1,1,1,1,1,${text}`),
        '',
      ].join('\n');
    await at.write({
      'ONE.csv': bars('2026-11-19 09:31', '2026-11-19 09:30', '2026-11-19 09:35'),
      'FIVE.csv': bars('2026-11-19 09:30', '2026-11-19 09:40', '2026-11-19 09:45'),
      'FIVEMIN.csv': told('interval', '5Min'),
      'PER.csv': told('<PER>', '1'),
      'MINUTE.csv': told('timeframe', 'minute'),
    });
    const all = await readAll(KNOWN);
    const symbols = ({ rows }: Fetched) => [...new Set(rows.map(({ symbol }) => symbol))];
    expect(all.map((fetched) => [...kind(fetched), ...symbols(fetched)])).toEqual([
      ['1m', 'regular', 'MINUTE', 'ONE', 'PER'],
      ['5m', 'regular', 'FIVE', 'FIVEMIN'],
    ]);
  });

  // The least step of a file was that of all its symbols: bars of 15m were stored as minutes.
  it.each(
    someOf(
      [
        ['15m', 15],
        ['5m', 5],
        ['1h', 60],
      ],
      3,
    ),
  )('refuses symbols of %s beside others of 1m', async (name, minutes) => {
    const lines = (symbol: string, step: number, count: number) =>
      Array.from({ length: count }, (_, i) => {
        const clock = new Date(Date.UTC(2026, 10, 16, 14, 30) + i * step * 60_000).toISOString();
        return `${symbol},${clock.slice(0, 19)}Z,1,1,1,1,1`;
      });
    // A quiet share has minutes that are far apart, and not evenly.
    const quiet = [1, 8, 30, 91, 92, 200, 201, 230, 261, 300].map((minute) =>
      lines('CCC', minute, 2).at(-1),
    );
    const all = [...lines('AAA', 1, 60), ...lines('BBB', minutes, 24), ...quiet];
    const reason = `it holds bars of ${name} in a file of bars of 1m: put them into a file of their own, or say with --interval that they are of 1m with gaps`;
    for (const mark of ['', '"']) {
      const text = [`symbol,${header}`, ...all, ''].join('\n');
      await at.write({ 'all.csv': text.replaceAll('AAA', `${mark}AAA${mark}`) });
      const found = await readAll();
      const symbols = found.flatMap(({ rows }) => rows.map(({ symbol }) => symbol));
      expect(new Set(symbols)).toEqual(new Set(['AAA', 'CCC']));
      expect(found.flatMap(({ segment }) => segment.skipped)).toEqual([
        { name: 'BBB of all.csv', reason, isRefused: true },
      ]);
    }
    const asked = await readAll({ interval: '1m' });
    expect(asked.flatMap(({ rows }) => rows)).toHaveLength(all.length);
  });

  it('follows from the steps within each symbol', async () => {
    const line = (symbol: string, minute: string) => `${symbol},2026-11-19 09:${minute},1,1,1,1,1`;
    const lines = [line('AAA', '30'), line('BBB', '31'), line('AAA', '35'), line('BBB', '36')];
    await at.write({ 'all.csv': [`symbol,${header}`, ...lines, ''].join('\n') });
    // Minutes that are not multiples of five can't start five-minute bars.
    const { rows, reasons, segment } = await read();
    expect(segment.interval).toBe('5m');
    expect(rows.map(({ symbol, date }) => [symbol, date])).toEqual([
      ['AAA', '2026-11-19T14:30:00Z'],
      ['AAA', '2026-11-19T14:35:00Z'],
    ]);
    expect(reasons).toEqual({ 'stamp is on no whole five minutes': 2 });
  });

  // --interval 1m read them as minutes.
  it('is refused if it is longer, whatever --interval says', async () => {
    const clocks = {
      '15m': ['09:30', '09:45', '10:00', '10:30'],
      '1h': ['09:30', '10:30', '11:30'],
      '5m': ['09:30', '09:35', '09:40', '09:50'],
      // A last bar that ends with the session.
      '30m': ['09:30', '10:00', '10:30', '11:00', '15:59'],
    };
    for (const [told, stamps] of Object.entries(clocks)) {
      await at.write({ [`T${told}.csv`]: bars(...stamps.map((clock) => `2026-11-19 ${clock}`)) });
    }
    await at.write({ 'GOOD.csv': bars('2026-11-19 09:30', '2026-11-19 09:31') });
    const { rows, segment } = await read({ interval: '1m' });
    expect(new Set(rows.map(({ symbol }) => symbol))).toEqual(new Set(['GOOD']));
    expect(segment.skipped.map(({ name, reason }) => [name, reason]).sort()).toEqual(
      Object.keys(clocks)
        .sort()
        .map((told) => [`T${told}.csv`, `it holds bars of ${told}, and --interval says 1m`]),
    );
    await expect(readAll({ path: join(at.folder, 'T1h.csv'), interval: '5m' })).rejects.toThrow(
      'it holds bars of 1h, and --interval says 5m',
    );
  });

  it('may be settled by --interval where the stamps leave it open, and not overridden', async () => {
    await at.write({
      'GAPS.csv': bars('2026-11-19 09:30', '2026-11-19 09:37', '2026-11-19 10:01'),
      'ONE.csv': bars('2026-11-19 09:30'),
      'MINUTES.csv': bars('2026-11-19 09:30', '2026-11-19 09:31'),
      'QUARTER.csv': bars('2026-11-19 09:30', '2026-11-19 09:45'),
      'DAYS.csv': bars('2026-11-18', '2026-11-19'),
    });
    const found = async (interval?: BaseInterval) => {
      const all = await readAll({ interval, ...KNOWN });
      return Object.fromEntries([
        ...all.flatMap((one) => one.rows.map(({ symbol }) => [symbol, one.segment.interval])),
        ...all[0].segment.skipped.map(({ name, reason }) => [name.replace('.csv', ''), reason]),
      ]);
    };
    expect(await found()).toEqual({
      GAPS: expect.stringContaining('with gaps, say so with --interval'),
      ONE: expect.stringContaining('it holds one bar a symbol: say whether'),
      MINUTES: '1m',
      QUARTER: expect.stringContaining('it holds bars of 15m, and bars of 1d, 1m and 5m are read'),
      DAYS: '1d',
    });
    expect(await found('5m')).toMatchObject({
      ONE: '5m',
      MINUTES: 'it holds bars of 1m, and --interval says 5m',
    });
    expect(await found('1m')).toMatchObject({
      GAPS: '1m',
      DAYS: expect.stringContaining('no times of day'),
    });
    expect(await found('1d')).toMatchObject({ ONE: '1d' });
  });

  // Two thin minutes of two days were daily bars.
  long('is open for one bar a day at other hours of one season', async () => {
    await at.write({ 'THIN.csv': bars('2026-11-18 11:55', '2026-11-19 12:55') });
    await expect(read(KNOWN)).rejects.toThrow('it holds one bar a day, at many times of day');
    const closes = ['2026-11-24 21:00', '2026-11-25 21:00', '2026-11-27 18:00'];
    const spring = ['2026-03-05 21:00', '2026-03-06 21:00', '2026-03-09 20:00'];
    await at.write({ 'CLOSES.csv': bars(...spring, ...closes) });
    await rm(join(at.folder, 'THIN.csv'));
    expect((await read(KNOWN)).segment.interval).toBe('1d');
  });

  it('is a day if stamps are midnight in New York, in summer and winter', async () => {
    await at.write({ 'SPY.csv': bars('2026-03-06 05:00:00', '2026-03-09 04:00:00') });
    const daily = await read();
    expect([...kind(daily), ...starts(daily)]).toEqual([
      '1d',
      undefined,
      '2026-03-06',
      '2026-03-09',
    ]);
  });
});

describe('the zone of stamps', () => {
  it('is what they say, by an offset or as Unix time', async () => {
    const stamps = [
      ['2026-11-19T15:30:00+01:00', '2026-11-19T15:31:00+01:00'],
      ['2026-11-19T14:30:00Z', '2026-11-19T14:31:00Z'],
      ['1795098600', '1795098660'],
      ['1795098600000', '1795098660000'],
      ['1795098600000000', '1795098660000000'],
      ['1795098600000000000', '1795098660000000000'],
    ];
    await at.write(Object.fromEntries(stamps.map((two, i) => [`F${i}.csv`, bars(...two)])));
    // The option counts only if stamps have no offset.
    const { rows } = await read({ zone: 'Asia/Tokyo' });
    expect(rows.map(({ symbol, date }) => [symbol, date])).toEqual(
      stamps.flatMap((_, i) => [
        [`F${i}`, '2026-11-19T14:30:00Z'],
        [`F${i}`, '2026-11-19T14:31:00Z'],
      ]),
    );
  });

  it('is the one whose sessions begin at the open, and must be named where none does', async () => {
    const clocked = (...clocks: string[]) => bars(...clocks.map((clock) => `2026-11-19 ${clock}`));
    /** Extended hours of New York on clocks that are so many hours ahead. */
    const extended = (hours: number) => {
      const firstMs = Date.parse('2026-11-19T04:00:00Z') + hours * 3_600_000;
      const stamps = Array.from({ length: 960 }, (_, i) =>
        new Date(firstMs + i * 60_000).toISOString().slice(0, 16).replace('T', ' '),
      );
      return bars(...stamps);
    };
    await at.write({
      'NY.csv': clocked('09:30', '09:31', '15:00'),
      'UTC.csv': clocked('14:30', '14:31', '20:30'),
      // In any zone, less than half of the sixteen hours are regular ones.
      'HOURS.csv': extended(0),
      'CHICAGO.csv': extended(-1),
      'LONDON.csv': extended(5),
      'AROUND.csv': clocked('08:00', '08:01', '09:30', '09:45', '12:00', '15:59', '17:00'),
      'NEITHER.csv': clocked('04:00', '04:01', '09:30'),
      'BOTH.csv': clocked('15:00', '15:01'),
      'INSIDE.csv': clocked('12:59', '13:00', '13:01'),
      'LATE.csv': clocked('15:30', '15:31', '15:40', '19:00', '21:30', '21:59'),
      'EARLY.csv': clocked('08:30', '08:31', '10:00', '11:00', '14:00', '14:59'),
    });
    const all = await readAll();
    const firsts = all.flatMap(({ rows }) =>
      [...Map.groupBy(rows, ({ symbol }) => symbol)].map(([symbol, own]) => [
        symbol,
        own[0].date.slice(11, 16),
        own.length,
      ]),
    );
    // A bar in each minute from 04:00 to 19:59 can only be stamped at its start.
    expect(firsts.sort()).toEqual([
      ['HOURS', '09:00', 570],
      ['HOURS', '14:30', 390],
      ['NY', '14:30', 3],
      ['UTC', '14:30', 3],
    ]);
    const skipped = all.flatMap(({ segment }) => segment.skipped);
    const reasons = Object.fromEntries(skipped.map(({ name, reason }) => [name, reason]));
    const names = ['AROUND', 'BOTH', 'CHICAGO', 'EARLY', 'INSIDE', 'LATE', 'LONDON', 'NEITHER'];
    expect(Object.keys(reasons).sort()).toEqual(names.map((name) => `${name}.csv`));
    for (const reason of Object.values(reasons)) expect(reason).toContain('say which with --zone');
    for (const name of ['LATE.csv', 'EARLY.csv'])
      expect(reasons[name]).toContain('too few or too even');
    const named = await read({
      ...KNOWN,
      path: join(at.folder, 'BOTH.csv'),
      zone: 'Europe/Warsaw',
    });
    expect(starts(named)[0]).toBe('2026-11-19T14:00:00Z');
  });

  it('is the one in a column of all rows, where the sessions show none', async () => {
    const zoned = (zone: string, ...clocks: string[]) =>
      bars(...clocks.map((clock) => `2026-11-19 ${clock}`))
        .split('\n')
        .map((line, at) => (line === '' ? '' : `${line},${at === 0 ? 'tz' : zone}`))
        .join('\n');
    await at.write({
      'AAA.csv': zoned('America/Chicago', '12:00', '12:01'),
      'BBB.csv': zoned('Europe/London', '18:00', '18:01'),
      // The exchange's zone, of which the times are not.
      'CCC.csv': zoned('America/Chicago', '09:30', '09:31', '15:00'),
      'DDD.csv': zoned('Eastern', '12:00', '12:01'),
      'EEE.csv': zoned('Asia/Tokyo', '12:00', '12:01').replace('Asia/Tokyo', 'America/Chicago'),
    });
    const all = await readAll({ stamps: 'start' });
    const rows = all.flatMap((one) => one.rows);
    expect(rows.map(({ symbol, date }) => `${symbol} ${date.slice(11, 16)}`).sort()).toEqual([
      ...['AAA 18:00', 'AAA 18:01', 'BBB 18:00', 'BBB 18:01'],
      ...['CCC 14:30', 'CCC 14:31', 'CCC 20:00'],
    ]);
    const skipped = all.flatMap(({ segment }) => segment.skipped);
    expect(skipped.map(({ name }) => name).sort()).toEqual(['DDD.csv', 'EEE.csv']);
    for (const { reason } of skipped) expect(reason).toContain('say which with --zone');
  });

  it('that skips or repeats an hour refuses its stamps', async () => {
    const stamps = ['2026-03-08 01:59', '2026-03-08 02:00', '2026-03-08 02:59', '2026-03-08 03:00'];
    const autumn = ['2026-11-01 00:59', '2026-11-01 01:00', '2026-11-01 01:59', '2026-11-01 02:00'];
    await at.write({ 'SPY.csv': bars(...stamps, ...autumn) });
    const { reasons, segment, ...others } = await read(KNOWN);
    expect(starts({ reasons, segment, ...others })).toEqual([
      '2026-03-08T06:59:00Z',
      '2026-03-08T07:00:00Z',
      '2026-11-01T04:59:00Z',
      '2026-11-01T07:00:00Z',
    ]);
    expect(segment.hours).toBe('extended');
    expect(reasons).toEqual({
      'stamp does not exist in America/New_York, whose clocks skip it': 2,
      'stamp is ambiguous in America/New_York, whose clocks show it twice': 2,
    });
  });

  it('has bars start earlier if stamps are ends', async () => {
    await at.write({ 'SPY.csv': bars('2026-11-19 09:31', '2026-11-19 09:32', '2026-11-19 16:00') });
    const all = await readAll({ stamps: 'end' });
    expect(all.map((fetched) => [...kind(fetched), ...starts(fetched)])).toEqual([
      ['1m', 'regular', '2026-11-19T14:30:00Z', '2026-11-19T14:31:00Z', '2026-11-19T20:59:00Z'],
    ]);
  });
});

describe('bars of minutes', () => {
  it('split into regular and extended hours, and lines add up over both', async () => {
    // The day after Thanksgiving closes at 13:00.
    const day = '2025-11-28';
    const good = ['04:00', '09:29', '09:30', '12:59', '13:00', '19:59'].map((at) => `${day} ${at}`);
    await at.write({ 'SPY.csv': `${bars(...good)}${day} 09:31,1,1,1,-1,1\nnonsense,1,1,1,1,1\n` });
    const [regular, extended] = await readAll(KNOWN);
    expect(starts(regular)).toEqual(['2025-11-28T14:30:00Z', '2025-11-28T17:59:00Z']);
    expect(starts(extended)).toHaveLength(4);
    expect([regular.rejected, extended.rejected]).toEqual([2, 0]);
    expect([regular.reasons, extended.reasons]).toEqual([
      { 'close is not above zero': 1, "stamp is not one of the file's format": 1 },
      {},
    ]);
    const text = await readFile(
      join(at.context.paths.quarantine, `${regular.segment.id}.csv`),
      'utf8',
    );
    expect(text.trimEnd().split('\n').slice(1)).toEqual([
      'files,SPY.csv,8,close is not above zero,"2025-11-28 09:31,1,1,1,-1,1"',
      'files,SPY.csv,9,stamp is not one of the file\'s format,"nonsense,1,1,1,1,1"',
    ]);
    expect(regular.segment.id).not.toBe(extended.segment.id);
  });

  long('are refused off whole minutes, before their end, and outside of the calendar', async () => {
    at.context = testContext(at.root, '2026-11-19T15:00:30Z');
    const stamps = ['2026-11-19T14:57:00Z', '2026-11-19T14:58:00Z', '2026-11-19T14:58:30Z'];
    await at.write({
      'SPY.csv': bars(...stamps, '2026-11-19T15:00:00Z', '1950-01-03T15:00:00Z', '2026-11-19'),
    });
    const { reasons, segment } = await read(KNOWN);
    expect(reasons).toEqual({
      'stamp is on no whole minute': 1,
      'bar is not complete': 1,
      'stamp is outside of the exchange calendar, 1962-01-01 to 2035-12-31': 1,
      "stamp is not one of the file's format": 1,
    });
    // Once the bar is complete, the file makes another segment.
    at.context = testContext(at.root, '2026-11-19T15:01:00Z');
    const later = await read(KNOWN);
    expect([later.accepted, later.reasons['bar is not complete']]).toEqual([3, undefined]);
    expect(later.segment.id).not.toBe(segment.id);
    at.context = testContext(at.root, '2026-11-20T15:01:00Z');
    expect((await read(KNOWN)).segment.id).toBe(later.segment.id);
  });

  it('of the same minute: the last line counts', async () => {
    await at.write({
      'SPY.csv': `${bars('2026-11-19 09:30', '2026-11-19 09:31')}2026-11-19 09:30,1,2,1,1.2,2\n`,
    });
    const { rows, reasons } = await read();
    expect(rows.map(({ close }) => close)).toEqual([1.2, 1]);
    expect(reasons).toEqual({ 'a later line or a correction has the same stamp': 1 });
  });

  it('are selected by New York days with --from and --to', async () => {
    const stamps = ['2026-11-18T23:59:00Z', '2026-11-19T04:59:00Z', '2026-11-19T05:00:00Z'];
    await at.write({ 'SPY.csv': bars(...stamps, '2026-11-20T04:59:00Z', '2026-11-20T05:00:00Z') });
    const day = dayFromDate('2026-11-19');
    const picked = await read({ ...KNOWN, fromDay: day, toDay: day, interval: '1m' });
    expect(starts(picked)).toEqual(['2026-11-19T05:00:00Z', '2026-11-20T04:59:00Z']);
  });

  it('come from a date and a time of day in columns of their own', async () => {
    await at.write({
      'SPY.csv': `Date,Time,Open,High,Low,Close
11/19/2026,09:30,1,1,1,1
11/19/2026,09:31,1,1,1,1
`,
    });
    expect(starts(await read())).toEqual(['2026-11-19T14:30:00Z', '2026-11-19T14:31:00Z']);
  });

  long('may share a folder with daily files', async () => {
    await at.write({
      'minutes/SPY.csv': bars('2026-11-19 09:30', '2026-11-19 09:31'),
      'minutes/QQQ.csv': bars('2026-11-19T14:30:00Z', '2026-11-19T14:35:00Z'),
      'days/SPY.csv': bars('2026-11-18', '2026-11-19'),
    });
    const all = await readAll();
    expect(all.map((fetched) => [...kind(fetched), ...starts(fetched)])).toEqual([
      ['1d', undefined, '2026-11-18', '2026-11-19'],
      ['1m', 'regular', '2026-11-19T14:30:00Z', '2026-11-19T14:31:00Z'],
      ['5m', 'regular', '2026-11-19T14:30:00Z', '2026-11-19T14:35:00Z'],
    ]);
  });
});

describe("messages of Alpaca's stream", () => {
  const message = (T: string, minute: string, close: number) => ({
    T,
    S: 'AAPL',
    o: 1,
    h: 9,
    l: 1,
    c: close,
    v: 1,
    t: `2026-11-19T15:${minute}:00Z`,
  });
  const messages = [
    { T: 'success', msg: 'authenticated' },
    message('u', '00', 5),
    message('b', '00', 2),
    message('b', '01', 3),
    message('d', '00', 4),
    { T: 't', S: 'AAPL', p: 1, s: 5, t: '2026-11-19T15:00:00.12345Z' },
    { T: 'q', S: 'AAPL', bp: 1, t: '2026-11-19T15:00:00Z' },
  ];
  const expected = {
    'message is no bar': 1,
    'a later line or a correction has the same stamp': 1,
    'message is a daily bar': 1,
    'message is a trade': 1,
    'message is a quote': 1,
  };

  it.each(
    someOf(
      [
        ['an array', 'a.json', JSON.stringify(messages, null, 2)],
        ['arrays as they came', 'a.json', messages.map((one) => JSON.stringify([one])).join('\n')],
        ['lines', 'a.jsonl', messages.map((one) => JSON.stringify(one)).join('\n')],
      ],
      2,
    ),
  )('are minutes, corrected ones last, others refused by kind: %s', async (_, name, text) => {
    await at.write({ [name]: text });
    const { rows, reasons, segment } = await read();
    expect(segment.interval).toBe('1m');
    expect(rows.map(({ symbol, date, close }) => [symbol, date, close])).toEqual([
      ['AAPL', '2026-11-19T15:00:00Z', 5],
      ['AAPL', '2026-11-19T15:01:00Z', 3],
    ]);
    expect(reasons).toEqual(expected);
  });

  it('without a bar are not candles', async () => {
    await at.write({ 'a.json': JSON.stringify(messages.slice(-2)) });
    await expect(read()).rejects.toThrow('none of its messages is a bar');
  });
});

describe("Stooq's five minutes", () => {
  const stooqHeader = '<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>';
  const row = (stamp: string) => `SPY.US,5,${stamp},1,1,1,1,1,0`;

  long("are in Warsaw time, which changes in other weeks than New York's", async () => {
    // Winter; New York is ahead of Warsaw for two weeks of March; summer; the last week of October.
    const opens = ['20260105,153000', '20260309,143000', '20260706,153000', '20261026,143000'];
    const close = '20260105,220000';
    await at.write({
      '5 min/us/spy.us.txt': [stooqHeader, ...[...opens, close].map(row), ''].join('\n'),
    });
    const [regular, extended] = await fetchAll(fetchStooq({ path: at.folder }, at.context));
    expect([...kind(regular), regular.segment.basis]).toEqual(['5m', 'regular', 'all']);
    expect(starts(regular)).toEqual([
      '2026-01-05T14:30:00Z',
      '2026-03-09T13:30:00Z',
      '2026-07-06T13:30:00Z',
      '2026-10-26T13:30:00Z',
    ]);
    expect([...kind(extended), ...starts(extended)]).toEqual([
      '5m',
      'extended',
      '2026-01-05T21:00:00Z',
    ]);
  });
});
