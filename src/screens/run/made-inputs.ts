/** Columns that programs read and no file has: dates of bars, and values of other symbols. */

import { dateFromDay } from '../../base/time/dates.ts';
import type { Column, MadeInput } from '../../compute/columns/column.ts';
import { madeInputs } from '../../compute/columns/column-facts.ts';
import type { Lane } from '../../compute/columns/layout.ts';
import { Program } from '../../compute/columns/program.ts';
import type { RowRange, Snapshot, StoredColumn } from '../../store/arrow/snapshot/snapshot.ts';
import { ExpressionError } from '../language/expression-error.ts';
import type { ScreenPlan } from '../plan/screen-plan.ts';
import type { BarsSource } from './bars-source.ts';
import type { DayRows } from './day-rows.ts';

/** @throws {ExpressionError} A plan reads the bars of a symbol that the version has none of. */
export function requireSymbols(
  snapshot: Pick<Snapshot, 'symbols' | 'resolve'>,
  plan: Pick<ScreenPlan, 'symbols'>,
): void {
  for (const [symbol, { field, text, offset }] of plan.symbols) {
    if (snapshot.symbols.includes(symbol)) continue;
    const now = snapshot.resolve(symbol);
    const hint =
      now === undefined
        ? 'correct its spelling, or load its bars first'
        : `write symbol('${now}'), its name now`;
    throw new ExpressionError(field, text, offset, {
      rule: `symbol('${symbol}') has no bars`,
      hint,
    });
  }
}

/** Values of another symbol by day. */
interface ByDay {
  first: number;
  values: Float64Array;
}

/** Symbols whose days are kept: those of a run, and the others that it reads. */
const DAYS_KEPT = 16;

const NOTHING: ByDay = { first: 0, values: new Float64Array(0) };

/** Bars of a source, with the columns that are made from them. */
export class MadeInputs implements BarsSource {
  readonly ends: Int32Array;
  readonly #source: BarsSource;
  readonly #days: DayRows;
  readonly #made: ReadonlyMap<string, MadeInput>;
  readonly #symbols: readonly string[];
  readonly #others = new Map<string, ByDay>();
  /** Days of the symbols that run together, by number. */
  readonly #daysRead = new Map<number, Int32Array>();

  /**
   * @param symbols Names by number of the symbol.
   * @param columns Those that will be read.
   */
  constructor(
    source: BarsSource,
    days: DayRows,
    symbols: readonly string[],
    columns: readonly Column[],
  ) {
    this.ends = source.ends;
    this.#source = source;
    this.#days = days;
    this.#symbols = symbols;
    this.#made = madeInputs(columns);
  }

  copy(
    number: number,
    columns: readonly StoredColumn[],
    range: RowRange,
    out: readonly Float64Array[],
  ): void {
    const stored = columns.flatMap((name, place) => (this.#made.has(name) ? [] : [place]));
    this.#source.copy(
      number,
      stored.map((place) => columns[place]),
      range,
      stored.map((place) => out[place]),
    );
    for (const [place, name] of columns.entries()) {
      const made = this.#made.get(name);
      if (made) this.#make(number, name, made, range, out[place]);
    }
  }

  #make(number: number, name: string, made: MadeInput, range: RowRange, out: Float64Array): void {
    const days = this.#daysOf(number).subarray(range.start, range.end);
    if (made.kind === 'calendar') {
      out.set(calendarColumn(made.name, days));
      return;
    }
    const { first, values } = this.#otherOf(name, made);
    for (let row = 0; row < days.length; row++) out[row] = values[days[row] - first] ?? Number.NaN;
  }

  #daysOf(number: number): Int32Array {
    const known = this.#daysRead.get(number) ?? this.#days.daysOf(number);
    if (this.#daysRead.size > DAYS_KEPT) this.#daysRead.clear();
    this.#daysRead.set(number, known);
    return known;
  }

  #otherOf(name: string, made: Extract<MadeInput, { kind: 'symbol' }>): ByDay {
    const known = this.#others.get(name) ?? this.#compute(made);
    this.#others.set(name, known);
    return known;
  }

  /** Computes a column over all bars of another symbol. */
  #compute({ symbol, column }: Extract<MadeInput, { kind: 'symbol' }>): ByDay {
    const number = this.#symbols.indexOf(symbol);
    const end = this.ends[number] ?? 0;
    if (end === 0) return NOTHING;
    const program = new Program([column]);
    const names = program.inputs as readonly StoredColumn[];
    const bars = names.map(() => new Float64Array(end));
    this.copy(number, names, { start: 0, end }, bars);
    const lane = Object.fromEntries(names.map((input, i) => [input, bars[i]])) as Lane;
    const rows = new Float64Array(end).fill(Number.NaN);
    program.run([lane], end, [[rows]]);
    const days = this.#days.daysOf(number).subarray(0, end);
    const [first] = days;
    const values = new Float64Array(days[end - 1] - first + 1).fill(Number.NaN);
    for (let row = 0; row < end; row++) values[days[row] - first] = rows[row];
    return { first, values };
  }
}

/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 4;
const WEEK = 7;

/** Numbers of a day since the epoch: 20240315, 1 for Monday to 7, 1 to 12, 2024. */
const CALENDAR = {
  date: (day: number) => Number(dateFromDay(day).replaceAll('-', '')),
  weekday: (day: number) => ((((day + FIRST_WEEKDAY - 1) % WEEK) + WEEK) % WEEK) + 1,
  month: (day: number) => Number(dateFromDay(day).slice(5, 7)),
  year: (day: number) => Number(dateFromDay(day).slice(0, 4)),
} as const;

/** Returns a number of the calendar for each of some days. */
export function calendarColumn(name: keyof typeof CALENDAR, days: Int32Array): Float64Array {
  const known = calendars[name];
  return Float64Array.from(days, (day) => (known[day] ??= CALENDAR[name](day)));
}

/** The same numbers by day, as far as they were read: some 20,000 for each name. */
const calendars: Record<keyof typeof CALENDAR, number[]> = {
  date: [],
  weekday: [],
  month: [],
  year: [],
};
