/**
 * What publishing needs to know of a series' past to go on from it: how many bars it has, the
 * running week and month, and the incremental state of each interval. All symbols advance at
 * once, column by column, with the bits that deriving their whole history gives.
 */

import { millisFromMicros } from '../../base/bars.ts';
import { assert } from '../../base/errors.ts';
import type { DailyInterval } from '../../base/time/intervals.ts';
import { periodStarts } from '../bars/resample-daily.ts';
import {
  advanceIncremental,
  type IncrementalColumns,
  type IncrementalState,
  incrementalColumnNames,
  incrementalState,
  previewIncremental,
  previewIncrementalRsi,
  seedIncremental,
} from './incremental.ts';
import { outputColumns } from './indicator-spec.ts';
import {
  addToRunning,
  beginRunning,
  CLOSE,
  COUNTS,
  countField,
  FIRST_MS,
  LAST_MS,
  RUNNING,
  runningField,
  START_MS,
  STATE_FIELDS,
  STATES,
  TAIL_FIELDS,
} from './tail-fields.ts';
import {
  ClosedPeriods,
  type NewDailyBars,
  PeriodRows,
  SeriesList,
  type TailRows,
  type WholeSeries,
} from './tail-rows.ts';

export class SeriesTails {
  /** `TAIL_FIELDS` per symbol, by its number: all there is to save. */
  readonly rows: Float64Array;
  readonly symbolCount: number;
  readonly #states: Record<DailyInterval, IncrementalState>;

  /** @param rows Changed in place; zeros for symbols that are not known yet. */
  constructor(rows: Float64Array) {
    this.rows = rows;
    this.symbolCount = rows.length / TAIL_FIELDS;
    assert(Number.isInteger(this.symbolCount), `rows of tails have ${TAIL_FIELDS} fields`);
    const state = (place: number) =>
      incrementalState(rows, {
        rowLength: TAIL_FIELDS,
        offset: STATES + place * STATE_FIELDS,
      });
    this.#states = { '1d': state(0), '1w': state(1), '1M': state(2) };
  }

  /** One symbol's row. */
  row(symbol: number): Float64Array {
    return this.rows.subarray(symbol * TAIL_FIELDS, (symbol + 1) * TAIL_FIELDS);
  }

  /** 0 for a symbol that is not known. */
  rowCount(symbol: number, interval: DailyInterval): number {
    if (symbol >= this.symbolCount) return 0;
    return this.rows[symbol * TAIL_FIELDS + countField(interval)];
  }

  firstBarMs(symbol: number): number {
    return this.rows[symbol * TAIL_FIELDS + FIRST_MS];
  }

  lastBarMs(symbol: number): number {
    return this.rows[symbol * TAIL_FIELDS + LAST_MS];
  }

  /** On the default adjustment, as all prices here. */
  lastClose(symbol: number): number {
    return this.rows[symbol * TAIL_FIELDS + RUNNING + CLOSE];
  }

