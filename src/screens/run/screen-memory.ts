/**
 * Memory that screens leave for the next one: series of the newest version, their newest rows, states of
 * recursions, and newest values of columns. All of it follows from the version, so anything may be
 * dropped at any time.
 */

import type { DailyInterval } from '../../base/time/intervals.ts';
import type {
  RowRange,
  Snapshot,
  StoredColumn,
  SymbolInfo,
} from '../../store/arrow/snapshot/snapshot.ts';
import { DayRows } from './day-rows.ts';
import { inSteps } from './in-steps.ts';
import { type NewestRows, placeOfRow, readRows, roundedRows } from './newest-rows.ts';
import { NewestSeries, type SeriesIndex } from './newest-series.ts';

/** Symbols whose states are moved before other work may run: some 0.2 ms. */
const MOVED_AT_ONCE = 256;

/** Share of the memory that states of one program of windows may take, and programs remembered. */
const WINDOW_SHARE_MAX = 1 / 8;
const RAN_MAX = 1000;

/** States of a program, each before a row of a series. */
export interface SavedStates {
  /** By number of the symbol, the row; 0 without a state. */
  rows: Int32Array;
  /** `stateRows` numbers of each symbol, by its number. */
  states: Float64Array;
  stateRows: number;
}

interface Kept {
  /** Series that the numbers of symbols belong to. */
  index: SeriesIndex;
  bytes: number;
}

/** Parts of a version, each opened at its first use. */
interface Version {
  id: string;
  series: Map<DailyInterval, NewestSeries>;
  days: Map<DailyInterval, DayRows>;
  infos: readonly (SymbolInfo | undefined)[] | undefined;
}

export class ScreenMemory {
  readonly #bytesMax: number;
  /** By interval and name, the last used ones last. */
  readonly #rows = new Map<string, NewestRows & Kept>();
  readonly #states = new Map<string, SavedStates & Kept>();
  readonly #windows = new Map<string, SavedStates & Kept>();
  readonly #values = new Map<string, { values: Float64Array } & Kept>();
  /** Programs of windows that ran, the last ones last. */
  readonly #ran = new Set<string>();
  /** By interval and column, symbols for which it was computed and not kept. */
  readonly #few = new Map<string, { index: SeriesIndex; count: number }>();
  #numbers:
    | { symbols: readonly string[]; names: readonly string[]; numbers: Int32Array }
    | undefined;
  #bytes = 0;
  #version: Version | undefined;

  /** @param bytesMax Bound of rows, states and values. Each series takes some 300 bytes more. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes of what is kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the series of an interval, opened at their first use. */
  *series(snapshot: Snapshot, interval: DailyInterval): Generator<undefined, NewestSeries> {
    const { series } = this.#versionOf(snapshot);
    let opened = series.get(interval);
    if (!opened) {
      opened = yield* NewestSeries.open(snapshot, interval);
      series.set(interval, opened);
    }
    return opened;
  }

  /** Returns the rows of days, read at their first use. */
  *days(snapshot: Snapshot, interval: DailyInterval): Generator<undefined, DayRows> {
    const { days } = this.#versionOf(snapshot);
    let opened = days.get(interval);
    if (!opened) {
      opened = yield* DayRows.open(yield* this.series(snapshot, interval));
      days.set(interval, opened);
    }
    return opened;
  }

  /** Returns facts by number of the symbol, read at their first use; undefined without days. */
  *infos(snapshot: Snapshot): Generator<undefined, readonly (SymbolInfo | undefined)[]> {
    const version = this.#versionOf(snapshot);
    if (version.infos) return version.infos;
    const infos: (SymbolInfo | undefined)[] = [];
    const { ends } = yield* this.series(snapshot, '1d');
    yield* inSteps(ends.entries(), ([number, end]) => {
      infos.push(end === 0 ? undefined : snapshot.symbol(snapshot.symbols[number]));
    });
    version.infos = infos;
    return infos;
  }

