import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { freshFolder } from '../../../support/folders.ts';
import { long } from '../../../support/store-runs.ts';
import {
  freshStore,
  load,
  NOW_MS,
  query,
  risingBars,
  type SegmentOptions,
  segmentOf,
  type TestBar,
} from '../support/fixtures.ts';

const SPY = { symbol: 'SPY', bars: risingBars('2020-01-01', 3) };
const AAPL = { symbol: 'AAPL', bars: risingBars('2020-01-01', 2, 50) };

describe('a load', () => {
  test('stores bars, ledger, directory, change and event together, once', async () => {
    const db = await freshStore();
    const segment = segmentOf([SPY, AAPL], { source: 'stooq', rejectedLines: 2 });
    const first = await load(db, segment);
    expect(first).toEqual({
      seq: 1,
      alreadyLoaded: false,
      accepted: 5,
      rejected: 2,
      seriesChanged: 2,
      extent: {
        ...{ rows: 5, symbols: ['SPY', 'AAPL'], lastSymbol: 'SPY' },
        ...{ firstDay: dayFromDate('2020-01-01'), lastDay: dayFromDate('2020-01-03') },
      },
    });
    expect(await query(db, "FROM candles WHERE symbol = 'AAPL' ORDER BY ts")).toEqual([
      ['AAPL', '1d', '2020-01-01T00:00:00.000Z', 50, 75, 25, 50, 1000, 'stooq', 'all'],
      ['AAPL', '1d', '2020-01-02T00:00:00.000Z', 51, 76.5, 25.5, 51, 1000, 'stooq', 'all'],
    ]);
    expect(
      await query(db, 'SELECT seq, segment, lines, accepted, rejected, as_of FROM segments'),
    ).toEqual([[1, segment.id, 7, 5, 2, '2020-01-03T00:00:00.000Z']]);
    expect(await query(db, 'SELECT path[:4], as_of FROM segment_files ORDER BY path')).toEqual([
      ['AAPL', '2020-01-02T00:00:00.000Z'],
      ['SPY-', '2020-01-03T00:00:00.000Z'],
    ]);
    expect(await query(db, 'SELECT symbol FROM symbols ORDER BY symbol')).toEqual([
      ['AAPL'],
      ['SPY'],
    ]);
    expect(await query(db, 'FROM changes ORDER BY symbol')).toEqual([
      [1, 'AAPL', '1d', 'rewrite', '2020-01-01T00:00:00.000Z'],
      [1, 'SPY', '1d', 'rewrite', '2020-01-01T00:00:00.000Z'],
    ]);
    const [[type, payload]] = await query(db, 'SELECT type, payload FROM outbox');
    expect(type).toBe('candles.updated');
    expect(JSON.parse(payload as string)).toEqual({
      source: 'stooq',
      interval: '1d',
      from: Date.parse('2020-01-01T00:00:00Z'),
      symbols: ['AAPL', 'SPY'],
    });
    const tables = ['segments', 'bars', 'changes', 'outbox', 'series', 'winners'];
    const dump = () => Promise.all(tables.map((table) => query(db, `FROM ${table}`)));
    const before = await dump();
    expect(await load(db, segment)).toEqual({
      ...first,
      ...{ alreadyLoaded: true, loadedMs: NOW_MS, seriesChanged: 0, extent: undefined },
    });
    expect(await dump()).toEqual(before);
  });

  test('takes the newest bar of a whole file for the as-of of its symbols', async () => {
    const db = await freshStore();
    const path = 'many.csv';
    await load(
      db,
      segmentOf([
        { ...SPY, path },
        { ...AAPL, path },
        { symbol: 'QQQ', bars: SPY.bars },
      ]),
    );
    expect(await query(db, 'SELECT path[:4], accepted FROM segment_files ORDER BY path')).toEqual([
      ['QQQ-', 3],
      ['many', 5],
    ]);
    expect(await query(db, "SELECT as_of FROM series WHERE symbol = 'AAPL'")).toEqual([
      ['2020-01-03T00:00:00.000Z'],
    ]);
  });

  test('that fails leaves the store as it was', async () => {
    const db = await freshStore();
    await load(db, segmentOf([AAPL]));
    const failing = segmentOf([{ ...SPY, dataLines: 4 }], {
      examine: () => Promise.reject(new Error('disk full')),
    });
    await expect(load(db, failing)).rejects.toThrow('disk full');
    expect(await query(db, 'SELECT count(*), (SELECT count(*) FROM segments) FROM bars')).toEqual([
      [2, 1],
    ]);
    expect(await load(db, segmentOf([SPY]))).toMatchObject({ accepted: 3 });
  });

  test('of files without rows is entered in the ledger', async () => {
    const db = await freshStore();
    const empty = segmentOf([{ symbol: 'EMPTY', bars: [] }], { rejectedLines: 3 });
    expect(await load(db, empty)).toMatchObject({ accepted: 0, rejected: 3, seriesChanged: 0 });
    expect(await load(db, empty)).toMatchObject({ alreadyLoaded: true, rejected: 3 });
  });
});

