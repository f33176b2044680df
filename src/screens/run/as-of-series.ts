/**
 * Series as they were at the end of a past day: bars up to it, splits after it undone, weeks and
 * months that run on that day as far as they had come.
 */

import { BAR_FIELDS, type BarColumns, blankBars, MICROS_PER_DAY } from '../../base/bars.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import { defaultBasis, seriesSteps } from '../../compute/bars/adjust.ts';
import type { AdjustmentStep } from '../../compute/bars/adjustment-steps.ts';
import { basisAsOf } from '../../compute/bars/basis-as-of.ts';
import { combinedValue } from '../../compute/bars/combine-bars.ts';
import { periodDays, resampleDaily } from '../../compute/bars/resample-daily.ts';
import type {
  RowRange,
  Snapshot,
  StoredColumn,
  SymbolInfo,
} from '../../store/arrow/snapshot/snapshot.ts';
import { type BarsSource, type BarValue, type RowStep, scaleRows } from './bars-source.ts';
import type { DayRows } from './day-rows.ts';
import type { NewestSeries } from './newest-series.ts';
import type { ScreenMemory } from './screen-memory.ts';

/** Symbols that are looked at before other work may run. */
const OPENED_AT_ONCE = 64;

/** Daily bars as of a day. */
export class AsOfDaily implements BarsSource {
  readonly day: number;
  readonly ends: Int32Array;
  readonly days: DayRows;
  readonly #series: NewestSeries;
  readonly #memory: ScreenMemory;
  /** Steps of symbols whose bars were others then. */
  readonly #changed = new Map<number, readonly RowStep[]>();

  private constructor(series: NewestSeries, memory: ScreenMemory, days: DayRows, day: number) {
    this.day = day;
    this.days = days;
    this.#series = series;
    this.#memory = memory;
    this.ends = new Int32Array(series.ends.length);
  }

  static *open(
    snapshot: Snapshot,
    memory: ScreenMemory,
    day: number,
  ): Generator<undefined, AsOfDaily> {
    const series = yield* memory.series(snapshot, '1d');
    const days = yield* memory.days(snapshot, '1d');
    const infos = yield* memory.infos(snapshot);
    const opened = new AsOfDaily(series, memory, days, day);
    for (const [number, info] of infos.entries()) {
      opened.#open(number, info);
      if (number % OPENED_AT_ONCE === 0) yield;
    }
    return opened;
  }

  #open(number: number, info: SymbolInfo | undefined): void {
    const end = this.days.rowOf(number, this.day + 1);
    this.ends[number] = end;
    if (end === 0 || !info || info.splits.length === 0) return;
    const lastBarDay = this.days.dayBefore(number, end);
    const rowOf = (day: number) => this.days.rowOf(number, day);
    const steps = changedSteps(info, { lastBarDay, day: this.day }, rowOf);
    if (steps) this.#changed.set(number, steps);
  }

  /** Returns true if bars and published values of the symbol's rows were what they are now. */
  isUnchanged(number: number): boolean {
    return !this.#changed.has(number);
  }

  copy(
    number: number,
    columns: readonly StoredColumn[],
    range: RowRange,
    out: readonly Float64Array[],
  ): void {
    const steps = this.#changed.get(number);
    if (!steps) this.#memory.copy(this.#series, '1d', number, columns, range, out);
    else {
      this.#series.copyStored(number, columns, range, out);
      scaleRows(steps, columns, range, out);
    }
  }

  /** Returns all columns of the rows up to the day, with their timestamps. */
  bars(number: number): BarColumns {
    const range = { start: 0, end: this.ends[number] };
    const bars = blankBars(range.end);
    this.#series.copyTimestamps(number, range, bars.timestampUs);
    const out = BAR_FIELDS.map((name) => bars[name]);
    this.copy(number, BAR_FIELDS, range, out);
    return bars;
  }
}

/**
 * Returns the steps by which stored rows become those of a past day; undefined if the bars up to the
 * day were what they are now.
 *
 * @param rowOf Returns the first row at or after a day.
 */
export function changedSteps(
  info: SymbolInfo,
  { lastBarDay, day }: { lastBarDay: number; day: number },
  rowOf: (day: number) => number,
): RowStep[] | undefined {
  const steps = stepsAsOf(info, BigInt(lastBarDay) * MICROS_PER_DAY, day);
  if (isSame(steps, stepsNow(info))) return undefined;
  return steps.map(({ fromDay, ratio, factor }) => ({
    fromRow: Number.isFinite(fromDay) ? rowOf(fromDay) : 0,
    ratio,
    factor,
  }));
}

