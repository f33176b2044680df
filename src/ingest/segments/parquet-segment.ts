/** Stages columns that a source fetched as an immutable Parquet segment named by content. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DOUBLE, type DuckDBConnection, INTEGER, TIMESTAMP } from '@duckdb/node-api';
import type { BarColumns, Basis } from '../../base/bars.ts';
import { assert } from '../../base/errors.ts';
import {
  type BaseInterval,
  HOURS,
  type Hours,
  type StoredIntraday,
} from '../../base/time/intervals.ts';
import type { SymbolActions } from '../../store/duckdb/connection/candle-segment.ts';
import type { FetchContext, FetchedSegment, SkippedInput } from '../contract/fetch-context.ts';
import { appendColumns } from './append-columns.ts';
import { placeFile, sha256OfFile } from './place-file.ts';
import { countReasons, startQuarantine, writeQuarantine } from './quarantine.ts';
import { openScratch, type Scratch } from './scratch.ts';
import { segmentIdOfHours } from './session-hours.ts';
import {
  type Judged,
  type JudgeRequest,
  judgeRows,
  levelledNote,
  stageAccepted,
  sumOf,
} from './settle-rows.ts';
import { stagedCandles } from './staged-segment.ts';

export interface SegmentHead<I extends BaseInterval = '1d'> {
  source: string;
  interval: I;
  basis: Basis;
  asOfUs: bigint | undefined;
  origin: string;
  skipped?: SkippedInput[];
  /** True for bars of days without a session that are wanted. */
  areDatesRight?: boolean;
}

/** One symbol's rows before the checks. A missing value is NaN and the order is free. */
export interface UncheckedSeries {
  /** Symbol in canonical spelling; each symbol occurs once in a segment. */
  symbol: string;
  bars: BarColumns;
  actions?: Omit<SymbolActions, 'symbol'>;
}

/**
 * Checks daily rows. Stages the good ones as `segments/<id>.parquet` and the refused ones as
 * `quarantine/<id>.csv`. The same good rows give the same id, whatever the order of `series`.
 */
export async function stageSeries(
  head: SegmentHead,
  series: readonly UncheckedSeries[],
  context: FetchContext,
): Promise<FetchedSegment> {
  const [segment] = await stage(head, [undefined], series, context);
  return segment;
}

/**
 * Does the same for bars of minutes, stamped with their start in UTC: a segment for each kind of
 * hours with bars, and at least one. The first carries the refused rows and actions of both.
 */
export async function stageIntradaySeries(
  head: SegmentHead<StoredIntraday>,
  series: readonly UncheckedSeries[],
  context: FetchContext,
): Promise<FetchedSegment[]> {
  return stage(head, HOURS, series, context);
}

async function stage(
  head: SegmentHead<BaseInterval>,
  hoursOfSegments: readonly (Hours | undefined)[],
  series: readonly UncheckedSeries[],
  context: FetchContext,
): Promise<FetchedSegment[]> {
  const sorted = series.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
  assert(new Set(series.map(({ symbol }) => symbol)).size === series.length, 'a symbol comes once');
  const scratch = await openScratch(context);
  try {
    const isRising = sorted.every(({ bars }) => isRisingColumn(bars.timestampUs));
    const { acceptedByFile, levelledByFile } = await judge(scratch, sorted, {
      interval: head.interval,
      nowMs: context.nowMs,
      isRising,
      areDatesRight: head.areDatesRight,
      servedDays: (at) => context.servedDays?.(sorted[at].symbol),
    });
    const content = contentHash(head, sorted, acceptedByFile);
    const segments: FetchedSegment[] = [];
    let left = sumOf(acceptedByFile);
    for (const [index, hours] of hoursOfSegments.entries()) {
      if (left === 0 && segments.length > 0) break;
      const unfinished = join(scratch.folder, 'rows.parquet');
      const accepted = await stageAccepted(scratch, unfinished, hours, isRising);
      left -= sumOf(accepted);
      const isOnlyOne = segments.length === 0 && index === hoursOfSegments.length - 1;
      if (accepted.size === 0 && !isOnlyOne) continue;
      const id = hours === undefined ? content : segmentIdOfHours(content, hours);
      const parquetPath = join(context.paths.segments, `${id}.parquet`);
      const parquetSha256 = await sha256OfFile(unfinished);
      // An existing file may be damaged by now.
      if ((await sha256OfFile(parquetPath)) !== parquetSha256) {
        await placeFile(unfinished, parquetPath);
      }
      const { source, interval, basis, asOfUs, origin } = head;
      const counts = sorted.map(({ symbol }, i) => [symbol, accepted.get(i) ?? 0] as const);
      const told = { id, source, interval, hours, basis, asOfUs, origin, parquetSha256 };
      segments.push(stagedCandles(told, counts, parquetPath));
    }
    await stateOnce(segments[0], head, sorted, scratch, context);
    const levelled = sumOf(levelledByFile);
    if (levelled > 0) segments[0].notes = levelledNote(levelled);
    return segments;
  } finally {
    await scratch.close();
  }
}

