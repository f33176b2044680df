/**
 * Publishes the market of the soak in a process of its own: `soak-publisher.ts DATA_DIR SYMBOLS
 * DAYS INTERVAL_MS`, with the lowest priority. Fills the store, says so, and when it is told to go
 * brings a minute of all symbols, rows, or a correction of a few, each with a publish, until it is
 * told to pause or stop.
 */

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { publish } from '../../../jobs/publish/publish.ts';
import { MICROS_PER_MILLI, MILLIS_PER_DAY } from '../../../src/base/bars.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import type { DatasetRow } from '../../../src/base/datasets/dataset.ts';
import { lowerPriority } from '../../../src/cli/server/priority.ts';
import { stageDatasetRows } from '../../../src/ingest/rows/segment.ts';
import type { CandleSegment } from '../../../src/store/duckdb/connection/candle-segment.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { loadCandleBatch } from '../../../src/store/duckdb/load/load-candles.ts';
import { loadRowBatch } from '../../../src/store/duckdb/load/load-rows.ts';
import { testContext } from '../../ingest/support/segment-rows.ts';
import {
  COMPANIES,
  CORRECTED,
  DAILY_CENTS_SQL,
  firmOf,
  historyDays,
  LAST_DAY,
  MARKS,
  type Marks,
  MINUTE_CENTS_SQL,
  MINUTES_MAX,
  revenueOf,
  rowMs,
  SESSION_OPEN_MS,
  symbolOf,
  titleOf,
} from './market.ts';

export type PublisherRequest = 'go' | 'pause' | 'stop';

export type PublisherMessage =
  | { kind: 'filled' }
  /** Resident memory when it is done. */
  | { kind: 'published'; ms: number; rssMb: number }
  /** Sent once the publisher is idle; it stays idle until `go`. */
  | { kind: 'paused' }
  | { kind: 'stopped'; marks: Marks };

const [dataDir, ...numbers] = process.argv.slice(2);
const [symbolCount, dayCount, intervalMs] = numbers.map(Number);
const paths = modePaths(dataDir, 'live');
const marks: Marks = { minute: -1, correction: 0, row: -1 };
const stop = new AbortController();

const say = (message: PublisherMessage) => process.send?.(message);
const usOfDay = (day: number) => BigInt(day * MILLIS_PER_DAY) * 1000n;

/** @param rowsSql Gives symbol `s`, time `ts` and close `c` in cents. */
function segmentOf(
  name: string,
  interval: '1d' | '1m',
  [symbols, rowsEach]: [symbols: number, rowsEach: number],
  rowsSql: string,
  asOfUs?: bigint,
): CandleSegment {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const selectSql = `SELECT s::INTEGER AS file_index, ts, c / 100 AS open, c / 100 + 1 AS high,
      c / 100 - 1 AS low, c / 100 AS close, 1000::DOUBLE AS volume
    FROM (${rowsSql}) ORDER BY s, ts`;
  return {
    id: sha256(name),
    ...{ dataset: 'candles', source: 'massive', interval, basis: 'raw', asOfUs },
    ...{ origin: name, kind: 'external' },
    files: Array.from({ length: symbols }, (_, s) => ({
      ...{ path: symbolOf(s), symbol: symbolOf(s), dataLines: rowsEach },
      sha256: sha256(`${name} ${s}`),
    })),
    groups: [{ selectSql, fileIndexes: Array.from({ length: symbols }, (_, s) => s) }],
    examine: () => Promise.reject(new Error('every row is good')),
  };
}

function historySegment(): CandleSegment {
  const days = historyDays(dayCount);
  const rows = `SELECT s, make_timestamp(t::BIGINT * 86400000000) AS ts, ${DAILY_CENTS_SQL} AS c
    FROM range(${symbolCount}) n(s), (SELECT unnest([${days}]) AS t)`;
  return segmentOf('history', '1d', [symbolCount, days.length], rows);
}

function minuteSegment(minute: number): CandleSegment {
  const startUs = (SESSION_OPEN_MS + minute * 60_000) * MICROS_PER_MILLI;
  const rows = `SELECT s, make_timestamp(${startUs}) AS ts, ${MINUTE_CENTS_SQL} + ${minute} AS c
    FROM range(${symbolCount}) n(s)`;
  return segmentOf(`minute ${minute}`, '1m', [symbolCount, 1], rows);
}

