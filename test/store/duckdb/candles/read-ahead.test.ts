import { expect, onTestFinished, test } from 'vitest';
import { joinedBars } from '../../../../src/base/bars.ts';
import { readAhead } from '../../../../src/store/duckdb/candles/read-ahead.ts';
import {
  streamWinningBars,
  type WinningSeries,
} from '../../../../src/store/duckdb/candles/read-bars.ts';
import {
  type MarketDb,
  openMarketForReading,
  openMarketForWriting,
} from '../../../../src/store/duckdb/connection/open.ts';
import {
  emptyPaths,
  freshPaths,
  load,
  NOW_MS,
  risingBars,
  segmentOf,
} from '../support/fixtures.ts';

const ROW_COUNTS = Array.from({ length: 61 }, (_, i) => (i === 30 ? 40_000 : 2000 + i));

/** One series larger than a batch, among many that share batches. */
async function storedPaths() {
  const paths = freshPaths();
  const db = await openMarketForWriting(paths, { verb: 'test', nowMs: NOW_MS });
  const none = ROW_COUNTS.map((_, i) => ({
    symbol: `S${i + 10}`,
    bars: risingBars('2000-01-01', 1),
  }));
  const segment = segmentOf(none);
  const files = segment.files.map((file, i) => ({ ...file, dataLines: ROW_COUNTS[i] }));
  // Rows made by SQL: texts of 160,000 would take longer than the test.
  const selectSql = `SELECT f::INTEGER AS file_index, TIMESTAMP '1905-01-01' + to_days(i) AS ts,
      f + i + 1.5 AS open, f + i + 2.5 AS high, f + 0.5 AS low, f + i + 1.25 AS close, i::DOUBLE AS volume
    FROM (SELECT f - 1 AS f, unnest(range(n))::INTEGER AS i
      FROM (SELECT unnest([${ROW_COUNTS}]) AS n, generate_subscripts([${ROW_COUNTS}], 1) AS f))
    ORDER BY f, i`;
  const groups = [{ selectSql, fileIndexes: ROW_COUNTS.map((_, i) => i) }];
  await load(db, { ...segment, files, groups });
  db.close();
  return paths;
}

/** Copies, since bars last until the next series only. */
async function collected(series: AsyncIterable<WinningSeries>): Promise<WinningSeries[]> {
  const all: WinningSeries[] = [];
  const none = (bars: WinningSeries['bars']) => ({
    ...bars,
    timestampUs: bars.timestampUs.subarray(0, 0),
    open: bars.open.subarray(0, 0),
    high: bars.high.subarray(0, 0),
    low: bars.low.subarray(0, 0),
    close: bars.close.subarray(0, 0),
    volume: bars.volume.subarray(0, 0),
  });
  for await (const one of series) all.push({ ...one, bars: joinedBars(none(one.bars), one.bars) });
  return all;
}

async function reader(paths: ReturnType<typeof freshPaths>): Promise<MarketDb> {
  const db = await openMarketForReading(paths);
  onTestFinished(() => db.close());
  return db;
}

test('series read on a thread are those that are read here, in the same order', async () => {
  const paths = await storedPaths();
  const here = await collected(streamWinningBars(await reader(paths), '1d'));
  const ahead = await collected(readAhead({ paths, interval: '1d', symbols: undefined }));
  expect(ahead).toHaveLength(61);
  expect(ahead).toEqual(here);
});

test('a reader that stops early leaves no thread and no open store behind', async () => {
  const paths = await storedPaths();
  for await (const { symbol } of readAhead({ paths, interval: '1d', symbols: undefined })) {
    expect(symbol).toBe('S10');
    break;
  }
  const db = await openMarketForWriting(paths, { verb: 'test', nowMs: NOW_MS });
  db.close();
});

test('an error that stops the thread reaches the reader', async () => {
  const series = readAhead({ paths: emptyPaths(), interval: '1d', symbols: undefined });
  await expect(collected(series)).rejects.toThrow('run a backfill first');
});
