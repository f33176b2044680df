import { describe, expect, test } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { readPendingChanges } from '../../../../src/store/duckdb/connection/changes.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import {
  relistSecurity,
  type SecurityChange,
  stateFact,
  stateFacts,
} from '../../../../src/store/duckdb/securities/change-securities.ts';
import { currentSymbol } from '../../../../src/store/duckdb/securities/read-security.ts';
import { loadSymbols } from '../../../../src/store/duckdb/securities/symbols.ts';
import { isLong } from '../../../faults/scale.ts';
import { long, someOf } from '../../../support/store-runs.ts';
import {
  actionsOf,
  delist,
  freshStore,
  load,
  minuteBars,
  NOW_MS,
  oneFile,
  query,
  rename,
  risingBars,
  segmentOf,
  usOf,
  withStore,
} from '../support/fixtures.ts';

function relist(db: MarketDb, symbol: string): Promise<SecurityChange> {
  return relistSecurity(db, { symbol, nowMs: NOW_MS });
}

const spans = (db: MarketDb) =>
  query(
    db,
    `SELECT count(*)::INTEGER, symbol, min(ts)::DATE, max(ts)::DATE FROM candles
     GROUP BY symbol ORDER BY symbol`,
  );

/** All that readers see, without ids. */
async function content(db: MarketDb): Promise<unknown> {
  return {
    candles: await query(db, 'FROM candles ORDER BY ALL'),
    series: await query(
      db,
      'SELECT symbol, ticker, source, basis, first_ts, last_ts, row_count FROM series ORDER BY ALL',
    ),
    symbols: await query(db, 'SELECT symbol FROM symbols ORDER BY ALL'),
    tickers: await query(
      db,
      `SELECT symbol, delisted_on, ticker, from_date, to_date
       FROM securities JOIN security_tickers USING (security_id) ORDER BY ALL`,
    ),
    actions: await query(
      db,
      'SELECT symbol, type, ex_date, amount FROM corporate_actions ORDER BY ALL',
    ),
    coverage: await query(
      db,
      'SELECT symbol, source, from_date, to_date FROM action_coverage ORDER BY ALL',
    ),
  };
}

type Step = CandleSegment | ((db: MarketDb) => Promise<unknown>);

function contentAfter(steps: readonly Step[]): Promise<unknown> {
  return withStore(async (db) => {
    for (const step of steps) {
      if (typeof step === 'function') await step(db);
      else await load(db, step);
    }
    return content(db);
  });
}

/** The content after the steps in each of some orders, which must be the same. */
async function onlyContentAfter(orders: readonly (readonly Step[])[]): Promise<unknown> {
  const [first, ...others] = orders;
  const content = await contentAfter(first);
  for (const order of others) expect(await contentAfter(order)).toEqual(content);
  return content;
}

/** Every order of the steps. */
function* ordersOf<T>(steps: readonly T[]): Generator<T[]> {
  if (steps.length === 0) yield [];
  for (const [i, step] of steps.entries()) {
    for (const rest of ordersOf(steps.toSpliced(i, 1))) yield [step, ...rest];
  }
}

const raw = (symbol: string, from: string, count: number, close = 100, source = 'files') =>
  segmentOf([{ symbol, bars: risingBars(from, count, close) }], { basis: 'raw', source });

/** Files of a source from before and after FB became META. */
const bothFiles = () =>
  segmentOf(
    [
      { symbol: 'FB', bars: risingBars('2022-06-01', 8) },
      { symbol: 'META', bars: risingBars('2022-06-09', 5, 108) },
    ],
    { basis: 'raw' },
  );

