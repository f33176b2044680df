/** Values of a plan's columns at every day of series, each as they were at the end of that day. */

import { BAR_FIELDS } from '../../base/bars.ts';
import type { Column, InputName } from '../../compute/columns/column.ts';
import { firstTrue, madeInputs } from '../../compute/columns/column-facts.ts';
import { FUSED_FROM } from '../../compute/columns/fused-parts.ts';
import { LANES, type Lane } from '../../compute/columns/layout.ts';
import { Program } from '../../compute/columns/program.ts';
import { takeTruthBits } from '../../compute/columns/truth-bits.ts';
import type { RowRange, StoredColumn, SymbolInfo } from '../../store/arrow/snapshot/snapshot.ts';
import type { ScreenColumns } from '../plan/screen-plan.ts';
import { changedSteps } from '../run/as-of-series.ts';
import { type BarsSource, type RowStep, scaleRows } from '../run/bars-source.ts';
import type { DayRows } from '../run/day-rows.ts';
import type { KeptColumns } from '../run/kept-columns.ts';
import { MadeInputs } from '../run/made-inputs.ts';
import type { NewestSeries } from '../run/newest-series.ts';
import { PastPeriods } from './past-periods.ts';
import { changeBits, clearBits } from './signal-rows.ts';

/** Daily series of a version, by number of the symbol. */
export interface DailySeries {
  series: NewestSeries;
  days: DayRows;
  infos: readonly (SymbolInfo | undefined)[];
  columns: KeptColumns;
}

/** Rows whose values follow from bars on another basis than today's: those before a split. */
interface OtherBasis extends RowRange {
  /** Bars as they were then. */
  source: BarsSource;
}

/** By entry of the plan's bars and by column, a value for each day of a symbol. */
export type PastValues = readonly (readonly Float64Array[])[];

/** @param room By part, memory for values of daily bars, which grows as needed. */
type Compute = (
  lanes: readonly Lane[],
  ends: readonly number[],
  daysOf: (lane: number) => Int32Array,
  room: Float64Array[][],
) => PastValues[];

export class PastColumns {
  readonly #daily: DailySeries;
  readonly #names: readonly StoredColumn[];
  readonly #compute: Compute;
  /** The program of daily bars, if there is one. */
  readonly #program: Program | undefined;
  readonly #columns: readonly Column[];
  readonly #made: MadeInputs;
  /** Names of columns that files have. */
  readonly #stored: ReadonlySet<StoredColumn>;
  /** Numbers of other symbols whose bars it reads. */
  readonly #others: readonly number[];
  /** By lane and name, memory for bars, which grows as needed. */
  readonly #room: Float64Array[] = [];
  /** By part, lane and column, memory for values. */
  readonly #valueRoom: Float64Array[][];
  /** By column and lane, memory for truths, which grows as needed. */
  readonly #truthRoom: Uint32Array[] = [];

