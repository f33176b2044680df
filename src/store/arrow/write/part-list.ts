/** The rows of an index while they are collected: a column per field, without an object per part. */

import type { TableData, TableRow } from '../format/table-file.ts';
import type { INDEX_TABLE } from '../format/tables.ts';

export type PartRow = TableRow<typeof INDEX_TABLE>;
export type PartColumns = TableData<typeof INDEX_TABLE>;

const FIELDS = ['interval', 'symbol', 'volume', 'batch', 'row', 'rows', 'row_start'] as const;

export class PartList {
  #count = 0;
  #columns = FIELDS.map(() => new Uint32Array(1024));

  get count(): number {
    return this.#count;
  }

  push(part: PartRow): void {
    this.#grow(this.#count + 1);
    for (let i = 0; i < FIELDS.length; i++) this.#columns[i][this.#count] = part[FIELDS[i]];
    this.#count++;
  }

  #grow(count: number): void {
    if (count <= this.#columns[0].length) return;
    this.#columns = this.#columns.map((column) => {
      const grown = new Uint32Array(2 * count);
      grown.set(column);
      return grown;
    });
  }

  /** By interval and symbol; the parts of a series stay in the order in which they came. */
  sorted(): PartColumns {
    const [interval, symbol] = this.#columns;
    const order = Uint32Array.from({ length: this.#count }, (_, i) => i);
    let isSorted = true;
    for (let i = 1; i < this.#count && isSorted; i++) {
      const step = interval[i] - interval[i - 1] || symbol[i] - symbol[i - 1];
      isSorted = step >= 0;
    }
    if (!isSorted) {
      order.sort((a, b) => interval[a] - interval[b] || symbol[a] - symbol[b] || a - b);
    }
    const sorted = this.#columns.map((column) => order.map((from) => column[from]));
    return {
      interval: Uint8Array.from(sorted[0]),
      symbol: sorted[1],
      volume: Uint16Array.from(sorted[2]),
      batch: sorted[3],
      row: sorted[4],
      rows: sorted[5],
      row_start: sorted[6],
    };
  }
}
