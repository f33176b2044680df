/** Rows that a layer collects while it is written: a column per field, without an object per row. */

import type { TableData, TableRow } from '../format/table-file.ts';
import { INDEX_TABLE } from '../format/tables.ts';
import type { SeriesRows } from './volume-writer.ts';

const INITIAL_CAPACITY = 1024;

function withRoom<T extends Uint32Array | Float64Array<ArrayBuffer>>(
  columns: T[],
  count: number,
): T[] {
  if (count <= columns[0].length) return columns;
  return columns.map((column) => {
    const Kind = column instanceof Uint32Array ? Uint32Array : Float64Array;
    const grown = new Kind(2 * count) as T;
    grown.set(column);
    return grown;
  });
}

export type PartRow = TableRow<typeof INDEX_TABLE>;
export type PartColumns = TableData<typeof INDEX_TABLE>;

const FIELDS = Object.keys(INDEX_TABLE) as (keyof PartRow)[];

/** Index rows of a layer. */
export class PartList {
  #count = 0;
  #columns = FIELDS.map(() => new Uint32Array(INITIAL_CAPACITY));

  get count(): number {
    return this.#count;
  }

  push(part: PartRow): void {
    this.#columns = withRoom(this.#columns, this.#count + 1);
    for (let i = 0; i < FIELDS.length; i++) this.#columns[i][this.#count] = part[FIELDS[i]];
    this.#count++;
  }

  sorted(): PartColumns {
    const [interval, symbol] = this.#columns;
    const order = Uint32Array.from({ length: this.#count }, (_, i) => i);
    const compare = (a: number, b: number) =>
      interval[a] - interval[b] || symbol[a] - symbol[b] || a - b;
    // Compactions write millions of parts in order, and a sort compares each many times.
    if (!order.every((part) => part === 0 || compare(part - 1, part) < 0)) order.sort(compare);
    // The writer narrows unsigned columns to their types.
    const sorted = this.#columns.map((column, i) => [FIELDS[i], order.map((from) => column[from])]);
    return Object.fromEntries(sorted);
  }
}

const CANDLE_COUNT = 6;

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

  /** Copies rows, and returns the row at which they begin here. */
  append({ bars, indicators }: Omit<SeriesRows, 'firstRow'>): number {
    const first = this.#rowCount;
    this.#rowCount += bars.timestampUs.length;
    this.#columns = withRoom(this.#columns, this.#rowCount);
    this.#timestamps().set(bars.timestampUs, first);
    const { open, high, low, close, volume } = bars;
    const columns = [open, high, low, close, volume, ...indicators];
    for (let i = 0; i < columns.length; i++) {
      this.#columns[i + 1].set(columns[i], first);
    }
    return first;
  }

  rows(): SeriesRows {
    const [, open, high, low, close, volume, ...indicators] = this.#columns;
    const bars = { timestampUs: this.#timestamps(), open, high, low, close, volume };
    return { firstRow: 0, bars, indicators };
  }

  #timestamps(): BigInt64Array<ArrayBuffer> {
    return new BigInt64Array(this.#columns[0].buffer);
  }
}
