/** Rows of many series gathered into one batch. */

import type { SeriesRows } from './volume-writer.ts';

/** ts, open, high, low, close, volume. */
const CANDLE_COUNT = 6;
const INITIAL_CAPACITY = 1024;

export class SliceRows {
  #rowCount = 0;
  #columns: Float64Array<ArrayBuffer>[];

  constructor(indicatorCount: number) {
    const columns = { length: CANDLE_COUNT + indicatorCount };
    this.#columns = Array.from(columns, () => new Float64Array(INITIAL_CAPACITY));
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Copies rows. @returns the row at which they begin here. */
  append({ bars, indicators }: SeriesRows): number {
    const first = this.#rowCount;
    this.#rowCount += bars.timestampUs.length;
    this.#grow(this.#rowCount);
    this.#timestamps().set(bars.timestampUs, first);
    const { open, high, low, close, volume } = bars;
    const columns = [open, high, low, close, volume, ...indicators];
    for (let i = 0; i < columns.length; i++) {
      this.#columns[i + 1].set(columns[i], first);
    }
    return first;
  }

  /** Views that are longer than `rowCount`. */
  rows(): SeriesRows {
    const [, open, high, low, close, volume, ...indicators] = this.#columns;
    const bars = { timestampUs: this.#timestamps(), open, high, low, close, volume };
    return { firstRow: 0, bars, indicators };
  }

  #timestamps(): BigInt64Array<ArrayBuffer> {
    return new BigInt64Array(this.#columns[0].buffer);
  }

  #grow(rowCount: number): void {
    if (rowCount <= this.#columns[0].length) return;
    this.#columns = this.#columns.map((column) => {
      const grown = new Float64Array(2 * rowCount);
      grown.set(column);
      return grown;
    });
  }
}
