/** A generated market for the HTTP benchmark: serving files, and the same bars in DuckDB. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance, DuckDBTimestampValue } from '@duckdb/node-api';
import { type BarColumns, MILLIS_PER_DAY } from '../../src/base/bars.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import {
  generatedBars,
  LAST_DAY,
  MICROS_PER_DAY,
  symbolName,
} from '../../src/bench/data/synthetic.ts';
import { DAILY_INTERVALS } from '../../src/base/time/intervals.ts';
import { resampleDaily } from '../../src/compute/bars/resample-daily.ts';
import { defaultColumns } from '../../src/compute/indicators/catalogue.ts';
import { addToBase } from '../../src/store/arrow/write/compact.ts';
import { Publication } from '../../src/store/arrow/write/publication.ts';

export interface BenchMarket {
  dataDir: string;
  /** Live mode holds these symbols. */
  symbols: readonly string[];
  /** DuckDB file with `candles(symbol, ts, open, high, low, close, volume)`, clustered by symbol. */
  duckdbPath: string;
}

/** Publishes the market as live data and writes its DuckDB twin. */
export async function createBenchMarket(
  dataDir: string,
  symbolCount: number,
  barCount: number,
): Promise<BenchMarket> {
  const symbols = Array.from({ length: symbolCount }, (_, number) => symbolName(number)).sort();
  const series = symbols.map((_, number) => generatedBars(barCount, number));
  await publish(modePaths(dataDir, 'live').serving, symbols, series);
  const duckdbPath = join(dataDir, 'peer.duckdb');
  await fillDuckdb(duckdbPath, symbols, series);
  return { dataDir, symbols, duckdbPath };
}

async function publish(
  folder: string,
  symbols: readonly string[],
  series: readonly BarColumns[],
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const publication = new Publication(folder, {
    indicatorColumns: defaultColumns.map(({ name }) => name),
  });
  for (const [number, daily] of series.entries()) {
    for (const interval of DAILY_INTERVALS) {
      const bars = interval === '1d' ? daily : resampleDaily(daily, interval);
      const indicators = defaultColumns.map(
        ({ spec, params, output }) => spec.compute(bars, params)[output],
      );
      addToBase(publication.layer, number, interval, { firstRow: 0, bars, indicators }, 2026);
    }
  }
  await publication.commit({
    seq: 1,
    storeMark: 'bench',
    createdMs: LAST_DAY * MILLIS_PER_DAY,
    replacesLayers: true,
    currentYear: 2026,
    symbols: symbols.map((symbol) => ({
      symbol,
      source: 'sandbox',
      basis: 'split',
      asOfUs: BigInt(LAST_DAY) * MICROS_PER_DAY,
      splits: [],
      dividends: [],
      actionCoverage: undefined,
    })),
    quotes: symbols.map((symbol, number) => {
      const { open, high, low, close, volume } = series[number];
      const [previousClose, price] = close.slice(-2);
      return {
        symbol,
        price,
        change: price - previousClose,
        changePct: (100 * (price - previousClose)) / previousClose,
        volume: volume[volume.length - 1],
        timestampMs: LAST_DAY * MILLIS_PER_DAY + 21 * 3_600_000,
        dayHigh: high[high.length - 1],
        dayLow: low[low.length - 1],
        dayOpen: open[open.length - 1],
        previousClose,
        marketCap: null,
        rsi14: null,
        peRatio: null,
        dividendYield: null,
      };
    }),
  });
}

async function fillDuckdb(
  path: string,
  symbols: readonly string[],
  series: readonly BarColumns[],
): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE candles (symbol VARCHAR, ts TIMESTAMP, open DOUBLE,
    high DOUBLE, low DOUBLE, close DOUBLE, volume DOUBLE)`);
  const appender = await connection.createAppender('candles');
  for (const [number, bars] of series.entries()) {
    for (let row = 0; row < bars.close.length; row++) {
      appender.appendVarchar(symbols[number]);
      appender.appendTimestamp(new DuckDBTimestampValue(bars.timestampUs[row]));
      appender.appendDouble(bars.open[row]);
      appender.appendDouble(bars.high[row]);
      appender.appendDouble(bars.low[row]);
      appender.appendDouble(bars.close[row]);
      appender.appendDouble(bars.volume[row]);
      appender.endRow();
    }
  }
  appender.closeSync();
  connection.closeSync();
  instance.closeSync();
}
