import { describe, expect, test } from 'vitest';
import type { BarColumns } from '../../../../src/base/bars.ts';
import {
  streamNewBars,
  streamWinningBars,
  type WinningSeries,
} from '../../../../src/store/duckdb/candles/read-bars.ts';
import type { MarketDb } from '../../../../src/store/duckdb/connection/open.ts';
import {
  dateAfter,
  freshStore,
  load,
  query,
  risingBars,
  segmentOf,
  useStore,
  usOf,
} from '../support/fixtures.ts';

const bySymbol = (a: WinningSeries, b: WinningSeries) => (a.symbol < b.symbol ? -1 : 1);

async function streamed(db: MarketDb, symbols?: string[]): Promise<WinningSeries[]> {
  return (await Array.fromAsync(streamWinningBars(db, '1d', symbols))).sort(bySymbol);
}

function rowsOf({ timestampUs, open, high, low, close, volume }: BarColumns): unknown[][] {
  return Array.from(timestampUs, (us, i) => [
    new Date(Number(us / 1000n)).toISOString(),
    open[i],
    high[i],
    low[i],
    close[i],
    volume[i],
  ]);
}

/** Compares the streamed bars of each symbol with the same bars from SQL. */
async function expectServed(db: MarketDb, series: readonly WinningSeries[]): Promise<void> {
  for (const { symbol, bars } of series) {
    const sql = `SELECT ts, open, high, low, close, volume FROM candles
      WHERE symbol = '${symbol}' ORDER BY ts`;
    expect(rowsOf(bars)).toEqual(await query(db, sql));
  }
}

/** Whole, winning over a rival, extended by one, and raw in pieces out of order. */
const mixedStore = useStore(async (db) => {
  const whole = ['A', 'B'].map((symbol) => ({ symbol, bars: risingBars('2020-01-01', 3000) }));
  const extended = { symbol: 'EXT', bars: risingBars('2020-02-01', 10, 230) };
  await load(db, segmentOf([...whole, extended], { source: 'stooq', asOf: '2030-01-01' }));
  await load(
    db,
    segmentOf([
      { symbol: 'A', bars: risingBars('2020-01-01', 3000, 7) },
      { symbol: 'EXT', bars: risingBars('2020-01-30', 12, 456, 2) },
    ]),
  );
  for (const date of ['2020-01-05', '2020-01-01', '2020-01-03']) {
    await load(db, segmentOf([{ symbol: 'RAW', bars: risingBars(date, 2, 5) }], { basis: 'raw' }));
  }
});

describe('streamed bars', () => {
  test('are the served ones of every symbol, with the provenance of the best piece', async () => {
    const db = mixedStore();
    const series = await streamed(db);
    expect(
      series.map(({ symbol, source, basis, bars }) => [symbol, source, basis, bars.close.length]),
    ).toEqual([
      ['A', 'stooq', 'all', 3000],
      ['B', 'stooq', 'all', 3000],
      ['EXT', 'stooq', 'all', 12],
      ['RAW', 'files', 'raw', 6],
    ]);
    expect(series[0].asOfUs).toBe(usOf('2030-01-01'));
    await expectServed(db, series);
  });

  test('are those of the symbols asked, few or many', async () => {
    const db = mixedStore();
    for (const symbols of [
      ['EXT', 'RAW', 'NONE'],
      ['A', 'EXT', 'B', 'RAW'],
    ]) {
      const series = await streamed(db, symbols);
      expect(series.map(({ symbol }) => symbol)).toEqual(
        symbols.filter((s) => s !== 'NONE').sort(),
      );
      await expectServed(db, series);
    }
  });

  test('from a bar on are the newest ones of each symbol', async () => {
    const db = mixedStore();
    const from = new Map([
      ['A', Number(usOf(dateAfter('2020-01-01', 2998)))],
      ['EXT', Number(usOf('2020-01-31'))],
      ['RAW', Number(usOf('2020-01-07'))],
    ]);
    const series = (await Array.fromAsync(streamNewBars(db, '1d', from))).sort(bySymbol);
    expect(series.map(({ symbol, bars }) => [symbol, bars.close.length, bars.close[0]])).toEqual([
      ['A', 2, 3098],
      ['EXT', 11, 229],
    ]);
  });

  test('can be left early, and read while other statements run', async () => {
    const db = mixedStore();
    const seen: string[] = [];
    for await (const { symbol } of streamWinningBars(db, '1d')) {
      await query(db, 'SELECT count(*) FROM bars');
      seen.push(symbol);
      if (seen.length === 2) break;
    }
    expect(seen).toHaveLength(2);
    expect(await streamed(db)).toHaveLength(4);
  });

  test('are none in an empty store', async () => {
    expect(await streamed(await freshStore())).toEqual([]);
  });
});