function noCloses(): never {
  throw new Error('splits alone need no closes');
}

/** Returns the steps to the default adjustment in the newest version. */
function stepsNow(info: SymbolInfo): AdjustmentStep[] {
  return seriesSteps(info, defaultBasis(info), noCloses);
}

/** Returns the steps to the default adjustment as it was on a day. */
function stepsAsOf(info: SymbolInfo, lastBarUs: bigint, day: number): AdjustmentStep[] {
  const { basis } = info;
  if (basis === 'raw') {
    // Raw prices have no vintage: a split counts from the first bar on its new basis.
    const then = { ...info, lastBarUs, asOfUs: undefined };
    return seriesSteps(then, defaultBasis(then), noCloses);
  }
  const lastBarDay = Number(info.lastBarUs / MICROS_PER_DAY);
  const { ratio } = basisAsOf({ ...info, lastBarDay }, day);
  if (ratio.numerator === ratio.denominator) return [];
  // All rows lie before the first of the splits that are undone.
  return [{ fromDay: Number.NEGATIVE_INFINITY, ratio, factor: 1 }];
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

/** Weekly or monthly bars as of a day, the last one as far as it had come. */
export class AsOfPeriods implements BarsSource {
  readonly ends: Int32Array;
  readonly #interval: '1w' | '1M';
  readonly #daily: AsOfDaily;
  readonly #series: NewestSeries;
  readonly #memory: ScreenMemory;
  /** First day of the period of the day, and of the next one. */
  readonly #period: readonly [first: number, next: number];

  private constructor(
    interval: '1w' | '1M',
    daily: AsOfDaily,
    series: NewestSeries,
    memory: ScreenMemory,
  ) {
    this.#interval = interval;
    this.#daily = daily;
    this.#series = series;
    this.#memory = memory;
    this.#period = periodDays(daily.day, interval);
    this.ends = new Int32Array(series.ends.length);
  }

  static *open(
    snapshot: Snapshot,
    memory: ScreenMemory,
    daily: AsOfDaily,
    interval: '1w' | '1M',
  ): Generator<undefined, AsOfPeriods> {
    const series = yield* memory.series(snapshot, interval);
    const days = yield* memory.days(snapshot, interval);
    const opened = new AsOfPeriods(interval, daily, series, memory);
    for (let number = 0; number < opened.ends.length; number++) {
      // A period is stamped with its first day, and has a bar if one of its days has.
      const [, next] = opened.#period;
      const isEmpty = daily.ends[number] === 0;
      opened.ends[number] = isEmpty ? 0 : days.rowOf(number, next) - opened.#missing(number);
      if (number % OPENED_AT_ONCE === 0) yield;
    }
    return opened;
  }

  /** Returns 1 if the period of the day has bars, none of them up to the day. */
  #missing(number: number): number {
    const { days, ends } = this.#daily;
    const [first, next] = this.#period;
    const start = days.rowOf(number, first);
    return ends[number] === start && days.rowOf(number, next) > start ? 1 : 0;
  }

  copy(
    number: number,
    columns: readonly StoredColumn[],
    range: RowRange,
    out: readonly Float64Array[],
  ): void {
    if (!this.#daily.isUnchanged(number)) {
      const bars = resampleDaily(this.#daily.bars(number), this.#interval);
      for (const [place, name] of columns.entries()) {
        out[place].set(bars[name as BarValue].subarray(range.start, range.end));
      }
      return;
    }
    this.#memory.copy(this.#series, this.#interval, number, columns, range, out);
    if (range.end < this.ends[number]) return;
    const { days, ends } = this.#daily;
    const [first, next] = this.#period;
    const start = days.rowOf(number, first);
    const end = ends[number];
    // Without later days in the period, the stored bar is the one of then.
    if (days.rowOf(number, next) === end || start === end) return;
    for (const [place, name] of columns.entries()) {
      const ofDays = new Float64Array(end - start);
      this.#daily.copy(number, [name], { start, end }, [ofDays]);
      out[place][range.end - range.start - 1] = combinedValue(name as BarValue, ofDays);
    }
  }
}

/** Opens the series of an interval as of a day. */
export function* asOfSource(
  snapshot: Snapshot,
  memory: ScreenMemory,
  daily: AsOfDaily,
  interval: DailyInterval,
): Generator<undefined, BarsSource> {
  if (interval === '1d') return daily;
  return yield* AsOfPeriods.open(snapshot, memory, daily, interval);
}
