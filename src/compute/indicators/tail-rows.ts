/** What goes into tails and comes out of them: days, whole series, new rows of many series. */

import { type BarColumns, barRows, blankBars, microsFromMillis } from '../../base/bars.ts';
import { CLOSE, HIGH, LOW, OPEN, START_MS, VOLUME } from './tail-fields.ts';

/** New daily bars of many symbols, by symbol and by time within one. */
export interface NewDailyBars {
  /** Of each row the number of its symbol. */
  symbols: Int32Array;
  /** On the default adjustment, which is that of the bars before them. */
  bars: BarColumns;
}

/** A symbol's whole series on the default adjustment. */
export interface WholeSeries {
  timestampUs: BigInt64Array;
  close: Float64Array;
  weekly: BarColumns;
  monthly: BarColumns;
}

/** New rows of one interval, those of a series together and in order. */
export interface TailRows {
  /** By series: number of its symbol, its first row here, and that row's place in the series. */
  symbols: Int32Array;
  starts: Int32Array;
  firstRows: Int32Array;
  /** By row. */
  bars: BarColumns;
  /** By row, in the order of `incrementalColumnNames`. */
  indicators: Float64Array[];
}

/** Series with new rows. */
export class SeriesList {
  readonly #symbols: Int32Array;
  readonly #starts: Int32Array;
  readonly #firstRows: Int32Array;
  #count = 0;

  constructor(capacity: number) {
    this.#symbols = new Int32Array(capacity);
    this.#starts = new Int32Array(capacity);
    this.#firstRows = new Int32Array(capacity);
  }

  add(symbol: number, start: number, firstRow: number): void {
    this.#symbols[this.#count] = symbol;
    this.#starts[this.#count] = start;
    this.#firstRows[this.#count++] = firstRow;
  }

  columns(): Pick<TailRows, 'symbols' | 'starts' | 'firstRows'> {
    return {
      symbols: this.#symbols.subarray(0, this.#count),
      starts: this.#starts.subarray(0, this.#count),
      firstRows: this.#firstRows.subarray(0, this.#count),
    };
  }
}

/** Periods that a bar of a later one has closed. */
export class ClosedPeriods {
  /** Where the period is among the new rows; −1 where it is not. */
  readonly rows: Int32Array;
  count = 0;
  readonly #symbols: Int32Array;
  readonly #closes: Float64Array;

  constructor(capacity: number) {
    this.rows = new Int32Array(capacity);
    this.#symbols = new Int32Array(capacity);
    this.#closes = new Float64Array(capacity);
  }

  add(symbol: number, close: number, row: number): void {
    this.#symbols[this.count] = symbol;
    this.#closes[this.count] = close;
    this.rows[this.count++] = row;
  }

  bars(): { symbols: Int32Array; closes: Float64Array } {
    return {
      symbols: this.#symbols.subarray(0, this.count),
      closes: this.#closes.subarray(0, this.count),
    };
  }
}

/** New rows of weeks or months. */
export class PeriodRows {
  count = 0;
  readonly #startsMs: Float64Array;
  readonly #bars: BarColumns;

  constructor(capacity: number) {
    this.#startsMs = new Float64Array(capacity);
    this.#bars = blankBars(capacity);
  }

  get close(): Float64Array {
    return this.#bars.close;
  }

  set(at: number, rows: Float64Array, running: number): void {
    this.#startsMs[at] = rows[running + START_MS];
    this.#bars.open[at] = rows[running + OPEN];
    this.#bars.high[at] = rows[running + HIGH];
    this.#bars.low[at] = rows[running + LOW];
    this.#bars.close[at] = rows[running + CLOSE];
    this.#bars.volume[at] = rows[running + VOLUME];
  }

  bars(): BarColumns {
    const bars = barRows(this.#bars, 0, this.count);
    return { ...bars, timestampUs: microsFromMillis(this.#startsMs.subarray(0, this.count)) };
  }
}
