/** Peers of screens over candles, with the same columns in memory. Each takes one thread. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import duckdbPackage from '@duckdb/node-api/package.json' with { type: 'json' };
import { UsageError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { quoted } from '../../base/quoted.ts';
import { cpuMs } from '../measure/cpu-time.ts';
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
  /** Time of the query alone, and its CPU time on all threads. */
  ms: number;
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

const script = fileURLToPath(new URL('./polars-screens.py', import.meta.url));

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
  const child: ChildProcess = spawn(
    interpreter,
    [script, folder, `${symbolCount}`, `${barCount}`],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const failed = once(child, 'error').then(([error]) => {
    throw new UsageError(`--python must name an interpreter, ${quoted(interpreter)} can't run`, {
      cause: error,
    });
  });
  failed.catch(() => {});
  child.stdin!.on('error', () => {});
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const timer = setTimeout(() => child.kill(), limits.bench.childMs);
    const { value, done } = await Promise.race([lines.next(), failed]).finally(() =>
      clearTimeout(timer),
    );
    if (done) throw new UsageError('--python ended; its reason is above');
    return value;
  };
  const version = await line().finally(() => rmSync(folder, { recursive: true }));
  if (version === 'missing') return undefined;
  return {
    name: POLARS,
    version,
    async run({ name }, omitted) {
      child.stdin!.write(`${JSON.stringify({ screen: name, omitted })}\n`);
      return JSON.parse(await line()) as Found;
    },
    close() {
      child.stdin!.end();
    },
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
      const startMs = performance.now();
      const startCpuMs = cpuMs();
      const reader = await connection.runAndReadAll(query);
      const times = { ms: performance.now() - startMs, cpuMs: cpuMs() - startCpuMs };
      return { ...times, rows: reader.getRows().map(([symbol]) => Number(symbol)) };
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
