/** Hashes all served rows to one number, which does not depend on their order. */

import { createHash } from 'node:crypto';
import {
  DAILY_INTERVALS,
  type ServedInterval,
  STORED_INTRADAY,
} from '../../../src/base/time/intervals.ts';
import { publishedColumns } from '../../../src/compute/indicators/derive-series.ts';
import { EVERYTHING, LIST_NAMES } from '../../../src/store/arrow/lists/specs.ts';
import { openPublished } from '../../../src/store/arrow/read/reader.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';

export interface LogicalHash {
  rows: number;
  /** The sum of the rows' SHA-256, modulo 2^256, in hexadecimal. */
  hash: string;
}

const MODULUS = 1n << 256n;

/** @param folder A serving folder; one without a version has no rows. */
export function logicalHash(folder: string): LogicalHash {
  const version = openPublished(folder);
  return version ? hashOf(version) : { rows: 0, hash: '0' };
}

/** Every row of a snapshot: facts, quotes, bars, indicators, lists; no times or numbers of publishes. */
export function hashOf(snapshot: Snapshot): LogicalHash {
  let rows = 0;
  let sum = 0n;
  for (const row of logicalRows(snapshot)) {
    rows++;
    const digest = createHash('sha256').update(JSON.stringify(row, plain)).digest('hex');
    sum = (sum + BigInt(`0x${digest}`)) % MODULUS;
  }
  return { rows, hash: sum.toString(16) };
}

function* logicalRows(snapshot: Snapshot): Generator<unknown[]> {
  const { listings } = snapshot;
  for (let i = 0; i < listings.symbol.length; i++) {
    // Ids of securities are given in the order in which they came.
    const { securityId: _, ...columns } = listings;
    yield ['listing', ...Object.entries(columns).map(([name, column]) => [name, column[i]])];
  }
  for (const symbol of [...snapshot.symbols, EVERYTHING]) {
    for (const name of LIST_NAMES) {
      for (const row of snapshot.list(name, symbol).rows()) yield ['row', name, symbol, row];
    }
  }
  for (const symbol of snapshot.symbols) yield* symbolRows(snapshot, symbol);
}

function* symbolRows(snapshot: Snapshot, symbol: string): Generator<unknown[]> {
  yield ['symbol', snapshot.symbol(symbol)];
  yield ['quote', snapshot.quote(symbol)];
  for (const interval of DAILY_INTERVALS) {
    const columns = snapshot.indicators(symbol, interval, publishedColumns);
    yield* barRows(snapshot, symbol, interval, columns);
  }
  for (const interval of STORED_INTRADAY) {
    yield ['intraday', interval, snapshot.intraday(symbol, interval)];
    yield* barRows(snapshot, symbol, interval, []);
  }
}

function* barRows(
  snapshot: Snapshot,
  symbol: string,
  interval: ServedInterval,
  indicators: readonly Float64Array[],
): Generator<unknown[]> {
  const { timestampUs, open, high, low, close, volume } = snapshot.bars(symbol, interval);
  for (let i = 0; i < close.length; i++) {
    const bar = [timestampUs[i], open[i], high[i], low[i], close[i], volume[i]];
    yield ['bar', symbol, interval, ...bar, ...indicators.map((column) => column[i])];
  }
}

/** JSON tells neither big numbers nor missing ones. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
