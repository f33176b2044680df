/** All series of one interval of a version, up to their newest bars, on the default adjustment. */

import { MICROS_PER_DAY } from '../../base/bars.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import { defaultBasis } from '../../compute/bars/adjust.ts';
import type {
  RowRange,
  Snapshot,
  StoredColumn,
  StoredSeries,
} from '../../store/arrow/snapshot/snapshot.ts';
import { storedSteps } from './bars-on-basis.ts';
import { type BarsSource, orderByEnd, type RowStep, scaleRows } from './bars-source.ts';

/** Symbols that are opened before other work may run: some 0.2 ms. */
const OPENED_AT_ONCE = 32;

/** Symbols that are compared before other work may run. */
const COMPARED_AT_ONCE = 256;

const NO_STEPS: readonly RowStep[] = [];

/** A number without an adjustment, which most series are. */
type Mark = number | string;

/** Enough of a version's series to tell which rows a later version has in common with it. */
export interface SeriesIndex {
  symbols: readonly string[];
  /** By number of the symbol, rows of its series. */
  ends: Int32Array;
  /** By number, names the bars before the newest one, and their adjustment. */
  marks: readonly Mark[];
}

/** Rows that series have in common with those of an older version, by number of the symbol. */
export interface CommonRows {
  /** Number in the older version; −1 for a new symbol. */
  numbers: Int32Array;
  /** First row that may differ; 0 if all may. */
  ends: Int32Array;
}

export class NewestSeries implements BarsSource {
  readonly index: SeriesIndex;
  readonly ends: Int32Array;
  /** Numbers of the symbols with bars, those with the fewest first. */
  readonly order: Int32Array;
  readonly #common = new WeakMap<SeriesIndex, CommonRows>();
  readonly #series: readonly (StoredSeries | undefined)[];
  readonly #steps: readonly (readonly RowStep[])[];

  private constructor(symbols: readonly string[], opened: readonly OpenedSeries[]) {
    this.#series = opened.map(({ series }) => series);
    this.#steps = opened.map(({ steps }) => steps);
    this.ends = Int32Array.from(opened, ({ series }) => series?.rowCount ?? 0);
    this.index = { symbols, ends: this.ends, marks: opened.map(({ mark }) => mark) };
    this.order = orderByEnd(this.ends, symbols.keys());
  }

  static *open(snapshot: Snapshot, interval: DailyInterval): Generator<undefined, NewestSeries> {
    const opened: OpenedSeries[] = [];
    for (const symbol of snapshot.symbols) {
      opened.push(openSeries(snapshot, symbol, interval));
      if (opened.length % OPENED_AT_ONCE === 0) yield;
    }
    return new NewestSeries(snapshot.symbols, opened);
  }

  /** Finds the rows that are the same as in an older version. */
  *commonRows(older: SeriesIndex): Generator<undefined, CommonRows> {
    const known = this.#common.get(older);
    if (known) return known;
    const { symbols } = this.index;
    const oldNumbers = new Map(older.symbols.map((symbol, number) => [symbol, number]));
    const numbers = Int32Array.from(symbols, (symbol) => oldNumbers.get(symbol) ?? -1);
    const ends = new Int32Array(symbols.length);
    for (let number = 0; number < symbols.length; number++) {
      const old = numbers[number];
      // The newest bar may have changed: its mark says nothing about it.
      const end = old < 0 ? 0 : older.ends[old] - 1;
      if (end > 0 && end <= this.ends[number]) {
        const mark = markOf(this.#series[number], this.#steps[number], end);
        if (mark === older.marks[old]) ends[number] = end;
      }
      if (number % COMPARED_AT_ONCE === 0) yield;
    }
    const common = { numbers, ends };
    this.#common.set(older, common);
    return common;
  }

  copy(
    number: number,
    columns: readonly StoredColumn[],
    range: RowRange,
    out: readonly Float64Array[],
  ): void {
    this.copyStored(number, columns, range, out);
    const steps = this.#steps[number];
    if (steps.length > 0) scaleRows(steps, columns, range, out);
  }

  /** Copies rows as they are stored. */
  copyStored(
    number: number,
    columns: readonly StoredColumn[],
    range: RowRange,
    out: readonly Float64Array[],
  ): void {
    this.#series[number]?.copy(columns, range, out);
  }

  /** Returns the scale of stored rows; none if they are on the default adjustment. */
  stepsOf(number: number): readonly RowStep[] {
    return this.#steps[number];
  }

  copyTimestamps(number: number, range: RowRange, out: BigInt64Array): void {
    this.#series[number]?.copyTimestamps(range, out);
  }
}

interface OpenedSeries {
  series: StoredSeries | undefined;
  steps: readonly RowStep[];
  mark: Mark;
}

function openSeries(snapshot: Snapshot, symbol: string, interval: DailyInterval): OpenedSeries {
  const series = snapshot.series(symbol, interval);
  if (!series) return { series, steps: NO_STEPS, mark: 0 };
  const steps = interval === '1d' ? dailySteps(snapshot, symbol, series) : NO_STEPS;
  return { series, steps, mark: markOf(series, steps, series.rowCount - 1) };
}

/** Weeks and months are stored on the default adjustment; days often are. */
function dailySteps(snapshot: Snapshot, symbol: string, series: StoredSeries): readonly RowStep[] {
  const info = snapshot.symbol(symbol)!;
  const basis = defaultBasis(info);
  if (basis === info.basis) return NO_STEPS;
  return storedSteps(snapshot, info, '1d', basis).map(({ fromDay, ratio, factor }) => ({
    fromRow: Number.isFinite(fromDay) ? series.rowAt(BigInt(fromDay) * MICROS_PER_DAY) : 0,
    ratio,
    factor,
  }));
}

function markOf(series: StoredSeries | undefined, steps: readonly RowStep[], end: number): Mark {
  const place = series?.placeOf(end) ?? 0;
  if (steps.length === 0) return place;
  const scales = steps.map(
    ({ fromRow, ratio, factor }) => `${fromRow}:${ratio.numerator}/${ratio.denominator}*${factor}`,
  );
  return [place, ...scales].join(' ');
}