describe('a rename', () => {
  test('moves the history to the new symbol, records the changes, and is done once', async () => {
    const db = await freshStore();
    await load(db, raw('FB', '2022-06-01', 8));
    const done = { securityId: 1, symbol: 'META' };
    expect(await rename(db, 'FB', 'META', '2022-06-09')).toEqual({
      ...{ changed: true, warnings: [], ...done },
    });
    expect(await spans(db)).toEqual([[8, 'META', '2022-06-01', '2022-06-08']]);
    expect(await query(db, 'FROM changes WHERE seq = 2 ORDER BY symbol')).toEqual([
      [2, 'FB', '1d', 'remove', '2022-06-01T00:00:00.000Z'],
      [2, 'META', '1d', 'rewrite', '2022-06-01T00:00:00.000Z'],
    ]);
    expect(await query(db, 'SELECT symbol FROM symbols')).toEqual([['META']]);
    expect(await query(db, 'FROM security_tickers ORDER BY ticker')).toEqual([
      [1, 'FB', null, '2022-06-08'],
      [1, 'META', '2022-06-09', null],
    ]);
    expect(await query(db, 'SELECT seq, dataset, origin FROM segments WHERE seq > 1')).toEqual([
      [2, 'securities', 'rename FB META 2022-06-09'],
    ]);
    // A statement of actions makes no security: it waits for the one that gets the ticker.
    const late = [actionsOf('FB', ['2024-01-01', '2024-02-01'])];
    await load(db, segmentOf([], { basis: 'raw', actions: late }));
    expect(await query(db, 'SELECT symbol FROM symbols')).toEqual([['META']]);
    await expect(rename(db, 'FB', 'MTA', '2022-06-09')).rejects.toThrow(
      'FB became MTA on 2022-06-09 contradicts what was stated before: FB became META on 2022-06-09',
    );
    const before = [await content(db), await query(db, 'FROM segments')];
    expect(await rename(db, 'FB', 'META', '2022-06-09')).toEqual({ changed: false, ...done });
    expect([await content(db), await query(db, 'FROM segments')]).toEqual(before);
    // The ticker has gone to another security since: still the same rename.
    await load(db, raw('FB', '2024-01-02', 3));
    expect(await rename(db, 'FB', 'META', '2022-06-09')).toEqual({ changed: false, ...done });
  });

  test('names a known split that the united prices contradict', async () => {
    const db = await freshStore();
    const days = ['2024-03-01', '2024-03-31'] as const;
    const split = actionsOf('BBB', days, { splits: ['2024-03-14'] });
    await load(db, raw('AAA', '2024-03-04', 10, 50));
    await load(db, raw('BBB', '2024-03-14', 5, 60));
    await load(db, segmentOf([], { basis: 'raw', actions: [split] }));
    const warned = [
      expect.stringMatching(
        /^1 series does not move as a known split says.*: BBB 2:1 on 2024-03-14/,
      ),
    ];
    expect((await rename(db, 'AAA', 'BBB', '2024-03-14')).warnings).toEqual(warned);
    const day = dayFromDate('2024-03-14');
    const fact = { kind: 'rename', ticker: 'AAA', other: 'BBB', day } as const;
    await stateFact(db, { fact, isUndone: true, nowMs: NOW_MS });
    expect((await stateFacts(db, [fact], NOW_MS)).warnings).toEqual(warned);
  });

  test.runIf(isLong)(
    'gives the same in any order of bars, facts and corporate actions of both tickers',
    async () => {
      const dividends = (from: string, date: string, amount = 1) => [
        actionsOf('FB', [from, date], { dividends: [[date, amount]] }),
      ];
      const statement = (...range: [string, string, number?]) =>
        segmentOf([], { basis: 'raw', actions: dividends(...range) });
      const first = segmentOf([{ symbol: 'FB', bars: risingBars('2022-06-01', 8) }], {
        basis: 'raw',
        actions: dividends('2022-06-01', '2022-06-03'),
      });
      const facts = (db: MarketDb) =>
        loadSymbols(db, [{ symbol: 'FB', companyName: 'Facebook' }], {
          ...{ source: 'sec', nowMs: NOW_MS, asOfUs: usOf('2022-06-02') },
        });
      const move = (db: MarketDb) => rename(db, 'FB', 'META', '2022-06-09');
      const steps = [
        ...[move, first, raw('META', '2022-06-09', 5, 108), raw('FB', '2024-01-02', 3)],
        ...[statement('2022-06-01', '2022-06-02'), facts, statement('2024-01-01', '2024-01-03', 2)],
      ];
      const orders = [...ordersOf<Step>(steps)];
      expect(orders).toHaveLength(5040);
      const tried = orders.filter((_, i) => i % 200 === 7);
      expect(await onlyContentAfter(someOf(tried, 13))).toMatchObject({
        symbols: [['FB'], ['META']],
        actions: [
          ['FB', 'dividend', '2024-01-03', 2],
          ['META', 'dividend', '2022-06-03', 1],
        ],
      });
    },
  );

  long('makes candidates of one security of files that tell the same days', async () => {
    const db = await freshStore();
    await load(db, segmentOf([{ symbol: 'FB', bars: risingBars('2022-05-01', 20) }]));
    const whole = risingBars('2022-05-01', 60).map(
      ([day, close]) => [day, close / 2] as [string, number],
    );
    await load(db, segmentOf([{ symbol: 'META', bars: whole }]));
    await rename(db, 'FB', 'META', '2022-06-09');
    expect(await spans(db)).toEqual([[60, 'META', '2022-05-01', '2022-06-29']]);
    expect(await query(db, 'SELECT symbol, ticker FROM series ORDER BY ticker')).toEqual([
      ['META', 'FB'],
      ['META', 'META'],
      ['META', 'META'],
    ]);
  });

  long('records splits that come with the other ticker, though its bars do not', async () => {
    const db = await freshStore();
    const actions = [actionsOf('FB', ['2022-06-01', '2022-06-08'], { splits: ['2022-06-03'] })];
    await load(db, segmentOf([], { basis: 'raw', actions }));
    await load(db, raw('META', '2022-06-01', 30));
    const { seq } = await readPendingChanges(db, 0);
    await rename(db, 'FB', 'META', '2022-06-09');
    expect((await readPendingChanges(db, seq)).changes).toMatchObject([
      { symbol: 'META', interval: '1d', kind: 'rewrite' },
    ]);
  });

  long('keeps who had the new ticker before apart, by the prices of the same days', async () => {
    const db = await freshStore();
    await load(db, raw('FB', '2022-01-01', 150));
    await load(db, raw('META', '2021-12-01', 60, 15));
    await rename(db, 'FB', 'META', '2022-06-09');
    expect(await spans(db)).toEqual([
      [150, 'META', '2022-01-01', '2022-05-30'],
      [60, 'META.202206', '2021-12-01', '2022-01-29'],
    ]);
    await rename(db, 'META', 'METV', '2022-01-31');
    expect(await spans(db)).toEqual([
      [150, 'META', '2022-01-01', '2022-05-30'],
      [60, 'METV', '2021-12-01', '2022-01-29'],
    ]);
    // A file of the ticker as it was then belongs to who had it then.
    await load(db, raw('META', '2021-11-20', 5, 12));
    expect(await spans(db)).toEqual([
      [150, 'META', '2022-01-01', '2022-05-30'],
      [65, 'METV', '2021-11-20', '2022-01-29'],
    ]);
  });

  long('back on the same day undoes it, also where both tickers had files', async () => {
    const db = await freshStore();
    await load(db, bothFiles());
    const before = await spans(db);
    await rename(db, 'FB', 'META', '2022-06-09');
    await rename(db, 'META', 'FB', '2022-06-09');
    expect(await spans(db)).toEqual(before);
    expect(
      await query(db, 'SELECT ticker, from_date, to_date FROM security_tickers ORDER BY 1'),
    ).toEqual([
      ['FB', null, null],
      ['META', null, null],
    ]);
  });

  test.runIf(isLong)('follows another, and tickers swap by way of a third', async () => {
    const db = await freshStore();
    const files = ['A', 'B'].map((symbol, i) => {
      return { symbol, bars: risingBars('2020-01-01', 5, 10 + 40 * i) };
    });
    await load(db, segmentOf(files, { basis: 'raw' }));
    await rename(db, 'A', 'TMP', '2020-02-03');
    await rename(db, 'B', 'A', '2020-02-03');
    await rename(db, 'TMP', 'B', '2020-02-03');
    expect(
      await query(db, 'SELECT symbol, max(close) FROM candles GROUP BY symbol ORDER BY symbol'),
    ).toEqual([
      ['A', 54],
      ['B', 14],
    ]);
    await rename(db, 'B', 'C', '2021-02-03');
    await load(db, raw('B', '2020-02-03', 3, 15));
    expect(await query(db, "SELECT max(close) FROM candles WHERE symbol = 'C'")).toEqual([[17]]);
    expect(
      await query(db, 'SELECT ticker FROM security_tickers WHERE security_id = 1 ORDER BY to_date'),
    ).toEqual([['A'], ['B'], ['C']]);
  });

  test('keeps later bars under the old ticker apart', async () => {
    const db = await freshStore();
    await load(db, raw('OLD', '2020-01-01', 60));
    await rename(db, 'OLD', 'NEW', '2020-02-01');
    expect(await spans(db)).toEqual([
      [31, 'NEW', '2020-01-01', '2020-01-31'],
      [29, 'OLD', '2020-02-01', '2020-02-29'],
    ]);
  });
});

