/** A generated market for the HTTP benchmark: serving files, and the same bars in DuckDB. */

import { join } from 'node:path';
import { DuckDBInstance, DuckDBTimestampValue } from '@duckdb/node-api';
import type { BarColumns } from '../../src/base/bars.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { generatedBars, symbolName } from '../../src/bench/data/synthetic.ts';
import { publishMarket } from '../../src/bench/serving/market.ts';

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
  await publishMarket(modePaths(dataDir, 'live').serving, { symbols, bars: series });
  const duckdbPath = join(dataDir, 'peer.duckdb');
  await fillDuckdb(duckdbPath, symbols, series);
  return { dataDir, symbols, duckdbPath };
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
