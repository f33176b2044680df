/**
 * Series of some symbols as they were at the end of a past day: bars up to it, splits after it
 * undone, weeks and months that run on that day as far as they had come.
 */

import { type BarColumns, blankBars, type Split } from '../../../base/bars.ts';
import type { DailyInterval } from '../../../base/time/intervals.ts';
import { defaultBasis, newestDayInForce, seriesSteps } from '../../../compute/bars/adjust.ts';
import { type AdjustmentStep, adjustmentSteps } from '../../../compute/bars/adjustment-steps.ts';
import { resampleDaily } from '../../../compute/bars/resample-daily.ts';
import { MICROS_PER_DAY } from '../snapshot/bars-on-basis.ts';
import type {
  RowRange,
  Snapshot,
  StoredColumn,
  StoredSeries,
  SymbolInfo,
} from '../snapshot/snapshot.ts';
import { type BarsSource, copyScaled, type RowStep } from './bars-source.ts';

/** Symbols that are opened before other work may run. */
const OPENED_AT_ONCE = 8;

const BAR_VALUES = ['open', 'high', 'low', 'close', 'volume'] as const;

interface AsOfDays {
  series: StoredSeries;
  /** Rows up to the day. */
  end: number;
  steps: readonly RowStep[];
  /** True if bars, and so published values, are those of the newest version. */
  isUnchanged: boolean;
}

/** Daily bars as of a day. */
export class AsOfDaily implements BarsSource {
  readonly ends: Int32Array;
  readonly hasDividendAdjusted: boolean;
  readonly #days: readonly (AsOfDays | undefined)[];

  private constructor(days: readonly (AsOfDays | undefined)[], hasDividendAdjusted: boolean) {
    this.#days = days;
    this.ends = Int32Array.from(days, (one) => one?.end ?? 0);
    this.hasDividendAdjusted = hasDividendAdjusted;
  }

  static *open(
    snapshot: Snapshot,
    symbols: readonly string[],
    day: number,
  ): Generator<undefined, AsOfDaily> {
    const days: (AsOfDays | undefined)[] = [];
    let hasDividendAdjusted = false;
    for (const symbol of symbols) {
      const series = snapshot.series(symbol, '1d');
      const opened = series && daysAsOf(snapshot.symbol(symbol)!, series, day);
      days.push(opened?.days);
      hasDividendAdjusted ||= opened?.isDividendAdjusted ?? false;
      if (days.length % OPENED_AT_ONCE === 0) yield;
    }
    return new AsOfDaily(days, hasDividendAdjusted);
  }

  /** Returns true if published values of the symbol's rows count. */
  isUnchanged(number: number): boolean {
    return this.#days[number]?.isUnchanged ?? true;
  }

  copy(
    number: number,
    columns: readonly StoredColumn[],
    range: RowRange,
    out: readonly Float64Array[],
  ): void {
    const { series, steps } = this.#days[number]!;
    copyScaled(series, steps, columns, range, out);
  }

  /** Returns the first row of a symbol at or after a day. */
  rowOfDay(number: number, day: number): number {
    const { series, end } = this.#days[number]!;
    return Math.min(end, series.rowAt(BigInt(day) * MICROS_PER_DAY));
  }

  /** Returns all columns of rows, with their timestamps. */
  bars(number: number, range: RowRange): BarColumns {
    const bars = blankBars(range.end - range.start);
    this.#days[number]!.series.copyTimestamps(range, bars.timestampUs);
    const out = BAR_VALUES.map((name) => bars[name]);
    this.copy(number, BAR_VALUES, range, out);
    return bars;
  }
}

function daysAsOf(
  info: SymbolInfo,
  series: StoredSeries,
  day: number,
): { days: AsOfDays; isDividendAdjusted: boolean } | undefined {
  const end = series.rowAt(BigInt(day + 1) * MICROS_PER_DAY);
  if (end === 0) return undefined;
  const lastUs = new BigInt64Array(1);
  series.copyTimestamps({ start: end - 1, end }, lastUs);
  // Raw prices have no vintage: a split counts from the first bar on its new basis.
  const then = { ...info, lastBarUs: lastUs[0], asOfUs: undefined };
  const steps = stepsAsOf(info, then, day);
  const isUnchanged = isSame(steps, stepsNow(info));
  return {
    days: { series, end, steps: rowSteps(steps, series), isUnchanged },
    isDividendAdjusted: info.basis === 'all',
  };
}