describe('a directory', () => {
  long('names the tickers of its day', async () => {
    const db = await freshStore();
    await load(db, raw('FB', '2022-06-01', 8));
    await rename(db, 'FB', 'META', '2022-06-09');
    const facts = [
      { symbol: 'FB', companyName: 'ProShares S&P 500 Dynamic Buffer' },
      { symbol: 'META', companyName: 'Meta Platforms' },
    ];
    await loadSymbols(db, facts, { source: 'sec', nowMs: NOW_MS });
    const names = () => query(db, 'SELECT symbol, company_name FROM symbols ORDER BY symbol');
    // It does not say of which day it is, so its FB may be an old one.
    expect(await names()).toEqual([['META', 'Meta Platforms']]);
    const asOfUs = usOf('2026-01-05');
    await loadSymbols(db, facts, { source: 'nasdaqtrader', nowMs: NOW_MS, asOfUs });
    expect(await names()).toEqual([
      ['FB', 'ProShares S&P 500 Dynamic Buffer'],
      ['META', 'Meta Platforms'],
    ]);
    expect(await currentSymbol(db, 'FB')).toBe('FB');
  });

  test('names a ticker of a rename that was stated before anything was loaded', async () => {
    const db = await freshStore();
    await rename(db, 'OLD', 'NEW', '2020-02-01');
    const facts = [
      { symbol: 'NEW', companyName: 'New Inc.', sector: 'Energy' },
      { symbol: 'OLD', companyName: 'Old Inc.' },
    ];
    await loadSymbols(db, facts, { source: 'files', nowMs: NOW_MS });
    await load(db, raw('OLD', '2020-01-01', 31));
    expect(await query(db, 'SELECT symbol, company_name, sector FROM symbols')).toEqual([
      ['NEW', 'New Inc.', 'Energy'],
    ]);
  });
});