/** Adds the facts that hold for all rows to one segment: actions, skipped inputs, refusals. */
async function stateOnce(
  segment: FetchedSegment,
  head: SegmentHead<BaseInterval>,
  series: readonly UncheckedSeries[],
  scratch: Scratch,
  context: FetchContext,
): Promise<void> {
  const actions = series.flatMap(({ symbol, actions }) =>
    actions ? [{ symbol, ...actions }] : [],
  );
  if (actions.length > 0) segment.actions = actions;
  segment.skipped = head.skipped ?? [];
  segment.rejectedByReason = await countReasons(scratch);
  if (segment.rejectedByReason.size === 0) return;
  const counts = [...segment.rejectedByReason.values()];
  segment.rejectedLines = counts.reduce((sum, count) => sum + count, 0);
  const names = series.map(({ symbol }) => symbol);
  await writeQuarantine(scratch, context, { id: segment.id, source: head.source, names });
}

function isRisingColumn(column: BigInt64Array): boolean {
  for (let i = 1; i < column.length; i++) if (column[i] <= column[i - 1]) return false;
  return true;
}

async function judge(
  scratch: Scratch,
  series: readonly UncheckedSeries[],
  request: Omit<JudgeRequest, 'candidatesSql'>,
): Promise<Judged> {
  await startQuarantine(scratch);
  await appendBars(
    await scratch.connect(),
    series.map(({ bars }) => bars),
  );
  const judged = await judgeRows(scratch, {
    candidatesSql: `SELECT series, series AS file_index, line, NULL::VARCHAR AS text,
      NULL::VARCHAR AS reason, ts, false AS is_correction,
      ${['open', 'high', 'low', 'close', 'volume']
        .map((column) => `nullif(${column}, 'NaN') AS ${column}`)
        .join(', ')} FROM appended`,
    ...request,
  });
  series.forEach(({ bars }, index) => {
    const accepted = judged.acceptedByFile.get(index) ?? 0;
    const rejected = judged.rejectedByFile.get(index) ?? 0;
    assert(accepted + rejected === bars.close.length, 'every fetched row is accepted or refused');
  });
  return judged;
}

/** Hash of the fetched rows and of the number of good ones, which grows as bars get complete. */
function contentHash(
  head: SegmentHead<BaseInterval>,
  series: readonly UncheckedSeries[],
  acceptedByFile: ReadonlyMap<number, number>,
): string {
  const hash = createHash('sha256');
  hash.update(`${head.source} ${head.interval} ${head.basis}\n`);
  series.forEach(({ symbol, bars, actions }, index) => {
    const { splits = [], dividends = [] } = actions ?? {};
    const accepted = acceptedByFile.get(index) ?? 0;
    hash.update(`${JSON.stringify([symbol, bars.close.length, accepted, splits, dividends])}\n`);
    for (const column of [
      bars.timestampUs,
      bars.open,
      bars.high,
      bars.low,
      bars.close,
      bars.volume,
    ]) {
      hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    }
  });
  return hash.digest('hex');
}

const TYPES = [INTEGER, INTEGER, TIMESTAMP, DOUBLE, DOUBLE, DOUBLE, DOUBLE, DOUBLE];

/** Creates the temporary table `appended`. `series` is the index in `all`; `line` is from 1. */
async function appendBars(connection: DuckDBConnection, all: readonly BarColumns[]): Promise<void> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE appended (series INTEGER, line INTEGER,
    ts TIMESTAMP, open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE, volume DOUBLE)`);
  const appender = await connection.createAppender('appended');
  try {
    all.forEach(({ timestampUs, open, high, low, close, volume }, series) => {
      const numbers = new Int32Array(close.length).fill(series);
      const lines = Int32Array.from(numbers, (_, row) => row + 1);
      const bars = [timestampUs, open, high, low, close, volume];
      appendColumns(appender, TYPES, [numbers, lines, ...bars]);
    });
  } finally {
    appender.closeSync();
  }
}