  #versionOf({ dailyId }: Snapshot): Version {
    if (this.#version?.id !== dailyId) {
      this.#version = { id: dailyId, series: new Map(), days: new Map(), infos: undefined };
    }
    return this.#version;
  }

  /** Returns the newest rows of a column if they are kept. */
  keptRows(
    { index }: NewestSeries,
    interval: DailyInterval,
    column: StoredColumn,
  ): NewestRows | undefined {
    const kept = this.#rows.get(`${interval} ${column}`);
    return kept?.index === index ? kept : undefined;
  }

  /** Copies rows of columns from memory where it has them, else from the files. */
  copy(
    series: NewestSeries,
    interval: DailyInterval,
    number: number,
    columns: readonly StoredColumn[],
    range: RowRange,
    out: readonly Float64Array[],
  ): void {
    for (const [i, column] of columns.entries()) {
      const kept = this.keptRows(series, interval, column);
      const place = kept ? placeOfRow(kept, number, range.start) : -1;
      if (place < 0) series.copy(number, [column], range, [out[i]]);
      else out[i].set(kept!.values.subarray(place, place + range.end - range.start));
    }
  }

  /** Returns the numbers of symbols in a list; −1 for those that it lacks. */
  numbersOf(symbols: readonly string[], names: readonly string[]): Int32Array {
    if (this.#numbers?.symbols !== symbols || this.#numbers.names !== names) {
      const bySymbol = new Map(symbols.map((symbol, number) => [symbol, number]));
      const numbers = Int32Array.from(names, (name) => bySymbol.get(name) ?? -1);
      this.#numbers = { symbols, names, numbers };
    }
    return this.#numbers.numbers;
  }

  /**
   * Returns the newest rows of a column, read if they are missing.
   *
   * @param rowCount Rows of each symbol that are needed.
   * @returns Undefined if they take more than the memory.
   */
  *rows(
    series: NewestSeries,
    interval: DailyInterval,
    column: StoredColumn,
    rowCount: number,
  ): Generator<undefined, NewestRows | undefined> {
    const key = `${interval} ${column}`;
    const kept = taken(this.#rows, key);
    if (kept?.index === series.index && kept.rowCount >= rowCount) return kept;
    const enough = roundedRows(Math.max(rowCount, kept?.rowCount ?? 0));
    const bytes = series.ends.length * enough * Float64Array.BYTES_PER_ELEMENT;
    if (bytes > this.#bytesMax) return undefined;
    const values = yield* readRows(series, column, enough, kept);
    const rows = { rowCount: enough, values, index: series.index, bytes };
    this.#keep(this.#rows, key, rows);
    return rows;
  }

  /**
   * Returns the states of a program, all 0 at first. States that a newer version has in common with
   * an older one are taken over.
   *
   * @param text     Names the program.
   * @param isWindow True if rows suffice to make them again: they are dropped first.
   */
  *states(
    series: NewestSeries,
    interval: DailyInterval,
    text: string,
    { stateRows, isWindow }: { stateRows: number; isWindow: boolean },
  ): Generator<undefined, SavedStates> {
    const key = `${interval} ${text}`;
    const place = isWindow ? this.#windows : this.#states;
    const kept = taken(place, key);
    if (kept?.index === series.index) return kept;
    const count = series.ends.length;
    const rows = new Int32Array(count);
    const states = new Float64Array(count * stateRows);
    if (kept) {
      const common = yield* series.commonRows(kept.index);
      for (let number = 0; number < count; number++) {
        if (number % MOVED_AT_ONCE === 0) yield;
        const old = common.numbers[number];
        const row = old < 0 ? 0 : kept.rows[old];
        if (row === 0 || row > common.ends[number] || row >= series.ends[number]) continue;
        rows[number] = row;
        const from = old * stateRows;
        states.set(kept.states.subarray(from, from + stateRows), number * stateRows);
      }
    }
    const bytes = rows.byteLength + states.byteLength;
    const saved = { rows, states, stateRows, index: series.index, bytes };
    if (bytes <= this.#bytesMax) this.#keep(place, key, saved);
    return saved;
  }

  /**
   * Returns true if states of a program of windows are kept, or worth it: they take as much memory
   * as the rows that they replace, so the program must have run before, for all symbols.
   */
  keepsWindows(
    { ends }: NewestSeries,
    interval: DailyInterval,
    text: string,
    { stateRows, isWhole }: { stateRows: number; isWhole: boolean },
  ): boolean {
    const key = `${interval} ${text}`;
    if (this.#windows.has(key)) return true;
    if (!isWhole) return false;
    const bytes = ends.length * stateRows * Float64Array.BYTES_PER_ELEMENT;
    if (bytes > this.#bytesMax * WINDOW_SHARE_MAX) return false;
    const hasRun = this.#ran.delete(key);
    this.#ran.add(key);
    if (this.#ran.size > RAN_MAX) this.#ran.delete(this.#ran.values().next().value!);
    return hasRun;
  }

  /**
   * Counts symbols for which a column is computed without being kept. Returns true when they are
   * more than all symbols together: then it is worth computing it for all.
   */
  isWorthAll(
    { index, order }: NewestSeries,
    interval: DailyInterval,
    text: string,
    count: number,
  ): boolean {
    const key = `${interval} ${text}`;
    const before = this.#few.get(key);
    const sum = (before?.index === index ? before.count : 0) + count;
    this.#few.delete(key);
    if (sum > order.length) return true;
    this.#few.set(key, { index, count: sum });
    if (this.#few.size > RAN_MAX) this.#few.delete(this.#few.keys().next().value!);
    return false;
  }

  /** Returns the newest values of a column by number of the symbol; undefined if not kept. */
  values(series: NewestSeries, interval: DailyInterval, text: string): Float64Array | undefined {
    const kept = taken(this.#values, `${interval} ${text}`);
    return kept?.index === series.index ? kept.values : undefined;
  }

  keepValues(
    { index }: NewestSeries,
    interval: DailyInterval,
    text: string,
    values: Float64Array,
  ): void {
    const { byteLength: bytes } = values;
    if (bytes > this.#bytesMax) return;
    this.#keep(this.#values, `${interval} ${text}`, { values, index, bytes });
  }

  /** Drops values, and keeps rows and states: for measurements. */
  dropValues(): void {
    for (const key of this.#values.keys()) this.#drop(this.#values, key);
  }

  #keep<T extends Kept>(place: Map<string, T>, key: string, kept: T): void {
    this.#drop(place, key);
    place.set(key, kept);
    this.#bytes += kept.bytes;
    // Values are small, and cost most to make again.
    const places: Map<string, Kept>[] = [this.#windows, this.#rows, this.#states, this.#values];
    for (const one of places) {
      for (const oldest of one.keys()) {
        if (this.#bytes <= this.#bytesMax) return;
        if (one.get(oldest) !== kept) this.#drop(one, oldest);
      }
    }
  }

  #drop<T extends Kept>(place: Map<string, T>, key: string): void {
    this.#bytes -= place.get(key)?.bytes ?? 0;
    place.delete(key);
  }
}

/** Returns what is kept under a key, and makes it the last used. */
function taken<T>(place: Map<string, T>, key: string): T | undefined {
  const kept = place.get(key);
  if (kept === undefined) return undefined;
  place.delete(key);
  place.set(key, kept);
  return kept;
}