  /** The RSI that the daily series would have with one more bar; NaN where there is none yet. */
  previewRsi(symbol: number, close: number): number {
    return previewIncrementalRsi(this.#states['1d'], symbol, close);
  }

  /** Makes a symbol's row that of its whole history. */
  seed(symbol: number, { timestampUs, close, weekly, monthly }: WholeSeries): void {
    const row = this.row(symbol).fill(0);
    const count = close.length;
    if (count === 0) return;
    [row[FIRST_MS], row[LAST_MS]] = [timestampUs[0], timestampUs[count - 1]].map(millisOf);
    row.set([count, weekly.close.length, monthly.close.length], COUNTS);
    seedIncremental(this.#states['1d'], symbol, close);
    for (const interval of ['1w', '1M'] as const) {
      const bars = interval === '1w' ? weekly : monthly;
      const last = bars.close.length - 1;
      const { timestampUs: ts, open, high, low, volume } = bars;
      const running = [millisOf(ts[last]), open, high, low, bars.close, volume].map((field) =>
        typeof field === 'number' ? field : field[last],
      );
      row.set(running, runningField(interval));
      seedIncremental(this.#states[interval], symbol, bars.close.subarray(0, last));
    }
  }

  /**
   * Takes new bars into the tails.
   *
   * @param newBars Each later than all bars of its symbol, of which there is one at least.
   * @returns the new rows of every interval: the new days, and the weeks and months from the one
   *   on that the first of them is in.
   */
  advance(newBars: NewDailyBars): Record<DailyInterval, TailRows> {
    const timesMs = millisFromMicros(newBars.bars.timestampUs);
    return {
      '1w': this.#advancePeriods('1w', newBars, timesMs),
      '1M': this.#advancePeriods('1M', newBars, timesMs),
      '1d': this.#advanceDays(newBars, timesMs),
    };
  }

  /** Takes bars into the tails whose rows are known already: a third of the time of `advance`. */
  replay(newBars: NewDailyBars): void {
    const { symbols, bars } = newBars;
    const timesMs = millisFromMicros(bars.timestampUs);
    const values = outputColumns(incrementalColumnNames, symbols.length);
    for (const interval of ['1w', '1M'] as const) {
      const closed = new ClosedPeriods(symbols.length);
      const startMs = periodStarts(interval);
      for (let entry = 0; entry < symbols.length; entry++) {
        this.#takeIntoPeriod(interval, newBars, entry, startMs(timesMs[entry]), closed, -1);
      }
      advanceIncremental(this.#states[interval], closed.bars(), values);
    }
    for (let entry = 0; entry < symbols.length; entry++) this.#countDay(symbols, entry, timesMs);
    advanceIncremental(this.#states['1d'], { symbols, closes: bars.close }, values);
  }

  #countDay(symbols: Int32Array, entry: number, timesMs: Float64Array): void {
    const { rows } = this;
    const row = symbols[entry] * TAIL_FIELDS;
    rows[row + COUNTS]++;
    rows[row + LAST_MS] = timesMs[entry];
  }

  /**
   * Takes a day into the running week or month, or closes that and begins another.
   *
   * @param startMs That of the day's period.
   * @param closedRow Where the running period is among the new rows.
   * @returns Whether it is the running one.
   */
  #takeIntoPeriod(
    interval: '1w' | '1M',
    { symbols, bars }: NewDailyBars,
    entry: number,
    startMs: number,
    closed: ClosedPeriods,
    closedRow: number,
  ): boolean {
    const { rows } = this;
    const symbol = symbols[entry];
    const running = symbol * TAIL_FIELDS + runningField(interval);
    const count = symbol * TAIL_FIELDS + countField(interval);
    if (rows[running + START_MS] === startMs) {
      addToRunning(rows, running, bars, entry);
      return true;
    }
    closed.add(symbol, rows[running + CLOSE], closedRow);
    beginRunning(rows, running, startMs, bars, entry);
    rows[count]++;
    return false;
  }

  #advanceDays({ symbols, bars }: NewDailyBars, timesMs: Float64Array): TailRows {
    const series = new SeriesList(symbols.length);
    for (let entry = 0; entry < symbols.length; entry++) {
      if (entry === 0 || symbols[entry] !== symbols[entry - 1]) {
        series.add(symbols[entry], entry, this.rowCount(symbols[entry], '1d'));
      }
      this.#countDay(symbols, entry, timesMs);
    }
    const columns = outputColumns(incrementalColumnNames, symbols.length);
    advanceIncremental(this.#states['1d'], { symbols, closes: bars.close }, columns);
    return { ...series.columns(), bars, indicators: inOrder(columns) };
  }

  #advancePeriods(interval: '1w' | '1M', newBars: NewDailyBars, timesMs: Float64Array): TailRows {
    const { symbols } = newBars;
    const series = new SeriesList(symbols.length);
    const closed = new ClosedPeriods(symbols.length);
    const out = new PeriodRows(symbols.length);
    const startMs = periodStarts(interval);
    for (let entry = 0; entry < symbols.length; entry++) {
      const symbol = symbols[entry];
      const isFirst = entry === 0 || symbol !== symbols[entry - 1];
      const before = isFirst ? -1 : out.count - 1;
      const start = startMs(timesMs[entry]);
      const isSame = this.#takeIntoPeriod(interval, newBars, entry, start, closed, before);
      if (isFirst) series.add(symbol, out.count, this.rowCount(symbol, interval) - 1);
      if (isFirst || !isSame) out.count++;
      out.set(out.count - 1, this.rows, symbol * TAIL_FIELDS + runningField(interval));
    }
    const found = series.columns();
    const indicators = this.#indicatorsOfPeriods(interval, closed, found, out);
    return { ...found, bars: out.bars(), indicators };
  }

  /** Advances over the periods that closed; those that run are previewed. */
  #indicatorsOfPeriods(
    interval: '1w' | '1M',
    closed: ClosedPeriods,
    { symbols, starts }: Pick<TailRows, 'symbols' | 'starts'>,
    out: PeriodRows,
  ): Float64Array[] {
    const state = this.#states[interval];
    const values = outputColumns(incrementalColumnNames, closed.count);
    advanceIncremental(state, closed.bars(), values);
    const runningRows = starts.map((_, i) => (starts[i + 1] ?? out.count) - 1);
    const closes = Float64Array.from(runningRows, (row) => out.close[row]);
    const running = outputColumns(incrementalColumnNames, symbols.length);
    previewIncremental(state, { symbols, closes }, running);
    // Mostly a series has one row, that of the running period.
    if (symbols.length === out.count) return inOrder(running);
    return incrementalColumnNames.map((name) => {
      const column = new Float64Array(out.count);
      for (let i = 0; i < closed.count; i++) {
        if (closed.rows[i] >= 0) column[closed.rows[i]] = values[name][i];
      }
      for (let i = 0; i < symbols.length; i++) column[runningRows[i]] = running[name][i];
      return column;
    });
  }
}

function millisOf(timestampUs: bigint): number {
  return Number(timestampUs / 1000n);
}

function inOrder(columns: IncrementalColumns): Float64Array[] {
  return incrementalColumnNames.map((name) => columns[name]);
}