function correctionSegment(correction: number): CandleSegment {
  const rows = `SELECT s, make_timestamp(${usOfDay(LAST_DAY)}) AS ts,
      ${DAILY_CENTS_SQL} + ${correction} AS c
    FROM (SELECT unnest(range(${CORRECTED})) AS s, ${LAST_DAY} AS t)`;
  const asOfUs = usOfDay(LAST_DAY + 1) + BigInt(correction);
  return segmentOf(`correction ${correction}`, '1d', [CORRECTED, 1], rows, asOfUs);
}

const DATASETS = ['news', 'upgrades-downgrades', 'statements'] as const;

function rowOf(dataset: (typeof DATASETS)[number], row: number): DatasetRow {
  const symbol = symbolOf(row % COMPANIES);
  const publishedAt = rowMs(row);
  if (dataset === 'statements') {
    const filing = { date: LAST_DAY - 365, period: 'annual', filedAt: publishedAt };
    return { symbol, ...filing, revenue: revenueOf(row) };
  }
  if (dataset === 'upgrades-downgrades') {
    return { symbol, firm: firmOf(row), action: 'maintain', publishedAt };
  }
  const url = `https://example.com/${row}`;
  return { title: titleOf(row), source: 'Wire', url, publishedAt, symbols: [symbol] };
}

async function loadBars(segment: CandleSegment): Promise<void> {
  const deps = { verb: 'soak', nowMs: Date.now() };
  const market = await openMarketForWriting(paths, deps);
  try {
    await loadCandleBatch(market, [{ segment }], deps.nowMs);
  } finally {
    market.close();
  }
}

/** Rows of all datasets. */
async function loadRowsOf(rows: readonly number[]): Promise<void> {
  const deps = { verb: 'soak', nowMs: Date.now() };
  const context = { ...testContext(paths.root, new Date(deps.nowMs).toISOString()), paths };
  for (const dataset of DATASETS) {
    const head = { dataset, source: 'files', asOfUs: undefined, origin: `rows ${rows}` };
    const values = rows.map((row) => ({ row: rowOf(dataset, row) }));
    const landed = await stageDatasetRows(head, values, context);
    const market = await openMarketForWriting(paths, deps);
    try {
      await loadRowBatch(market, [{ segment: landed }], deps.nowMs);
    } finally {
      market.close();
    }
  }
}

const LOADS: Record<keyof Marks, (number: number) => Promise<void>> = {
  minute: (minute) => loadBars(minuteSegment(minute)),
  correction: (correction) => loadBars(correctionSegment(correction)),
  row: (row) => loadRowsOf([row]),
};

async function bring(mark: keyof Marks): Promise<void> {
  if (mark === 'minute' && marks.minute === MINUTES_MAX - 1) return;
  await LOADS[mark](marks[mark] + 1);
  const startMs = performance.now();
  await publish(paths, { verb: 'soak', nowMs: Date.now() });
  marks[mark]++;
  const ms = performance.now() - startMs;
  // Where it may: what is then open and resident is held by somebody.
  globalThis.gc?.();
  say({ kind: 'published', ms, rssMb: process.memoryUsage.rss() / 2 ** 20 });
}

lowerPriority();
let going = Promise.withResolvers<void>();
let isGoing = false;
process.on('message', (request: PublisherRequest) => {
  // One that waits already must not wait for another promise than the one that is kept.
  if (request === 'pause' && isGoing) going = Promise.withResolvers();
  isGoing = request !== 'pause';
  if (isGoing) going.resolve();
  if (request === 'stop') stop.abort();
});
// The test is gone.
process.on('disconnect', () => process.exit(1));

await loadBars(historySegment());
// The first of each company, so that none is without.
await loadRowsOf(Array.from({ length: COMPANIES }, (_, row) => row));
marks.row = COMPANIES - 1;
await bring('minute');
say({ kind: 'filled' });
for (let number = 0; ; number++) {
  if (!isGoing) say({ kind: 'paused' });
  await going.promise;
  if (stop.signal.aborted) break;
  const untilNext = delay(intervalMs, undefined, { signal: stop.signal }).catch(() => undefined);
  await bring(MARKS[number % MARKS.length]);
  await untilNext;
}
// It stays to be looked at, until who started it ends it.
say({ kind: 'stopped', marks });