function noCloses(): never {
  throw new Error('splits alone need no closes');
}

/** Steps to the default adjustment, of the newest version. */
function stepsNow(info: SymbolInfo): AdjustmentStep[] {
  return seriesSteps(info, defaultBasis(info), noCloses);
}

/** Steps to the default adjustment that the bars up to a day had on that day. */
function stepsAsOf(info: SymbolInfo, then: SymbolInfo, day: number): AdjustmentStep[] {
  const { basis } = info;
  if (basis === 'all') return [];
  if (basis === 'raw') return seriesSteps(then, defaultBasis(then), noCloses);
  const newest = newestDayInForce(info.asOfUs, dayOf(info.lastBarUs));
  const isUndone = ({ exDay }: Split): boolean => exDay > day && exDay <= newest;
  const splits = info.splits.filter(isUndone);
  if (splits.length === 0) return [];
  // All rows lie before the first of these splits: the first step is theirs.
  return adjustmentSteps({ basis, splits, dividends: [] }, 'raw', noCloses).slice(0, 1);
}

function dayOf(timestampUs: bigint): number {
  return Math.floor(Number(timestampUs / 1000n) / 86_400_000);
}

function isSame(a: readonly AdjustmentStep[], b: readonly AdjustmentStep[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ fromDay, ratio, factor }, i) => {
      const other = b[i];
      return (
        fromDay === other.fromDay &&
        factor === other.factor &&
        ratio.numerator === other.ratio.numerator &&
        ratio.denominator === other.ratio.denominator
      );
    })
  );
}

function rowSteps(steps: readonly AdjustmentStep[], series: StoredSeries): RowStep[] {
  return steps.map(({ fromDay, ratio, factor }) => ({
    fromRow: Number.isFinite(fromDay) ? series.rowAt(BigInt(fromDay) * MICROS_PER_DAY) : 0,
    ratio,
    factor,
  }));
}

/** Weekly or monthly bars as of a day, the last one as far as it had come. */
export class AsOfPeriods implements BarsSource {
  readonly ends: Int32Array;
  readonly #daily: AsOfDaily;
  readonly #interval: '1w' | '1M';
  /** Bars of the symbol read last: one is read at a time. */
  #resampled: { number: number; bars: BarColumns } | undefined;

  private constructor(daily: AsOfDaily, interval: '1w' | '1M', ends: Int32Array) {
    this.#daily = daily;
    this.#interval = interval;
    this.ends = ends;
  }

  static *open(
    snapshot: Snapshot,
    symbols: readonly string[],
    daily: AsOfDaily,
    interval: '1w' | '1M',
    day: number,
  ): Generator<undefined, AsOfPeriods> {
    const ends = new Int32Array(symbols.length);
    for (const [number, symbol] of symbols.entries()) {
      if (daily.ends[number] === 0) continue;
      const stored = snapshot.series(symbol, interval);
      // A period is stamped with its first day, and has a bar if one of its days has.
      ends[number] = stored?.rowAt(BigInt(day + 1) * MICROS_PER_DAY) ?? 0;
      if (number % OPENED_AT_ONCE === 0) yield;
    }
    return new AsOfPeriods(daily, interval, ends);
  }

  copy(
    number: number,
    columns: readonly StoredColumn[],
    { start, end }: RowRange,
    out: readonly Float64Array[],
  ): void {
    if (this.#resampled?.number !== number) {
      const daily = this.#daily.bars(number, { start: 0, end: this.#daily.ends[number] });
      this.#resampled = { number, bars: resampleDaily(daily, this.#interval) };
    }
    const { bars } = this.#resampled;
    for (const [place, name] of columns.entries()) {
      out[place].set(bars[name as (typeof BAR_VALUES)[number]].subarray(start, end));
    }
  }
}

/** Opens the series of an interval as of a day. */
export function* asOfSource(
  snapshot: Snapshot,
  symbols: readonly string[],
  daily: AsOfDaily,
  interval: DailyInterval,
  day: number,
): Generator<undefined, BarsSource> {
  if (interval === '1d') return daily;
  return yield* AsOfPeriods.open(snapshot, symbols, daily, interval, day);
}
