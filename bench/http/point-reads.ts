/**
 * Reading one symbol's bars from the serving files, against DuckDB and against apache-arrow
 * decoding the same bytes: `node bench/http/point-reads.ts [--quick | --smoke]`.
 *
 * Every read is of another symbol. Files are in the page cache and every batch's checksum has
 * been verified, as for an API that has been up for a while; the first reads stand apart.
 */

import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DuckDBInstance,
  type DuckDBPreparedStatement,
  DuckDBTimestampValue,
} from '@duckdb/node-api';
import { type Table, tableFromIPC } from 'apache-arrow';
import type { BarColumns } from '../../src/base/bars.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { defaultColumns } from '../../src/compute/indicators/catalogue.ts';
import { arrowSchema, schemaMessage } from '../../src/store/arrow/format/batch-message.ts';
import { CANDLE_COLUMNS } from '../../src/store/arrow/format/tables.ts';
import type { PublishedVersion } from '../../src/store/arrow/read/published-version.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import { syntheticUniverse } from '../command/data/universe.ts';
import { publishMarket } from '../command/serving/market.ts';
import {
  benchSizeFromArgs,
  type Candidates,
  checkResult,
  goalLines,
  machineLine,
  readable,
  type Timing,
  tableFromRows,
  timeInterleaved,
} from '../harness.ts';

const SIZES = {
  smoke: { symbolCount: 20, barCount: 400, rounds: 1, readsPerSample: 5 },
  quick: { symbolCount: 500, barCount: 2520, rounds: 20, readsPerSample: 50 },
  full: { symbolCount: 1000, barCount: 2520, rounds: 100, readsPerSample: 100 },
};

const NEWEST = 250;
const INDICATOR_NAMES = defaultColumns.map(({ name }) => name);

const OURS_NEWEST = 'tapeworks, newest 250 bars';
const OURS_ALL = 'tapeworks, whole history';
const OURS_INDICATORS = 'tapeworks, 9 indicator columns of the newest 250';
const DUCKDB_NEWEST = 'DuckDB prepared, newest 250 bars';
const DUCKDB_ALL = 'DuckDB prepared, whole history';
const ARROW_ALL = 'apache-arrow tableFromIPC, whole history';
const FLOOR_ALL = 'pread of the same bytes into one buffer';

function newestRange(version: PublishedVersion, symbol: string) {
  const end = version.rowCount(symbol, '1d');
  return { start: Math.max(0, end - NEWEST), end };
}

/** Writes `candles(symbol, ts, open, high, low, close, volume)`, clustered by symbol. */
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