describe('a delisting', () => {
  const old = raw('XYZ', '2015-12-01', 15, 10);
  const late = raw('XYZ', '2018-01-01', 10, 70);
  const later = raw('XYZ', '2018-01-11', 5, 80);
  const command = (db: MarketDb) => delist(db, 'XYZ', '2015-12-15');

  test('keeps the history, and is stated once', async () => {
    const db = await freshStore();
    await load(db, old);
    expect(await command(db)).toMatchObject({ changed: true, symbol: 'XYZ' });
    expect(await command(db)).toMatchObject({ changed: false });
    expect(await spans(db)).toEqual([[15, 'XYZ', '2015-12-01', '2015-12-15']]);
    expect(await query(db, 'SELECT delisted_on FROM securities')).toEqual([['2015-12-15']]);
    expect(await query(db, 'SELECT symbol FROM changes WHERE seq > 1')).toEqual([]);
  });

  long('leaves the ticker to a new security, and takes another name then', async () => {
    const db = await freshStore();
    await load(db, old);
    await command(db);
    const published = await readPendingChanges(db, 0);
    await load(db, late);
    expect(await spans(db)).toEqual([
      [10, 'XYZ', '2018-01-01', '2018-01-10'],
      [15, 'XYZ.201512', '2015-12-01', '2015-12-15'],
    ]);
    const { changes } = await readPendingChanges(db, published.seq);
    expect(changes.map(({ symbol, kind }) => [symbol, kind])).toEqual([
      ['XYZ', 'rewrite'],
      ['XYZ.201512', 'rewrite'],
    ]);
    expect(await delist(db, 'XYZ', '2015-12-15')).toMatchObject({ changed: false });
    expect(await currentSymbol(db, 'XYZ')).toBe('XYZ');
    expect(await currentSymbol(db, 'XYZ.201512')).toBe('XYZ.201512');
  });

  test.runIf(isLong)('gives the same before and after the inputs of both securities', async () => {
    const actions = [
      actionsOf('XYZ', ['2018-01-01', '2018-02-01'], { dividends: [['2018-01-04', 2]] }),
    ];
    // It waits for the next security, and does not follow the first.
    const statement = segmentOf([], { basis: 'raw', actions });
    const orders = [...ordersOf<Step>([old, command, late, later, statement])];
    expect(await onlyContentAfter(someOf(orders, 60))).toMatchObject({
      symbols: [['XYZ'], ['XYZ.201512']],
      actions: [['XYZ', 'dividend', '2018-01-04', 2]],
      coverage: [['XYZ', 'files', '2018-01-01', '2018-02-01']],
    });
  });

  long('is reverted whether or not the ticker was used since', async () => {
    const db = await freshStore();
    await load(db, old);
    const before = await content(db);
    await command(db);
    await relist(db, 'XYZ');
    expect(await content(db)).toEqual(before);
    await load(db, late);
    const both = await content(db);
    await command(db);
    expect(await query(db, 'SELECT symbol FROM symbols ORDER BY symbol')).toEqual([
      ['XYZ'],
      ['XYZ.201512'],
    ]);
    await relist(db, 'XYZ.201512');
    expect(await content(db)).toEqual(both);
    expect(await relist(db, 'XYZ')).toMatchObject({ changed: false });
  });

  long('frees the ticker for a security that is renamed to it', async () => {
    const db = await freshStore();
    await load(db, old);
    await load(db, raw('ABC', '2015-12-01', 40, 50));
    await command(db);
    await rename(db, 'ABC', 'XYZ', '2017-01-03');
    expect(await spans(db)).toEqual([
      [40, 'XYZ', '2015-12-01', '2016-01-09'],
      [15, 'XYZ.201512', '2015-12-01', '2015-12-15'],
    ]);
    await expect(rename(db, 'XYZ.201512', 'OLD', '2018-01-02')).rejects.toThrow(
      'XYZ.201512 is the symbol of a delisted security: a rename names tickers',
    );
  });

  long('of a second security with the ticker begins where the first ended', async () => {
    const db = await freshStore();
    await load(db, old);
    await command(db);
    await load(db, late);
    await delist(db, 'XYZ', '2018-01-10');
    expect(
      await query(
        db,
        'SELECT security_id, ticker, from_date, to_date FROM security_tickers ORDER BY 1',
      ),
    ).toEqual([
      [1, 'XYZ', null, '2015-12-15'],
      [2, 'XYZ', '2015-12-16', '2018-01-10'],
    ]);
    expect(await query(db, 'SELECT symbol FROM securities ORDER BY security_id')).toEqual([
      ['XYZ.201512'],
      ['XYZ'],
    ]);
    await load(db, raw('XYZ', '2015-11-20', 5, 9));
    expect(await spans(db)).toEqual([
      [10, 'XYZ', '2018-01-01', '2018-01-10'],
      [20, 'XYZ.201512', '2015-11-20', '2015-12-15'],
    ]);
  });
});

test('minutes move with the days', async () => {
  const minutes = (symbol: string, day: string, count: number) =>
    oneFile(minuteBars(day, count), { basis: 'raw', interval: '1m' }, symbol);
  const db = await freshStore();
  await load(db, raw('FB', '2022-06-01', 8));
  await load(db, minutes('FB', '2022-06-08', 5));
  await rename(db, 'FB', 'META', '2022-06-09');
  await load(db, minutes('META', '2022-06-09', 4));
  await load(db, minutes('FB', '2022-06-07', 3));
  expect(
    await query(
      db,
      'SELECT symbol, interval, count(*)::INTEGER FROM candles GROUP BY ALL ORDER BY ALL',
    ),
  ).toEqual([
    ['META', '1d', 8],
    ['META', '1m', 12],
  ]);
  expect(
    await query(db, 'SELECT symbol, interval, kind FROM changes WHERE seq = 3 ORDER BY ALL'),
  ).toEqual([
    ['FB', '1d', 'remove'],
    ['FB', '1m', 'remove'],
    ['META', '1d', 'rewrite'],
    ['META', '1m', 'rewrite'],
  ]);
});
