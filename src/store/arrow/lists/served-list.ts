/** One list of a version, joined from its layers. */

import type { DatasetList } from '../../../base/datasets/dataset.ts';
import { type FoundRow, type ListEntry, type OpenListLayer, readFoundRows } from './layer.ts';
import { compareRows, type ListPosition, type ListRow } from './specs.ts';

export interface ListPart {
  layer: OpenListLayer;
  entry: ListEntry;
}

const READ_ROWS = 64;

export class ServedList {
  readonly #order: DatasetList['order'];
  readonly #parts: readonly ListPart[];

  /** @param parts Newest layer first; only the newest one if layers are not joined. */
  constructor(order: DatasetList['order'], parts: readonly ListPart[]) {
    this.#order = order;
    this.#parts = parts;
  }

  get count(): number {
    return this.#parts.reduce((sum, { entry }) => sum + entry.adds, 0);
  }

  countAfter(position: ListPosition): number {
    return this.#parts.reduce((sum, { layer, entry }) => {
      const row = layer.rowAfter(entry, this.#order, position);
      return sum + layer.addsBefore(entry.end) - layer.addsBefore(row);
    }, 0);
  }

  /** Counts the rows after `start` up to `end`; undefined: from the first, to the last. */
  countBetween(start: ListPosition | undefined, end: ListPosition | undefined): number {
    return (start ? this.countAfter(start) : this.count) - (end ? this.countAfter(end) : 0);
  }

  /**
   * Returns the next rows of the list, with one read of the file, however long the list is.
   *
   * @param after Last row of the page before, which may be gone by now; undefined for the start.
   */
  page(after: ListPosition | undefined, limit: number): ListRow[] {
    if (this.#parts.length === 1) return this.#pageOfPart(this.#parts[0], after, limit);
    return this.#read(this.#find(after), limit);
  }

  #pageOfPart(
    { layer, entry }: ListPart,
    after: ListPosition | undefined,
    limit: number,
  ): ListRow[] {
    const row = after ? layer.rowAfter(entry, this.#order, after) : entry.row;
    const rows: ListRow[] = [];
    layer.readRows(row, Math.min(row + limit, entry.end), rows);
    return rows;
  }

  /** Yields all rows after a position, for responses that filter them. */
  *rows(after?: ListPosition): Generator<ListRow> {
    const found = this.#find(after);
    for (;;) {
      const rows = this.#read(found, READ_ROWS);
      if (rows.length === 0) return;
      yield* rows;
    }
  }

  /** Yields rows in order, each once, as the newest layer has it. */
  *#find(after: ListPosition | undefined): Generator<FoundRow> {
    const open = this.#parts.map(({ layer, entry }) => ({
      layer,
      row: after ? layer.rowAfter(entry, this.#order, after) : entry.row,
      end: entry.end,
    }));
    for (;;) {
      const left = open.filter(({ row, end }) => row < end);
      if (left.length === 0) return;
      const positions = left.map(({ layer, row }) => layer.position(row));
      let first = 0;
      for (let i = 1; i < left.length; i++) {
        if (compareRows(this.#order, positions[i], positions[first]) < 0) first = i;
      }
      const { layer, row } = left[first];
      for (const [i, part] of left.entries()) {
        if (compareRows(this.#order, positions[i], positions[first]) === 0) part.row++;
      }
      if (layer.head(row).adds(row) >= 0) yield { layer, row };
    }
  }

  #read(found: Iterator<FoundRow>, limit: number): ListRow[] {
    const rows: FoundRow[] = [];
    while (rows.length < limit) {
      const next = found.next();
      if (next.done) break;
      rows.push(next.value);
    }
    return readFoundRows(rows);
  }
}
