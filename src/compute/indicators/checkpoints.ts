/**
 * Checkpoints of daily series: what a publish needs of a series' past to go on from it. A row of
 * numbers holds the count of bars of each interval, the running week and month, and the state of
 * the published columns of each interval. Going on gives the bits of computing everything again.
 */

import {
  type BarColumns,
  barRows,
  blankBars,
  microsFromMillis,
  millisFromMicros,
} from '../../base/bars.ts';
import { assert } from '../../base/errors.ts';
import { DAILY_INTERVALS, type DailyInterval } from '../../base/time/intervals.ts';
import { periodStarts } from '../bars/resample-daily.ts';
import { defaultColumns } from './catalogue.ts';
import { computeColumns, NextBars, previewRsi, STATE_FIELDS } from './published-columns.ts';

/** Fields of a row, all 0 for a symbol without daily bars. */
const FIRST_MS = 0; // of the first and of the last daily bar
const LAST_MS = 1;
const COUNTS = 2; // bars of each interval, a field each
const RUNNING = 5; // the last week and the last month, six fields each
const STATES = 17; // of each interval, over its complete bars

/** Fields of a running week or month. It runs until a bar of a later one comes. */
const START_MS = 0;
const OPEN = 1;
const HIGH = 2;
const LOW = 3;
const CLOSE = 4;
const VOLUME = 5;
const RUNNING_FIELDS = 6;

/** Float64 fields of one symbol: 146, or 1,168 bytes. */
export const CHECKPOINT_FIELDS = STATES + DAILY_INTERVALS.length * STATE_FIELDS;

const PERIODS = ['1w', '1M'] as const;
type Period = (typeof PERIODS)[number];

/** New daily bars of many symbols, by symbol and by time within one. */
export interface NewDailyBars {
  /** Number of each row's symbol. */
  symbols: Int32Array;
  /** On the default adjustment, which is that of the bars before them. */
  bars: BarColumns;
}

/** New rows of one interval, those of a series together and in order. */
export interface NewRows {
  /** By series: number of its symbol, its first row here, and that row's place in the series. */
  symbols: Int32Array;
  starts: Int32Array;
  firstRows: Int32Array;
  /** By row. */
  bars: BarColumns;
  /** By row, in the order of `defaultColumns`. */
  indicators: Float64Array[];
}

export class Checkpoints {
  /** `CHECKPOINT_FIELDS` per symbol, by its number: all there is to save. */
  readonly rows: Float64Array;
  readonly symbolCount: number;

  /** @param rows Changed in place; zeros for symbols that are not known yet. */
  constructor(rows: Float64Array) {
    this.rows = rows;
    this.symbolCount = rows.length / CHECKPOINT_FIELDS;
    assert(Number.isInteger(this.symbolCount), `a checkpoint has ${CHECKPOINT_FIELDS} fields`);
  }

  /** One symbol's row. */
  row(symbol: number): Float64Array {
    return this.rows.subarray(symbol * CHECKPOINT_FIELDS, (symbol + 1) * CHECKPOINT_FIELDS);
  }

  /** Returns 0 for an unknown symbol. */
  rowCount(symbol: number, interval: DailyInterval): number {
    return symbol < this.symbolCount ? this.rows[countField(symbol, interval)] : 0;
  }

  firstBarMs(symbol: number): number {
    return this.rows[symbol * CHECKPOINT_FIELDS + FIRST_MS];
  }

  lastBarMs(symbol: number): number {
    return this.rows[symbol * CHECKPOINT_FIELDS + LAST_MS];
  }

  /** On the default adjustment, as all prices here. */
  lastClose(symbol: number): number {
    return this.rows[runningField(symbol, '1w') + CLOSE];
  }

  /** Returns the RSI of the daily series with one more bar; NaN where there is none yet. */
  previewRsi(symbol: number, close: number): number {
    return previewRsi(this.rows, stateField(symbol, '1d'), this.rowCount(symbol, '1d'), close);
  }

