/** Peers of screens over candles, with the same columns in memory. Each takes one thread. */

import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import duckdbPackage from '@duckdb/node-api/package.json' with { type: 'json' };
import { mkdtempSync, rmSync, writeFileSync } from '../../../src/base/world/files.ts';
import { tmpdir } from '../../../src/base/world/machine.ts';
import { cpuMs } from '../measure/cpu-time.ts';
import { PythonProcess } from '../peers/python-process.ts';
import type { NamedScreen } from './named.ts';

/** Columns of all symbols on the default adjustment, one symbol behind the other. */
export interface ScreenColumnsInMemory {
  symbolCount: number;
  barCount: number;
  close: Float64Array;
  high: Float64Array;
  volume: Float64Array;
  /** By bar, the Monday of its week in days. */
  week: Int32Array;
}

export interface Found {
  /** CPU time of the query alone, on all threads. */
  cpuMs: number;
  /** Numbers of the symbols that match, ascending. */
  rows: readonly number[];
}

export interface ScreensPeer {
  name: string;
  version: string;
  /** @param omitted Bars that are left out at the end. */
  run(screen: NamedScreen, omitted: number): Promise<Found | undefined>;
  close(): void | Promise<void>;
}

export const POLARS = 'polars + polars-talib';
export const DUCKDB = 'DuckDB';

const script = new URL('./polars-screens.py', import.meta.url);

/**
 * Starts polars in a Python. @returns undefined if the interpreter lacks polars or polars-talib.
 *
 * @throws {UsageError} The interpreter can't be started.
 */
export async function polarsPeer(
  interpreter: string,
  columns: ScreenColumnsInMemory,
): Promise<ScreensPeer | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  const { symbolCount, barCount } = columns;
  for (const name of ['close', 'high', 'volume', 'week'] as const) {
    const { buffer, byteOffset, byteLength } = columns[name];
    writeFileSync(join(folder, name), new Uint8Array(buffer, byteOffset, byteLength));
  }
  const python = new PythonProcess(interpreter, script, [folder, `${symbolCount}`, `${barCount}`]);
  const version = await python.line().finally(() => rmSync(folder, { recursive: true }));
  if (version === 'missing') return undefined;
  return {
    name: POLARS,
    version,
    async run({ name }, omitted) {
      python.send({ screen: name, omitted });
      return JSON.parse(await python.line()) as Found;
    },
    close: () => python.close(),
  };
}

/** Rows that are appended before the appender is flushed. */
const APPENDED_ROWS = 1_000_000;

export async function duckdbPeer(columns: ScreenColumnsInMemory): Promise<ScreensPeer> {
  const { symbolCount, barCount, close, high, volume } = columns;
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run(
    'CREATE TABLE candles (symbol INTEGER, bar INTEGER, close DOUBLE, high DOUBLE, volume DOUBLE)',
  );
  const appender = await connection.createAppender('candles');
  for (let row = 0; row < symbolCount * barCount; row++) {
    appender.appendInteger(Math.floor(row / barCount));
    appender.appendInteger(row % barCount);
    appender.appendDouble(close[row]);
    appender.appendDouble(high[row]);
    appender.appendDouble(volume[row]);
    appender.endRow();
    if (row % APPENDED_ROWS === 0) appender.flushSync();
  }
  appender.closeSync();
  return {
    name: DUCKDB,
    version: duckdbPackage.version,
    async run({ sql }, omitted) {
      if (sql === undefined) return undefined;
      const query = sql(barCount - 1 - omitted);
      const startMs = cpuMs();
      const reader = await connection.runAndReadAll(query);
      return { cpuMs: cpuMs() - startMs, rows: reader.getRows().map(([symbol]) => Number(symbol)) };
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