/** A prepared statement and its first DOUBLE column, close, oldest first. */
async function duckdbReader(path: string) {
  const instance = await DuckDBInstance.create(path, { threads: '1' });
  const connection = await instance.connect();
  const columns = 'ts, open, high, low, close, volume';
  const newest = await connection.prepare(
    `FROM (SELECT ${columns} FROM candles WHERE symbol = $1 ORDER BY ts DESC LIMIT ${NEWEST})
     ORDER BY ts`,
  );
  const all = await connection.prepare(
    `SELECT ${columns} FROM candles WHERE symbol = $1 ORDER BY ts`,
  );
  const read = async (statement: DuckDBPreparedStatement, symbol: string) => {
    statement.bindVarchar(1, symbol);
    const reader = await statement.runAndReadAll();
    return reader.getColumns()[4] as number[];
  };
  return {
    newest: (symbol: string) => read(newest, symbol),
    all: (symbol: string) => read(all, symbol),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** Byte ranges, in the candle files, of the record batches of a symbol: message and body. */
function batchRanges(version: PublishedVersion, symbol: string, metadataBytes: number) {
  const parts = version.parts(version.directory.number(symbol) as number, '1d');
  return parts.map(({ layer, part }) => {
    const { candles } = layer.volumes[layer.parts.volume[part]];
    const { offset, rowCount } = layer.place(part, 'candles');
    const bodyBytes = CANDLE_COLUMNS.length * Math.ceil((8 * rowCount) / 64) * 64;
    return { path: candles.path, start: offset - metadataBytes, end: offset + bodyBytes };
  });
}

/** Reads a symbol's batches as apache-arrow would be given them: an IPC stream. */
function arrowReader(version: PublishedVersion) {
  const schema = schemaMessage(arrowSchema(CANDLE_COLUMNS));
  const first = batchRanges(version, version.symbols[0], 0)[0];
  // Our files have one schema message, padded as the first batch's own message is.
  const metadataBytes = messageBytes(first.path, first.start);
  const ranges = new Map(
    version.symbols.map((symbol) => [symbol, batchRanges(version, symbol, metadataBytes)]),
  );
  const files = new Map<string, number>();
  for (const { path } of [...ranges.values()].flat()) {
    if (!files.has(path)) files.set(path, openSync(path, 'r'));
  }
  const scratch = new Uint8Array(4 * 1024 * 1024);
  const readInto = (symbol: string, bytes: Uint8Array, at: number): number => {
    let end = at;
    for (const range of ranges.get(symbol) ?? []) {
      const length = range.end - range.start;
      readSync(files.get(range.path) as number, bytes, end, length, range.start);
      end += length;
    }
    return end;
  };
  scratch.set(schema);
  return {
    floor: (symbol: string) => readInto(symbol, scratch, schema.length),
    table: (symbol: string): Table =>
      tableFromIPC(scratch.slice(0, readInto(symbol, scratch, schema.length))),
    close() {
      for (const fd of files.values()) closeSync(fd);
    },
  };
}

/** Length of the message in front of a body, found from its continuation marker. */
function messageBytes(path: string, bodyStart: number): number {
  const fd = openSync(path, 'r');
  const before = Buffer.alloc(bodyStart);
  readSync(fd, before, 0, bodyStart, 0);
  closeSync(fd);
  return bodyStart - before.lastIndexOf(Uint8Array.of(255, 255, 255, 255));
}

function isEqual(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return a.length === b.length && Array.prototype.every.call(a, (value, i) => value === b[i]);
}

/** Largest is what an answer is made from: the columns must be there as numbers. */
function touched({ open, close }: BarColumns): number {
  return open[0] + close[close.length - 1];
}

async function bench(): Promise<void> {
  const { symbolCount, barCount, rounds, readsPerSample } = SIZES[benchSizeFromArgs()];
  const dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  try {
    const { symbols, bars } = syntheticUniverse(symbolCount, barCount);
    const { serving } = modePaths(dataDir, 'live');
    await publishMarket(serving, { symbols, bars });
    const duckdbPath = join(dataDir, 'peer.duckdb');
    await fillDuckdb(duckdbPath, symbols, bars);
    const version = openPublished(serving) as PublishedVersion;
    const duckdb = await duckdbReader(duckdbPath);
    const arrow = arrowReader(version);
    const firstReads = timeFirstReads(version);
    for (const symbol of version.symbols.slice(0, 20)) {
      const { close } = version.bars(symbol, '1d');
      const newest = version.bars(symbol, '1d', newestRange(version, symbol));
      checkResult(close.length === barCount, `${symbol} has ${barCount} bars`);
      checkResult(isEqual(close, await duckdb.all(symbol)), `${symbol} differs from DuckDB`);
      checkResult(isEqual(newest.close, await duckdb.newest(symbol)), `${symbol}, newest differ`);
      const column = arrow.table(symbol).getChild('close');
      checkResult(isEqual(close, column?.toArray()), `${symbol} differs from apache-arrow`);
    }
    let turn = 0;
    const each = (read: (symbol: string) => unknown) => () => {
      for (let i = 0; i < readsPerSample; i++) read(version.symbols[turn++ % symbolCount]);
    };
    const eachAwaited = (read: (symbol: string) => Promise<unknown>) => async () => {
      for (let i = 0; i < readsPerSample; i++) await read(version.symbols[turn++ % symbolCount]);
    };
    const candidates: Candidates = {
      [FLOOR_ALL]: each(arrow.floor),
      [OURS_NEWEST]: each((s) => touched(version.bars(s, '1d', newestRange(version, s)))),
      [OURS_INDICATORS]: each((s) =>
        version.indicators(s, '1d', INDICATOR_NAMES, newestRange(version, s)),
      ),
      [OURS_ALL]: each((s) => touched(version.bars(s, '1d'))),
      [ARROW_ALL]: each((s) => arrow.table(s).getChild('close')?.toArray()),
      [DUCKDB_NEWEST]: eachAwaited(duckdb.newest),
      [DUCKDB_ALL]: eachAwaited(duckdb.all),
    };
    const timings = await timeInterleaved(candidates, rounds);
    report(timings, readsPerSample, firstReads, `${symbolCount} symbols, ${barCount} daily bars`);
    duckdb.close();
    arrow.close();
    version.close();
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Microseconds of a symbol's first read, which verifies checksums; the median over all. */
function timeFirstReads(version: PublishedVersion): number {
  const samples = version.symbols.map((symbol) => {
    const startMs = performance.now();
    touched(version.bars(symbol, '1d'));
    return 1000 * (performance.now() - startMs);
  });
  return samples.sort((a, b) => a - b)[samples.length >> 1];
}

function report(
  timings: Record<string, Timing>,
  readsPerSample: number,
  firstReadUs: number,
  size: string,
): void {
  const us = (ms: number) => (1000 * ms) / readsPerSample;
  const fastest = timings[OURS_NEWEST].medianMs;
  const rows = Object.entries(timings).map(([name, { minMs, medianMs, p99Ms }]) => [
    name,
    readable(us(minMs)),
    readable(us(medianMs)),
    readable(us(p99Ms)),
    readable(medianMs / fastest),
  ]);
  const times = `× ${OURS_NEWEST}`;
  console.log(`${machineLine()}; ${size}; microseconds a read\n`);
  console.log(tableFromRows(['one read', 'min', 'median', 'p99', times], rows));
  console.log(`\nfirst read of a whole history, checksum included: ${readable(firstReadUs)} µs\n`);
  const ratio = (slow: string, fast: string) => timings[slow].medianMs / timings[fast].medianMs;
  console.log(
    goalLines([
      {
        name: 'newest 250 bars, × faster than DuckDB',
        ratio: ratio(DUCKDB_NEWEST, OURS_NEWEST),
        atLeast: 40,
      },
      {
        name: 'whole history, × faster than tableFromIPC',
        ratio: ratio(ARROW_ALL, OURS_ALL),
        atLeast: 3,
      },
      {
        name: 'whole history, share of the speed of a bare pread',
        ratio: ratio(FLOOR_ALL, OURS_ALL),
        atLeast: 0.25,
      },
    ]),
  );
}

await bench();