test('orphan rows of a load that was killed before it deleted them are deleted by the next', async () => {
  const db = await freshStore();
  await db.connection.run('INSERT INTO bars (series_id) VALUES (7)');
  await db.connection.run('INSERT INTO dead_series VALUES (7)');
  await load(db, segmentOf([AAPL]));
  expect(await query(db, 'SELECT count(*) FROM bars')).toEqual([[2]]);
});

describe('a file whose rows are not what its lines promise', () => {
  async function examinedStore(bars: typeof SPY.bars, dataLines: number) {
    const folder = freshFolder();
    const db = await freshStore();
    const asked: number[][] = [];
    const segment = segmentOf([AAPL, { symbol: 'SPY', bars, dataLines }], {
      examine: async (fileIndexes) => {
        asked.push(fileIndexes);
        const parquetPath = join(folder, 'examined.parquet');
        await db.connection.run(
          `COPY (SELECT 1 AS file_index, TIMESTAMP '2020-01-05' + to_days(d::INTEGER) AS ts, 7.0::DOUBLE AS open,
             8.0::DOUBLE AS high, 6.0::DOUBLE AS low, 7.5::DOUBLE AS close, 10.0::DOUBLE AS volume
           FROM range(2) r(d)) TO '${parquetPath}' (FORMAT parquet)`,
        );
        return [{ fileIndex: 1, parquetPath, accepted: 2, rejected: dataLines - 2 }];
      },
    });
    const result = await load(db, segment);
    return { db, asked, result };
  }

  test('is examined, and its good rows replace what was read, without orphans', async () => {
    const { db, asked, result } = await examinedStore(SPY.bars, 5);
    expect(asked).toEqual([[1]]);
    expect(result).toMatchObject({ accepted: 4, rejected: 3 });
    expect(
      await query(db, "SELECT ts, close FROM candles WHERE symbol = 'SPY' ORDER BY ts"),
    ).toEqual([
      ['2020-01-05T00:00:00.000Z', 7.5],
      ['2020-01-06T00:00:00.000Z', 7.5],
    ]);
    expect(
      await query(db, 'SELECT count(*), (FROM (SELECT count(*) FROM dead_series)) FROM bars'),
    ).toEqual([[4, 0]]);
  });

  test('is examined when its rows do not rise in time', async () => {
    const [first, second, third] = SPY.bars;
    expect((await examinedStore([first, third, second], 3)).asked).toEqual([[1]]);
    expect((await examinedStore([first, second, second], 3)).asked).toEqual([[1]]);
  });
});

describe('a load whose symbols are served from elsewhere', () => {
  long('names how many there are, and what is served instead', async () => {
    const db = await freshStore();
    const bars = risingBars('2020-01-01', 6);
    const both = ['QQQ', 'SPY'].map((symbol) => ({ symbol, bars }));
    await load(db, segmentOf(both, { source: 'stooq' }));
    const day = [...both.map(({ symbol }) => ({ symbol, bars: risingBars('2020-01-07', 1) }))];
    expect(await load(db, segmentOf(day))).toMatchObject({
      seriesChanged: 0,
      unserved: {
        count: 2,
        example: { symbol: 'QQQ', source: 'stooq', basis: 'all' },
        ...{ source: 'files', basis: 'all' },
      },
    });
    const own = await load(db, segmentOf([{ symbol: 'DIA', bars }]));
    expect(own.unserved).toBeUndefined();
  });

  // The day before had extended the series, so the report said nothing.
  test('names one whose newest bar does not go on where an earlier file did', async () => {
    const db = await freshStore();
    const fileOf = (bars: TestBar[], options?: SegmentOptions) =>
      segmentOf([{ symbol: 'SPY', bars }], options);
    await load(db, fileOf(risingBars('2020-01-01', 6), { source: 'stooq' }));
    const joined = await load(db, fileOf(risingBars('2020-01-01', 7)));
    expect(joined).toMatchObject({ seriesChanged: 1 });
    expect(joined.unserved).toBeUndefined();
    const { unserved } = await load(db, fileOf([['2020-01-08', 8]]));
    expect(unserved).toMatchObject({ count: 1, example: { symbol: 'SPY', source: 'stooq' } });
  });
});