  /**
   * Computes the published columns of a symbol's whole series, and its checkpoint.
   *
   * @param series  Bars of each interval on the default adjustment, at least one.
   * @param columns Receive the values of each interval, in the order of `defaultColumns`.
   */
  derive(
    symbol: number,
    series: Record<DailyInterval, BarColumns>,
    columns: Record<DailyInterval, readonly Float64Array[]>,
  ): void {
    const row = this.row(symbol).fill(0);
    const daysMs = [0, -1].map((at) => Number(series['1d'].timestampUs.at(at)! / 1000n));
    row.set(daysMs, FIRST_MS);
    for (const interval of DAILY_INTERVALS) {
      const bars = series[interval];
      const count = bars.close.length;
      this.rows[countField(symbol, interval)] = count;
      const complete = interval === '1d' ? count : count - 1;
      computeColumns(bars, complete, columns[interval], this.rows, stateField(symbol, interval));
      if (interval === '1d') continue;
      const startMs = Number(bars.timestampUs[count - 1] / 1000n);
      beginRunning(this.rows, runningField(symbol, interval), startMs, bars, count - 1);
    }
  }

  /**
   * Takes new bars into the checkpoints.
   *
   * @param newBars Each later than all bars of its symbol, which has at least one.
   * @returns the new rows of every interval: the new days, and the weeks and months from that of
   *   the first new day on.
   */
  advance(newBars: NewDailyBars): Record<DailyInterval, NewRows> {
    const { length } = newBars.symbols;
    const out = { '1d': new Rows(length), '1w': new Rows(length), '1M': new Rows(length) };
    this.#take([newBars], out);
    return { '1d': out['1d'].rows(), '1w': out['1w'].rows(), '1M': out['1M'].rows() };
  }

  /**
   * Takes bars into the checkpoints whose rows are already published.
   *
   * @param publishes Oldest first. Together they cost less than one by one.
   */
  replay(publishes: readonly NewDailyBars[]): void {
    this.#take(publishes);
  }

  #take(publishes: readonly NewDailyBars[], out?: Record<DailyInterval, Rows>): void {
    const length = publishes.reduce((sum, { symbols }) => sum + symbols.length, 0);
    // A day takes its own bar, completes a week and a month at most, and shows the running ones.
    const next = new NextBars((out ? 5 : 3) * length);
    /** Bars that each interval of each symbol has taken here. */
    const taken = DAILY_INTERVALS.map(() => new Int32Array(this.symbolCount));
    for (const newBars of publishes) this.#add(newBars, next, taken, out);
    next.run(this.rows);
    for (const interval of DAILY_INTERVALS) out?.[interval].fill(next);
  }

  #add(
    { symbols, bars }: NewDailyBars,
    next: NextBars,
    [takenDays, ...takenPeriods]: readonly Int32Array[],
    out?: Record<DailyInterval, Rows>,
  ): void {
    const { rows } = this;
    const timesMs = millisFromMicros(bars.timestampUs);
    const starts = PERIODS.map(periodStarts);
    const runningBars = runningBarsIn(rows);
    for (let entry = 0; entry < symbols.length; entry++) {
      const symbol = symbols[entry];
      const isFirst = entry === 0 || symbols[entry - 1] !== symbol;
      const isLast = symbols[entry + 1] !== symbol;
      const timeMs = timesMs[entry];
      for (let i = 0; i < PERIODS.length; i++) {
        const interval = PERIODS[i];
        const made = out?.[interval];
        const taken = takenPeriods[i];
        const [running, state] = [runningField(symbol, interval), stateField(symbol, interval)];
        const count = countField(symbol, interval);
        const startMs = starts[i](timeMs);
        const isSame = rows[running + START_MS] === startMs;
        if (isSame) addToRunning(rows, running, bars, entry);
        else {
          const row = rows[count]++ - 1;
          const place = next.add(state, row, taken[symbol]++, true, runningBars, running);
          if (!isFirst) made?.setLast(rows[running + START_MS], place);
          beginRunning(rows, running, startMs, bars, entry);
        }
        if (!made) continue;
        const row = rows[count] - 1;
        if (isFirst) made.beginSeries(symbol, row);
        if (isFirst || !isSame) made.count++;
        if (!isLast) continue;
        made.setLast(startMs, next.add(state, row, taken[symbol], false, runningBars, running));
      }
      const row = rows[countField(symbol, '1d')]++;
      if (isFirst) out?.['1d'].beginSeries(symbol, row);
      rows[symbol * CHECKPOINT_FIELDS + LAST_MS] = timeMs;
      const place = next.add(stateField(symbol, '1d'), row, takenDays[symbol]++, true, bars, entry);
      if (!out) continue;
      out['1d'].count++;
      out['1d'].setLast(timeMs, place);
    }
  }
}

