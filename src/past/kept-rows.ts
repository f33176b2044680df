/** Rows of a series as of a past version: those that still are published, and those kept. */

import { BAR_FIELDS, type BarColumns, barRows, blankBars } from '../base/bars.ts';
import { rowOfTimestamp } from '../base/search-sorted.ts';
import type { StoredInterval } from '../base/time/intervals.ts';
import { unpackedBars } from '../store/arrow/format/packed.ts';
import type { ReplacedRow } from '../store/arrow/format/past-file.ts';
import type { RowRange, Snapshot } from '../store/arrow/snapshot/snapshot.ts';

/** Rows [start, end) of `bars`, or of the published series. */
interface Piece extends RowRange {
  bars: BarColumns | undefined;
}

/** A series whose rows can be read. */
export interface PastRows {
  rowCount: number;
  /** True if all rows still are published, in the same places. */
  isPublished: boolean;
  rowAt(timestampUs: bigint): number;
  copy(range: RowRange, out: BarColumns): void;
}

/**
 * Finds the rows of a series.
 *
 * @param replaced Rows that were replaced since, the newest first.
 * @param endUs Time of its newest bar.
 */
export function pastRows(
  published: Snapshot,
  symbol: string,
  interval: StoredInterval,
  { replaced, endUs }: { replaced: readonly ReplacedRow[]; endUs: bigint },
): PastRows {
  const whole = { start: 0, end: published.rowCount(symbol, interval) };
  if (replaced.length === 0) {
    return {
      rowCount: published.rowAt(symbol, interval, endUs + 1n),
      isPublished: true,
      rowAt: (us) => Math.min(published.rowAt(symbol, interval, us), whole.end),
      copy: (range, out) => published.copyBars(symbol, interval, range, out),
    };
  }
  let pieces: Piece[] = [{ bars: undefined, ...whole }];
  for (const { prefix, resume, count, rows } of replaced) {
    const bars = unpackedBars(rows);
    const kept = { bars, start: 0, end: bars.close.length };
    const behind = count - prefix - kept.end;
    pieces = [...cut(pieces, 0, prefix), kept, ...cut(pieces, resume, resume + behind)];
  }
  const all = joined(published, symbol, interval, pieces);
  const bars = barRows(all, 0, rowOfTimestamp(all.timestampUs, endUs + 1n));
  return {
    rowCount: bars.close.length,
    isPublished: false,
    rowAt: (us) => rowOfTimestamp(bars.timestampUs, us),
    copy: ({ start, end }, out) => setBars(out, 0, barRows(bars, start, end)),
  };
}

/** Returns the pieces of rows [start, end). */
function cut(pieces: readonly Piece[], start: number, end: number): Piece[] {
  const found: Piece[] = [];
  let row = 0;
  for (const piece of pieces) {
    const [from, to] = [Math.max(start, row), Math.min(end, row + piece.end - piece.start)];
    const shift = piece.start - row;
    if (from < to) found.push({ bars: piece.bars, start: from + shift, end: to + shift });
    row += piece.end - piece.start;
  }
  return found;
}

function joined(
  published: Snapshot,
  symbol: string,
  interval: StoredInterval,
  pieces: readonly Piece[],
): BarColumns {
  const all = blankBars(pieces.reduce((sum, { start, end }) => sum + end - start, 0));
  let row = 0;
  for (const { bars, start, end } of pieces) {
    if (bars) setBars(all, row, barRows(bars, start, end));
    else {
      const to = barRows(all, row, row + end - start);
      published.copyBars(symbol, interval, { start, end }, to);
    }
    row += end - start;
  }
  return all;
}

export function setBars(out: BarColumns, row: number, bars: BarColumns): void {
  out.timestampUs.set(bars.timestampUs, row);
  for (const name of BAR_FIELDS) out[name].set(bars[name], row);
}
