/** Lands columns that a source fetched or made as an immutable Parquet segment named by content. */

import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { BarColumns, Basis } from '../bars.ts';
import { assert } from '../errors.ts';
import type { Interval } from '../intervals.ts';
import type { SymbolActions } from '../store/market/candle-segment.ts';
import { appendBars } from './append-columns.ts';
import type { FetchContext, FetchedSegment, SkippedInput } from './fetch-context.ts';
import { landFile } from './land-file.ts';
import { countReasons, startQuarantine, writeQuarantine } from './quarantine.ts';
import { openScratch, type Scratch } from './scratch.ts';
import { type Settled, settleRows } from './settle-rows.ts';
import { sqlFile } from './sql-text.ts';

/** What is true of every row of the segment. */
export interface SegmentHead {
  source: string;
  interval: Interval;
  basis: Basis;
  asOfUs: bigint | undefined;
  /** Where the rows come from: an address, a command. */
  origin: string;
  /** Inputs that gave nothing. */
  skipped?: SkippedInput[];
}

/** One symbol's rows, not yet checked: a missing value is NaN, order is free. */
export interface UncheckedSeries {
  /** Canonical spelling; once a segment. */
  symbol: string;
  bars: BarColumns;
  actions?: Omit<SymbolActions, 'symbol'>;
}

/**
 * Checks the rows, lands the good ones as `segments/<id>.parquet` and the refused ones as
 * `quarantine/<id>.csv`. The same good rows give the same id, whatever the order of `series`.
 */
export async function landSeries(
  head: SegmentHead,
  series: readonly UncheckedSeries[],
  context: FetchContext,
): Promise<FetchedSegment> {
  const sorted = series.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
  assert(new Set(series.map(({ symbol }) => symbol)).size === series.length, 'a symbol comes once');
  const scratch = await openScratch(context);
  try {
    const unfinished = join(scratch.folder, 'rows.parquet');
    const settled = await settle(scratch, sorted, context.nowMs, unfinished);
    const id = contentId(head, sorted, settled);
    const parquetPath = join(context.paths.segments, `${id}.parquet`);
    if (!(await exists(parquetPath))) await landFile(unfinished, parquetPath);
    const rejectedByReason = await countReasons(scratch);
    if (rejectedByReason.size > 0) {
      const names = sorted.map(({ symbol }) => symbol);
      const path = join(context.paths.quarantine, `${id}.csv`);
      await writeQuarantine(scratch, head.source, names, path);
    }
    return segmentFrom(head, sorted, settled.acceptedBySeries, {
      id,
      parquetPath,
      rejectedByReason,
    });
  } finally {
    await scratch.close();
  }
}

async function settle(
  scratch: Scratch,
  series: readonly UncheckedSeries[],
  nowMs: number,
  parquetPath: string,
): Promise<Settled> {
  await startQuarantine(scratch);
  await appendBars(
    scratch.connection,
    series.map(({ bars }) => bars),
  );
  const settled = await settleRows(scratch, {
    candidatesSql: `SELECT series, series AS file_index, line, NULL::VARCHAR AS text,
      NULL::VARCHAR AS reason, ts, ${['open', 'high', 'low', 'close', 'volume']
        .map((column) => `nullif(${column}, 'NaN') AS ${column}`)
        .join(', ')} FROM appended`,
    nowMs,
    parquetPath,
  });
  series.forEach(({ bars }, index) => {
    const accepted = settled.acceptedBySeries.get(index) ?? 0;
    const rejected = settled.rejectedByFile.get(index) ?? 0;
    assert(accepted + rejected === bars.close.length, 'every fetched row is accepted or refused');
  });
  return settled;
}

/**
 * Hash of the rows as fetched and of how many of them were good: a bar that was refused because
 * its session was still open makes another segment once it is complete.
 */
function contentId(
  head: SegmentHead,
  series: readonly UncheckedSeries[],
  settled: Settled,
): string {
  const hash = createHash('sha256');
  hash.update(`${head.source} ${head.interval} ${head.basis}\n`);
  series.forEach(({ symbol, bars, actions }, index) => {
    const { splits = [], dividends = [] } = actions ?? {};
    const accepted = settled.acceptedBySeries.get(index) ?? 0;
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function segmentFrom(
  head: SegmentHead,
  series: readonly UncheckedSeries[],
  acceptedBySeries: ReadonlyMap<number, number>,
  landed: { id: string; parquetPath: string; rejectedByReason: Map<string, number> },
): FetchedSegment {
  const { id, parquetPath, rejectedByReason } = landed;
  const actions = series.flatMap(({ symbol, actions }) =>
    actions ? [{ symbol, ...actions }] : [],
  );
  return {
    id,
    dataset: 'candles',
    source: head.source,
    interval: head.interval,
    basis: head.basis,
    asOfUs: head.asOfUs,
    origin: head.origin,
    kind: 'parquet',
    files: series.map(({ symbol }, index) => ({
      path: parquetPath,
      symbol,
      dataLines: acceptedBySeries.get(index) ?? 0,
      sha256: id,
    })),
    groups: [
      {
        selectSql: `SELECT file_index, ts, open, high, low, close, volume
          FROM read_parquet(${sqlFile(parquetPath)})`,
        fileIndexes: series.map((_, index) => index),
      },
    ],
    rejectedLines: [...rejectedByReason.values()].reduce((sum, count) => sum + count, 0),
    examine: async (fileIndexes) => {
      assert(fileIndexes.length === 0, 'a landed segment holds only good rows');
      return [];
    },
    ...(actions.length > 0 && { actions }),
    skipped: head.skipped ?? [],
    rejectedByReason,
  };
}
