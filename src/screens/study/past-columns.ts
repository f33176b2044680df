/** Values of a plan's columns at every day of series, each as they were at the end of that day. */

import { BAR_FIELDS } from '../../base/bars.ts';
import type { InputName } from '../../compute/columns/column.ts';
import type { Lane } from '../../compute/columns/layout.ts';
import { Program } from '../../compute/columns/program.ts';
import type { RowRange, StoredColumn, SymbolInfo } from '../../store/arrow/snapshot/snapshot.ts';
import type { ScreenColumns } from '../plan/screen-plan.ts';
import { changedSteps } from '../run/as-of-series.ts';
import { type RowStep, scaleRows } from '../run/bars-source.ts';
import type { DayRows } from '../run/day-rows.ts';
import type { NewestSeries } from '../run/newest-series.ts';
import { PastPeriods } from './past-periods.ts';

/** Daily series of a version, by number of the symbol. */
export interface DailySeries {
  series: NewestSeries;
  days: DayRows;
  infos: readonly (SymbolInfo | undefined)[];
}

/** Rows whose values follow from bars on another basis than today's: those before a split. */
interface OtherBasis extends RowRange {
  steps: readonly RowStep[];
}

/** By entry of the plan's bars and by column, a value for each day of a symbol. */
export type PastValues = readonly (readonly Float64Array[])[];

type Compute = (
  lanes: readonly Lane[],
  ends: readonly number[],
  days: Int32Array[],
) => PastValues[];

export class PastColumns {
  readonly #daily: DailySeries;
  readonly #names: readonly StoredColumn[];
  readonly #compute: Compute;

  constructor(daily: DailySeries, bars: readonly ScreenColumns[]) {
    this.#daily = daily;
    const parts = bars.map(({ interval, columns }) => {
      if (interval !== '1d') return new PastPeriods(interval, columns);
      return new Program(columns);
    });
    const isDaily = parts.every((part) => part instanceof Program);
    const read = parts.flatMap((part) => (part instanceof Program ? part.inputs : []));
    this.#names = isDaily ? [...new Set(read as readonly StoredColumn[])] : BAR_FIELDS;
    this.#compute = (lanes, ends, days) => {
      const byPart = parts.map((part) =>
        part instanceof Program
          ? dailyValues(part, lanes, ends)
          : lanes.map((lane, i) => part.of(days[i], lane as DayLane)),
      );
      return lanes.map((_, lane) => byPart.map((values) => values[lane]));
    };
  }

  /**
   * @param numbers Symbols, at most `LANES`.
   * @returns Values by symbol.
   */
  of(numbers: Int32Array): PastValues[] {
    const { series, days } = this.#daily;
    const ends = Array.from(numbers, (number) => series.ends[number]);
    const lanes = ends.map((end, i) =>
      this.#lane(end, (into) => series.copy(numbers[i], this.#names, { start: 0, end }, into)),
    );
    const daysOf = Array.from(numbers, (number) => days.daysOf(number));
    const values = this.#compute(lanes, ends, daysOf);
    for (const [i, number] of numbers.entries()) this.#rerun(number, daysOf[i], values[i]);
    return values;
  }

  /** Computes the rows before a split again, from the bars as they were then. */
  #rerun(number: number, days: Int32Array, values: PastValues): void {
    const { series } = this.#daily;
    for (const { start, end, steps } of this.#otherBases(number)) {
      const lane = this.#lane(end, (into) => {
        series.copyStored(number, this.#names, { start: 0, end }, into);
        scaleRows(steps, this.#names, { start: 0, end }, into);
      });
      const [then] = this.#compute([lane], [end], [days.subarray(0, end)]);
      for (const [part, columns] of then.entries()) {
        for (const [i, column] of columns.entries()) {
          values[part][i].set(column.subarray(start, end), start);
        }
      }
    }
  }

  #lane(end: number, copy: (into: readonly Float64Array[]) => void): Lane {
    const columns = this.#names.map(() => new Float64Array(end));
    copy(columns);
    return Object.fromEntries(
      this.#names.map((name, i) => [name as InputName, columns[i]]),
    ) as Lane;
  }

  #otherBases(number: number): OtherBasis[] {
    const { series, days, infos } = this.#daily;
    const info = infos[number];
    const end = series.ends[number];
    if (!info || info.splits.length === 0) return [];
    const rowOf = (day: number) => days.rowOf(number, day);
    const rows = [0, ...info.splits.map(({ exDay }) => rowOf(exDay))].filter((row) => row < end);
    const starts = [...new Set(rows)].sort((a, b) => a - b);
    return starts.flatMap((start, i) => {
      const day = days.dayBefore(number, start + 1);
      const steps = changedSteps(info, { lastBarDay: day, day }, rowOf);
      return steps ? [{ start, end: starts[i + 1] ?? end, steps }] : [];
    });
  }
}

type DayLane = Parameters<PastPeriods['of']>[1];

function dailyValues(
  program: Program,
  lanes: readonly Lane[],
  ends: readonly number[],
): Float64Array[][] {
  const out = ends.map((end) =>
    Array.from({ length: program.outputCount }, () => new Float64Array(end).fill(Number.NaN)),
  );
  program.run(lanes, Math.max(...ends), out);
  return out;
}