  constructor(daily: DailySeries, bars: readonly ScreenColumns[]) {
    this.#daily = daily;
    const isLarge = daily.series.ends.reduce((sum, end) => sum + end, 0) >= FUSED_FROM;
    const parts = bars.map(({ interval, columns }) => {
      if (interval !== '1d') return new PastPeriods(interval, columns);
      return new Program(columns, isLarge ? 0 : FUSED_FROM);
    });
    this.#valueRoom = parts.map(() => []);
    this.#program = parts.find((part) => part instanceof Program);
    const isDaily = parts.every((part) => part instanceof Program);
    const read = parts.flatMap((part) => (part instanceof Program ? part.inputs : []));
    const names = isDaily ? read : [...BAR_FIELDS, ...read];
    this.#names = [...new Set(names)] as StoredColumn[];
    this.#columns = bars.flatMap(({ columns }) => columns);
    const { symbols } = daily.series.index;
    this.#made = new MadeInputs(daily.series, daily.days, symbols, this.#columns);
    const made = madeInputs(this.#columns);
    this.#stored = new Set(this.#names.filter((name) => !made.has(name)));
    daily.columns.begin(this.#stored);
    this.#others = [...made.values()]
      .flatMap((made) => (made.kind === 'symbol' ? [symbols.indexOf(made.symbol)] : []))
      .filter((number) => number >= 0);
    this.#compute = (lanes, ends, daysOf, room) => {
      const byPart = parts.map((part, number) =>
        part instanceof Program
          ? dailyValues(part, lanes, ends, room[number] ?? [])
          : lanes.map((lane, i) => part.of(daysOf(i), lane as DayLane)),
      );
      return lanes.map((_, lane) => byPart.map((values) => values[lane]));
    };
  }

  /**
   * @param numbers Symbols, at most `LANES`.
   * @returns Values by symbol, until the next call: memory of all symbols would be as much as that of
   *   the columns that they are computed from.
   */
  of(numbers: Int32Array): PastValues[] {
    const { series, days } = this.#daily;
    const ends = Array.from(numbers, (number) => series.ends[number]);
    const daysOf = (lane: number) => days.daysOf(numbers[lane]);
    const values = this.#compute(this.#lanes(numbers, ends), ends, daysOf, this.#valueRoom);
    for (const [i, number] of numbers.entries()) {
      this.#rerun(number, (then, start, end) => {
        for (const [part, columns] of then.entries()) {
          for (const [place, column] of columns.entries()) {
            values[i][part][place].set(column.subarray(start, end), start);
          }
        }
      });
    }
    return values;
  }

  /**
   * Returns the truth of the columns of daily bars, which are conditions.
   *
   * @param numbers Symbols, at most `LANES`.
   * @returns by column and symbol, a bit for each row, until the next call. Bits behind have no
   *   meaning.
   */
  truthsOf(numbers: Int32Array): Uint32Array[][] {
    const ends = Array.from(numbers, (number) => this.#daily.series.ends[number]);
    const words = Math.ceil(Math.max(...ends) / 32);
    const truths = this.#columns.map((_, place) =>
      ends.map((_end, lane) => {
        const at = place * LANES + lane;
        if (!(this.#truthRoom[at]?.length >= words)) this.#truthRoom[at] = new Uint32Array(words);
        return this.#truthRoom[at];
      }),
    );
    const fromRow = Math.min(...this.#columns.map(firstTrue));
    this.#program!.runInPieces(
      this.#lanes(numbers, ends),
      Math.max(...ends),
      (columns, done, rows) => {
        for (let place = 0; place < truths.length; place++) {
          for (let lane = 0; lane < ends.length; lane++) {
            const count = Math.min(rows, ends[lane] - done);
            takeTruthBits(columns[place * LANES + lane], count, truths[place][lane], done >>> 5);
          }
        }
      },
      { fromRow },
    );
    for (const bits of truths.flat()) clearBits(bits, fromRow);
    for (const [i, number] of numbers.entries()) {
      this.#rerun(number, ([then], start, end) => {
        for (const [place, column] of then.entries()) {
          changeBits(truths[place][i], column, start, end);
        }
      });
    }
    return truths;
  }

  /** Computes the rows before a split again, from the bars as they were then. */
  #rerun(number: number, take: (then: PastValues, start: number, end: number) => void): void {
    const { days } = this.#daily;
    for (const { start, end, source } of this.#otherBases(number)) {
      const lane = this.#lane(0, end, this.#names, (into) => {
        source.copy(number, this.#names, { start: 0, end }, into);
      });
      // The values of today's basis are still in the memory.
      const daysOf = () => days.daysOf(number).subarray(0, end);
      const [then] = this.#compute([lane], [end], daysOf, []);
      take(then, start, end);
    }
  }

  #lanes(numbers: Int32Array, ends: readonly number[]): Lane[] {
    return ends.map((end, i) => {
      const kept = this.#keptOf(numbers[i]);
      const missing = this.#names.filter((name) => !kept[name]);
      const read = this.#lane(i, end, missing, (into) => {
        this.#made.copy(numbers[i], missing, { start: 0, end }, into);
      });
      return { ...kept, ...read };
    });
  }

  /** Returns the columns of a symbol that are in memory as they are read. */
  #keptOf(number: number): Partial<Record<StoredColumn, Float64Array>> {
    const kept: Partial<Record<StoredColumn, Float64Array>> = {};
    const { series, columns } = this.#daily;
    if (series.stepsOf(number).length > 0) return kept;
    for (const name of this.#stored) {
      const column = columns.of(number, name);
      if (column) kept[name] = column;
    }
    return kept;
  }

  /** Copies bars into the memory of a lane: those that were there before are lost. */
  #lane(
    place: number,
    end: number,
    names: readonly StoredColumn[],
    copy: (into: readonly Float64Array[]) => void,
  ): Lane {
    const columns = names.map((_, i) => roomOf(this.#room, place * this.#names.length + i, end));
    copy(columns);
    return Object.fromEntries(names.map((name, i) => [name as InputName, columns[i]])) as Lane;
  }

  #otherBases(number: number): OtherBasis[] {
    const { series, days, infos } = this.#daily;
    const end = series.ends[number];
    if (this.#others.length === 0 && !infos[number]?.splits.length) return [];
    const read = [number, ...this.#others];
    if (read.every((one) => !infos[one]?.splits.length)) return [];
    const rows = read.flatMap((one) => this.#basisDays(one).map((day) => days.rowOf(number, day)));
    const starts = [...new Set([0, ...rows])].filter((row) => row < end).sort((a, b) => a - b);
    return starts.flatMap((start, i) => {
      const source = this.#sourceOn(days.dayBefore(number, start + 1), number);
      return source ? [{ start, end: starts[i + 1] ?? end, source }] : [];
    });
  }

  /** Returns the days of a symbol's first bar, and of its first ones on a new basis. */
  #basisDays(number: number): number[] {
    const { days, infos, series } = this.#daily;
    const exDays = (infos[number]?.splits ?? []).map(({ exDay }) => exDay);
    return [Number.NEGATIVE_INFINITY, ...exDays].flatMap((day) => {
      const row = days.rowOf(number, day);
      return row < series.ends[number] ? [days.dayBefore(number, row + 1)] : [];
    });
  }

  /** Returns the bars as they were on a day of a symbol; undefined if they are the same now. */
  #sourceOn(day: number, number: number): BarsSource | undefined {
    const { series, days } = this.#daily;
    const changed = new Map<number, readonly RowStep[]>();
    for (const one of new Set([number, ...this.#others])) {
      const steps = this.#stepsOn(day, one);
      if (steps) changed.set(one, steps);
    }
    if (changed.size === 0) return undefined;
    const source: BarsSource = {
      ends: series.ends,
      copy(one, names, range, out) {
        const steps = changed.get(one);
        if (!steps) return series.copy(one, names, range, out);
        series.copyStored(one, names, range, out);
        scaleRows(steps, names, range, out);
      },
    };
    return new MadeInputs(source, days, series.index.symbols, this.#columns);
  }

  #stepsOn(day: number, number: number): readonly RowStep[] | undefined {
    const { days, infos } = this.#daily;
    const info = infos[number];
    const end = days.rowOf(number, day + 1);
    if (!info || info.splits.length === 0 || end === 0) return undefined;
    const lastBarDay = days.dayBefore(number, end);
    return changedSteps(info, { lastBarDay, day }, (one) => days.rowOf(number, one));
  }
}

/** Returns memory for some numbers, which a later call for the same place gets again. */
function roomOf(room: Float64Array[], place: number, count: number): Float64Array {
  if (!(room[place]?.length >= count)) room[place] = new Float64Array(count);
  return room[place].subarray(0, count);
}

type DayLane = Parameters<PastPeriods['of']>[1];

function dailyValues(
  program: Program,
  lanes: readonly Lane[],
  ends: readonly number[],
  room: Float64Array[],
): Float64Array[][] {
  const out = ends.map((end, lane) =>
    Array.from({ length: program.outputCount }, (_, place) =>
      roomOf(room, lane * program.outputCount + place, end).fill(Number.NaN),
    ),
  );
  program.run(lanes, Math.max(...ends), out);
  return out;
}
