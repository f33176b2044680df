/**
 * Rows of one or several lists of a version that are of a kind. They are found in memory: a page
 * costs a scan of a few bytes per row and the reading of its own rows.
 */

import type { DatasetList } from '../../../base/datasets/dataset.ts';
import { assert } from '../../../base/errors.ts';
import { type OpenListLayer, readFoundRows } from './layer.ts';
import type { ListSelection } from './selection.ts';
import { compareRows, type ListPosition, type ListRow, type RowFilter } from './specs.ts';

interface Cursor {
  layer: OpenListLayer;
  selection: ListSelection;
  row: number;
  end: number;
  position: ListPosition | undefined;
}

export class RowSelection {
  readonly #order: DatasetList['order'];
  readonly #layers: readonly OpenListLayer[];
  readonly #keys: readonly string[];
  readonly #filter: RowFilter;

  /** Takes layers newest first; a row of several of the lists counts once. */
  constructor(
    order: DatasetList['order'],
    layers: readonly OpenListLayer[],
    keys: readonly string[],
    filter: RowFilter,
  ) {
    this.#order = order;
    this.#layers = layers;
    this.#keys = keys;
    this.#filter = filter;
  }

  /** Counts the rows after `start` up to `end`; undefined: from the first, to the last. */
  countBetween(start: ListPosition | undefined, end: ListPosition | undefined): number {
    const byLayer = Map.groupBy(this.#cursors(start, end), ({ selection }) => selection);
    let count = 0;
    for (const [selection, ranges] of byLayer) count += selection.count(ranges, this.#filter);
    return count;
  }

  page(
    after: ListPosition | undefined,
    end: ListPosition | undefined,
    limit: number,
  ): readonly ListRow[] {
    const open = this.#cursors(after, end);
    for (const cursor of open) this.#advance(cursor, cursor.row);
    const found: Cursor[] = [];
    while (found.length < limit) {
      const first = this.#first(open);
      if (!first) break;
      const same = open.filter(({ position }) => position && this.#compare(position, first) === 0);
      // The newest layer's row counts, in any of the lists.
      const newest = same.filter(({ layer }) => layer === same[0].layer);
      const shown = newest.find(({ selection, row }) => selection.isWanted(row, this.#filter));
      if (shown) found.push({ ...shown });
      for (const cursor of same) this.#advance(cursor, cursor.row + 1);
    }
    return readFoundRows(found);
  }

  #cursors(after: ListPosition | undefined, to: ListPosition | undefined): Cursor[] {
    return this.#layers.flatMap((layer) =>
      this.#keys.flatMap((key) => {
        const entry = layer.entry(key);
        if (!entry) return [];
        const { selection } = layer;
        assert(selection, 'rows of these lists are selected');
        const row = after ? layer.rowAfter(entry, this.#order, after) : entry.row;
        const end = to ? layer.rowAfter(entry, this.#order, to) : entry.end;
        return row < end ? [{ layer, selection, row, end, position: undefined }] : [];
      }),
    );
  }

  #advance(cursor: Cursor, row: number): void {
    const { layer, selection, end } = cursor;
    cursor.row = selection.nextStop({ row, end }, this.#filter);
    cursor.position = cursor.row < end ? layer.position(cursor.row) : undefined;
  }

  #first(open: readonly Cursor[]): ListPosition | undefined {
    let first: ListPosition | undefined;
    for (const { position } of open) {
      if (position && (!first || this.#compare(position, first) < 0)) first = position;
    }
    return first;
  }

  #compare(a: ListPosition, b: ListPosition): number {
    return compareRows(this.#order, a, b);
  }
}
