/**
 * A new minute for every symbol: how long a publish takes and what it writes, over sessions of
 * history, and what compacting adds to that.
 */

import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { publish } from '../../jobs/publish/publish.ts';
import { type ModePaths, modePaths } from '../../src/base/config/data-dir.ts';
import { onFailpoint } from '../../src/base/failpoints.ts';
import { nextSession, sessionOpenMs } from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { openPublished } from '../../src/store/arrow/read/reader.ts';
import type { CandleSegment } from '../../src/store/duckdb/connection/candle-segment.ts';
import { openMarketForWriting } from '../../src/store/duckdb/connection/open.ts';
import { loadCandleBatch } from '../../src/store/duckdb/load/load-candles.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  readable,
  tableFromRows,
  timingFromSamples,
} from '../harness.ts';

const SIZES = {
  smoke: { symbols: 4, sessions: 1, minutes: 16 },
  quick: { symbols: 1000, sessions: 5, minutes: 20 },
  full: { symbols: 10_000, sessions: 20, minutes: 50 },
};
type Size = (typeof SIZES)['full'];

const SESSION_MINUTES = 390;
const FIRST_DAY = dayFromDate('2026-01-05');
const NOW_MS = Date.parse('2026-07-01T12:00:00Z');

interface Rows {
  interval: '1d' | '1m';
  name: string;
  /** The first symbol's number, and how many there are. */
  first: number;
  symbols: number;
  /** Starts of the bars of every symbol, in milliseconds. */
  startsMs: readonly number[];
}

function segmentOf({ interval, name, first, symbols, startsMs }: Rows): CandleSegment {
  const hash = (text: string) => createHash('sha256').update(text).digest('hex');
  // Closes that wander by symbol and time, so that no two rows are alike.
  const close = `round(100 + i % 400 + sin(t * 0.7 + i + ${first}), 2)`;
  return {
    id: hash(name),
    dataset: 'candles',
    source: 'files',
    interval,
    basis: 'raw',
    asOfUs: undefined,
    origin: name,
    kind: 'external',
    files: Array.from({ length: symbols }, (_, i) => ({
      path: `${name}-${i}.csv`,
      symbol: `S${String(first + i).padStart(5, '0')}`,
      dataLines: startsMs.length,
      sha256: hash(`${name} ${i}`),
    })),
    groups: [
      {
        selectSql: `SELECT i::INTEGER AS file_index, make_timestamp(ms * 1000) AS ts, ${close} AS open,
            ${close} + 1 AS high, ${close} - 1 AS low, ${close} AS close, (100 + t % 50)::DOUBLE AS volume
          FROM range(${symbols}) s(i),
            (SELECT unnest([${startsMs.join(',')}])::BIGINT AS ms, generate_subscripts([${startsMs.join(',')}], 1) AS t)
          ORDER BY i, ms`,
        fileIndexes: Array.from({ length: symbols }, (_, i) => i),
      },
    ],
    examine: () => Promise.reject(new Error('nothing to examine')),
  };
}

async function load(paths: ModePaths, segment: CandleSegment): Promise<number> {
  const market = await openMarketForWriting(paths, { verb: 'bench', nowMs: NOW_MS });
  const startMs = performance.now();
  try {
    await loadCandleBatch(market, [{ segment }], NOW_MS);
  } finally {
    market.close();
  }
  return performance.now() - startMs;
}

/** Publishes. @returns milliseconds, those of processors, and bytes of the files that it made. */
async function timePublish(paths: ModePaths) {
  const names = new Set<string>();
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  onFailpoint((step, name) => step === 'rename file' && names.add(name));
  const { compactedIntraday } = await publish(paths, { verb: 'bench', nowMs: NOW_MS });
  const ms = performance.now() - startMs;
  const { user, system } = process.cpuUsage(startCpu);
  const cpuMs = (user + system) / 1000;
  let bytes = 0;
  for (const name of names) bytes += statSync(join(paths.serving, name)).size;
  return { ms, cpuMs, bytes, compactedIntraday };
}

/** Symbols whose history is loaded at a time. */
const GROUP = 500;

function minutesOf(day: number, from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => sessionOpenMs(day) + (from + i) * 60_000);
}

/** Loads days and sessions of minutes of every symbol. @returns the bars of each, and the next session. */
async function loadHistory(paths: ModePaths, symbols: number, sessions: number) {
  const past = Array.from({ length: 250 }, (_, i) => (FIRST_DAY - 250 + i) * 86_400_000);
  const days = { interval: '1d', name: 'days', first: 0, symbols, startsMs: past } as const;
  await load(paths, segmentOf(days));
  const startsMs: number[] = [];
  let day = FIRST_DAY;
  for (let session = 0; session < sessions; session++) {
    startsMs.push(...minutesOf(day, 0, SESSION_MINUTES));
    day = nextSession(day);
  }
  for (let first = 0; first < symbols; first += GROUP) {
    const group = { first, symbols: Math.min(GROUP, symbols - first), startsMs };
    await load(paths, segmentOf({ interval: '1m', name: `history ${first}`, ...group }));
  }
  return { rowCount: startsMs.length, today: day };
}

interface Sample {
  loadMs: number;
  ms: number;
  cpuMs: number;
  bytes: number;
  compactedIntraday: string | undefined;
}

function rowOf(name: string, samples: readonly Sample[]): string[] {
  const { medianMs, p99Ms } = timingFromSamples(samples.map(({ ms }) => ms));
  const bytes = samples.reduce((sum, sample) => sum + sample.bytes, 0) / samples.length;
  const cpu = timingFromSamples(samples.map(({ cpuMs }) => cpuMs));
  return [name, ...[medianMs, p99Ms, cpu.medianMs, bytes / 1e6].map(readable)];
}

async function run(paths: ModePaths, { symbols, sessions, minutes }: Size): Promise<void> {
  const { rowCount, today } = await loadHistory(paths, symbols, sessions);
  const bulk = await timePublish(paths);
  const samples: Sample[] = [];
  for (let minute = 0; minute < minutes; minute++) {
    const startsMs = minutesOf(today, minute, minute + 1);
    const rows = { interval: '1m', name: `minute ${minute}`, first: 0, symbols, startsMs } as const;
    const loadMs = await load(paths, segmentOf(rows));
    samples.push({ loadMs, ...(await timePublish(paths)) });
  }
  const served = openPublished(paths.serving)?.rowCount('S00000', '1m');
  checkResult(served === rowCount + minutes, 'all minutes are served');
  console.log(`${symbols} symbols, ${sessions} sessions of history`);
  console.log(
    `history: published in ${readable(bulk.ms / 1000)} s, ${readable(bulk.bytes / 1e6)} MB`,
  );
  const { medianMs } = timingFromSamples(samples.map(({ loadMs }) => loadMs));
  console.log(`a minute loaded into DuckDB: ${readable(medianMs)} ms`);
  const rows = [
    rowOf(
      'adds a slice',
      samples.filter(({ compactedIntraday }) => !compactedIntraday),
    ),
  ];
  const compacting = samples.filter(({ compactedIntraday }) => compactedIntraday);
  checkResult(compacting.length > 0, 'slices are compacted');
  rows.push(rowOf('and folds', compacting));
  console.log(tableFromRows(['publish of a minute', 'median ms', 'p99 ms', 'CPU ms', 'MB'], rows));
}

const folder = benchFolder();
console.log(machineLine());
await run(modePaths(folder, 'live'), SIZES[benchSizeFromArgs()]);