/** New rows of many series of one interval, as they are made. */
class Rows {
  count = 0;
  readonly #symbols: number[] = [];
  readonly #starts: number[] = [];
  readonly #firstRows: number[] = [];
  readonly #startsMs: Float64Array;
  readonly #places: Int32Array;
  readonly #bars: BarColumns;
  readonly #indicators: Float64Array[];

  constructor(capacity: number) {
    this.#startsMs = new Float64Array(capacity);
    this.#places = new Int32Array(capacity);
    this.#bars = blankBars(capacity);
    this.#indicators = defaultColumns.map(() => new Float64Array(capacity));
  }

  beginSeries(symbol: number, firstRow: number): void {
    this.#symbols.push(symbol);
    this.#starts.push(this.count);
    this.#firstRows.push(firstRow);
  }

  /** Makes the last row that of a bar, by its place among the next bars. */
  setLast(startMs: number, place: number): void {
    this.#startsMs[this.count - 1] = startMs;
    this.#places[this.count - 1] = place;
  }

  /** Takes over the bars and their values. */
  fill(next: NextBars): void {
    for (let row = 0; row < this.count; row++) {
      const place = this.#places[row];
      next.copyBar(place, this.#bars, row);
      for (const [i, column] of this.#indicators.entries()) column[row] = next.values[i][place];
    }
  }

  rows(): NewRows {
    const { count } = this;
    const timestampUs = microsFromMillis(this.#startsMs.subarray(0, count));
    return {
      symbols: Int32Array.from(this.#symbols),
      starts: Int32Array.from(this.#starts),
      firstRows: Int32Array.from(this.#firstRows),
      bars: { ...barRows(this.#bars, 0, count), timestampUs },
      indicators: this.#indicators.map((column) => column.subarray(0, count)),
    };
  }
}

function countField(symbol: number, interval: DailyInterval): number {
  return symbol * CHECKPOINT_FIELDS + COUNTS + DAILY_INTERVALS.indexOf(interval);
}

function stateField(symbol: number, interval: DailyInterval): number {
  return symbol * CHECKPOINT_FIELDS + STATES + DAILY_INTERVALS.indexOf(interval) * STATE_FIELDS;
}

function runningField(symbol: number, interval: Period): number {
  return symbol * CHECKPOINT_FIELDS + RUNNING + (interval === '1w' ? 0 : RUNNING_FIELDS);
}

function beginRunning(
  rows: Float64Array,
  running: number,
  startMs: number,
  bars: BarColumns,
  entry: number,
): void {
  rows[running + START_MS] = startMs;
  rows[running + OPEN] = bars.open[entry];
  rows[running + HIGH] = bars.high[entry];
  rows[running + LOW] = bars.low[entry];
  rows[running + CLOSE] = bars.close[entry];
  rows[running + VOLUME] = bars.volume[entry];
}

/** Adds a day in the order of `combineBars`, which gives its bits. */
function addToRunning(rows: Float64Array, running: number, bars: BarColumns, entry: number): void {
  rows[running + HIGH] = Math.max(rows[running + HIGH], bars.high[entry]);
  rows[running + LOW] = Math.min(rows[running + LOW], bars.low[entry]);
  rows[running + CLOSE] = bars.close[entry];
  rows[running + VOLUME] += bars.volume[entry];
}

/** Views of the rows in which a running week or month is the bar at its field. */
function runningBarsIn(rows: Float64Array): BarColumns {
  return {
    timestampUs: new BigInt64Array(0),
    open: rows.subarray(OPEN),
    high: rows.subarray(HIGH),
    low: rows.subarray(LOW),
    close: rows.subarray(CLOSE),
    volume: rows.subarray(VOLUME),
  };
}
