/** Columns of stored bars that studies of a version leave in memory for the next one. */

import { limits } from '../../base/limits.ts';
import { totalmem } from '../../base/world/machine.ts';
import { process } from '../../base/world/process.ts';
import type { StoredColumn } from '../../store/arrow/snapshot/snapshot.ts';
import type { NewestSeries } from './newest-series.ts';

/** Share of the machine's memory, or of the process's if that is bounded, that columns may take. */
const MEMORY_SHARE = 1 / 8;

/** Bars as they are stored, by number of the symbol. */
type StoredBars = Pick<NewestSeries, 'ends' | 'copyStored'>;

const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;

interface Column {
  /** Rows of symbols, one symbol behind the other. Its pages take memory once they are written. */
  values: Float64Array;
  /** Rows that are written. */
  count: number;
  /** By number of the symbol, its first row; −1 while it is not there. */
  starts: Int32Array;
}

export class KeptColumns {
  readonly #series: StoredBars;
  readonly #rowsMax: number;
  /** The last used ones last. */
  readonly #columns = new Map<StoredColumn, Column>();

  /** @param bytesMax Bound of all columns. */
  constructor(series: StoredBars, bytesMax: number = bytesMaxOfMachine()) {
    this.#series = series;
    this.#rowsMax = Math.floor(bytesMax / NUMBER_BYTES);
  }

  /** Makes room for columns that a study is about to read: others go, those used long ago first. */
  begin(names: Iterable<StoredColumn>): void {
    const wanted = new Set(names);
    for (const name of wanted) {
      const known = this.#columns.get(name);
      if (!known) continue;
      this.#columns.delete(name);
      this.#columns.set(name, known);
    }
    const all = this.#series.ends.reduce((sum, end) => sum + end, 0);
    for (const name of wanted) {
      if (this.#columns.has(name)) continue;
      for (const other of this.#columns.keys()) {
        if (this.#free() >= all) break;
        if (!wanted.has(other)) this.#columns.delete(other);
      }
      const values = new Float64Array(Math.min(all, this.#free()));
      const starts = new Int32Array(this.#series.ends.length).fill(-1);
      this.#columns.set(name, { values, count: 0, starts });
    }
  }

  /**
   * Returns a column of a symbol as it is stored, read at its first use; undefined if it does not fit.
   * It must not be changed.
   */
  of(number: number, name: StoredColumn): Float64Array | undefined {
    const column = this.#columns.get(name);
    if (!column) return undefined;
    const { values, starts } = column;
    const rowCount = this.#series.ends[number];
    let start = starts[number];
    if (start >= 0) return values.subarray(start, start + rowCount);
    start = column.count;
    if (start + rowCount > values.length) return undefined;
    const rows = values.subarray(start, start + rowCount);
    this.#series.copyStored(number, [name], { start: 0, end: rowCount }, [rows]);
    starts[number] = start;
    column.count += rowCount;
    return rows;
  }

  /** Rows for which there is room. */
  #free(): number {
    let rows = this.#rowsMax;
    for (const { values } of this.#columns.values()) rows -= values.length;
    return rows;
  }
}

function bytesMaxOfMachine(): number {
  const memory = Math.min(totalmem(), process.constrainedMemory() || totalmem());
  return Math.min(limits.study.columnBytesMax, memory * MEMORY_SHARE);
}
