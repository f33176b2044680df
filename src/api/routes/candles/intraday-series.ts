/** Intraday bars of one symbol on a basis: stored ones, or resampled from stored ones. */

import {
  type BarColumns,
  type Basis,
  barRows,
  blankBars,
  MICROS_PER_DAY,
} from '../../../base/bars.ts';
import { limits } from '../../../base/limits.ts';
import { rowOfTimestamp } from '../../../base/search-sorted.ts';
import type { DailyInterval, Interval, StoredIntraday } from '../../../base/time/intervals.ts';
import { resampleIntraday } from '../../../compute/bars/resample-intraday.ts';
import { type CopyOnBasis, copierOnBasis } from '../../../screens/run/bars-on-basis.ts';
import type { BarsSnapshot, RowRange, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';
import type { TimeWindow } from '../../http/query-fields.ts';
import { responseBasis } from './served-bars.ts';

const MINUTES = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '4h': 240 };

/** Intervals below a day. */
export type SubdayInterval = Exclude<Interval, DailyInterval>;

/** The stored bars that an interval reads or is resampled from. */
export interface IntradayBase {
  interval: StoredIntraday;
  info: SymbolInfo;
}

/** Intraday bars of one symbol in some sessions, in order of time. */
export interface SubdaySeries {
  readonly symbol: string;
  readonly adjustment: Basis;
  /** Returns all bars of a window. */
  within(window: TimeWindow): BarColumns;
  /** Returns the latest bars of a window, at most `rowsMax`. */
  latest(rowsMax: number, window: TimeWindow): BarColumns;
  /** Yields numbers of bars that add up to those of a window, and of stored rows read for them. */
  counts(window: TimeWindow): Iterable<{ rows: number; readRows: number }>;
  /** Yields the bars of a window in pieces of about `limits.bulk.intradayRows` stored rows. */
  pieces(window: TimeWindow): Iterable<BarColumns>;
}

/** Finds the stored bars for an interval. Stored 5m bars include those resampled from minutes. */
export function intradayBase(
  snapshot: BarsSnapshot,
  symbol: string,
  interval: SubdayInterval,
): IntradayBase | undefined {
  const stored = interval === '1m' ? (['1m'] as const) : (['5m', '1m'] as const);
  for (const base of stored) {
    const info = snapshot.intraday(symbol, base);
    if (info) return { interval: base, info };
  }
  return undefined;
}

/**
 * Intraday bars of one symbol in regular sessions. Resampled intervals read whole sessions, but only the requested
 * ones: a session lies within one UTC date.
 */
export class IntradaySeries implements SubdaySeries {
  readonly symbol: string;
  readonly adjustment: Basis;
  readonly #snapshot: BarsSnapshot;
  readonly #interval: SubdayInterval;
  readonly #base: StoredIntraday;
  readonly #copy: CopyOnBasis;

  /** @throws {ParameterError} `adjustment`: the requested basis can't be derived. */
  constructor(
    snapshot: BarsSnapshot,
    base: IntradayBase,
    interval: SubdayInterval,
    requested: Basis | undefined,
  ) {
    const { info } = base;
    this.symbol = info.symbol;
    this.adjustment = responseBasis(info, requested);
    this.#snapshot = snapshot;
    this.#interval = interval;
    this.#base = base.interval;
    this.#copy = copierOnBasis(snapshot, info, base.interval, this.adjustment);
  }

  within(window: TimeWindow): BarColumns {
    return rowsWithin(this.#read(this.#baseRows(window)), window);
  }

  latest(rowsMax: number, window: TimeWindow): BarColumns {
    const { start: first, end } = this.#baseRows(window);
    let wanted = (rowsMax * MINUTES[this.#interval]) / MINUTES[this.#base];
    for (;;) {
      const start = this.#sessionStart(Math.max(first, end - wanted));
      const bars = rowsWithin(this.#read({ start, end }), window);
      const rowCount = bars.close.length;
      if (start <= first || rowCount >= rowsMax)
        return barRows(bars, Math.max(0, rowCount - rowsMax));
      // Short sessions and minutes without trades gave fewer bars than expected.
      wanted *= 2;
    }
  }

  *counts(window: TimeWindow): Generator<{ rows: number; readRows: number }> {
    const { start, end } = this.#baseRows(window);
    const isStored = this.#base === this.#interval;
    yield isStored ? { rows: end - start, readRows: 0 } : { rows: 0, readRows: end - start };
    if (isStored) return;
    for (const { close } of this.pieces(window)) yield { rows: close.length, readRows: 0 };
  }

  *pieces(window: TimeWindow): Generator<BarColumns> {
    const { start, end } = this.#baseRows(window);
    for (let row = start; row < end; ) {
      const next = row + limits.bulk.intradayRows;
      const pieceEnd = next < end ? this.#nextSession(next) : end;
      yield rowsWithin(this.#read({ start: row, end: pieceEnd }), window);
      row = pieceEnd;
    }
  }

  /** Returns the stored rows for a window: whole sessions if bars are resampled from them. */
  #baseRows({ fromUs, toUs }: TimeWindow): RowRange {
    const isStored = this.#base === this.#interval;
    const firstUs = fromUs === undefined || isStored ? fromUs : startOfDay(fromUs);
    const start = firstUs === undefined ? 0 : this.#rowAt(firstUs);
    const end =
      toUs === undefined
        ? this.#snapshot.rowCount(this.symbol, this.#base)
        : this.#rowAt(isStored ? toUs + 1n : startOfDay(toUs) + MICROS_PER_DAY);
    return { start: Math.min(start, end), end };
  }

  #rowAt(timestampUs: bigint): number {
    return this.#snapshot.rowAt(this.symbol, this.#base, timestampUs);
  }

  /** Returns the first row of a row's session; the row itself if nothing is resampled. */
  #sessionStart(row: number): number {
    if (this.#base === this.#interval || row === 0) return row;
    return this.#rowAt(startOfDay(this.#timestamp(row)));
  }

  /** Returns the first row of the session after a row's. */
  #nextSession(row: number): number {
    if (this.#base === this.#interval) return row;
    return this.#rowAt(startOfDay(this.#timestamp(row)) + MICROS_PER_DAY);
  }

  #timestamp(row: number): bigint {
    const range = { start: row, end: row + 1 };
    return this.#snapshot.bars(this.symbol, this.#base, range).timestampUs[0];
  }

  /** Reads stored rows and resamples them if necessary. */
  #read(range: RowRange): BarColumns {
    const bars = blankBars(range.end - range.start);
    this.#copy(range, bars);
    if (this.#interval === '1m' || this.#interval === this.#base) return bars;
    return resampleIntraday(bars, this.#interval);
  }
}

function startOfDay(us: bigint): bigint {
  const rest = us % MICROS_PER_DAY;
  return us - rest - (rest < 0n ? MICROS_PER_DAY : 0n);
}

export function rowsWithin(bars: BarColumns, { fromUs, toUs }: TimeWindow): BarColumns {
  const { timestampUs } = bars;
  const start = fromUs === undefined ? 0 : rowOfTimestamp(timestampUs, fromUs);
  const end = toUs === undefined ? timestampUs.length : rowOfTimestamp(timestampUs, toUs + 1n);
  return barRows(bars, Math.min(start, end), end);
}
