/** A layer of a dataset's lists, opened: finds rows and reads them. */

import { crc32 } from 'node:zlib';
import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import type { CorruptDataError } from '../../../base/errors.ts';
import { lowerBound, upperBound } from '../../../base/search-sorted.ts';
import type { ListLayer } from '../format/manifest-types.ts';
import { readTable, type TableData } from '../format/table-file.ts';
import { LIST_ID_TABLE, LIST_INDEX_TABLE } from '../format/tables.ts';
import { ListBatches } from './batches.ts';
import type { ListHead } from './head.ts';
import { ListSelection } from './selection.ts';
import {
  compareRows,
  type ListPosition,
  type ListRow,
  type ListSpec,
  type WrittenRow,
} from './specs.ts';

/** Rows [row, end) of a layer are a list's; to its length they add `adds`. */
export interface ListEntry {
  row: number;
  end: number;
  adds: number;
}

const MICROS = BigInt(MICROS_PER_MILLI);

export class OpenListLayer {
  readonly layer: ListLayer;
  readonly #folder: string;
  readonly #batches: ListBatches;
  readonly #index: TableData<typeof LIST_INDEX_TABLE>;
  /** Of all its rows. */
  readonly #adds: number;
  #places: Map<string, number> | undefined;
  #ids: TableData<typeof LIST_ID_TABLE> | undefined;
  #selection: ListSelection | undefined;

  /**
   * @throws {CorruptDataError} a file does not match the manifest. ENOENT when one is missing.
   */
  constructor(folder: string, layer: ListLayer) {
    this.layer = layer;
    this.#folder = folder;
    this.#batches = new ListBatches(folder, layer);
    this.#index = readTable(folder, layer.index, LIST_INDEX_TABLE);
    this.#adds = this.#index.adds.reduce((sum, adds) => sum + adds, 0);
  }

  isOfPath(): boolean {
    return this.#batches.isOfPath();
  }

  close(): void {
    this.#batches.close();
  }

  /** That some batch of rows was damaged when it was last read; undefined where none was. */
  get damage(): CorruptDataError | undefined {
    return this.#batches.damage;
  }

  /**
   * Read when first asked for; undefined of a dataset whose rows are not selected by kind.
   *
   * @throws {CorruptDataError} a file does not match the manifest.
   */
  get selection(): ListSelection | undefined {
    const { selection } = this.layer;
    if (selection) this.#selection ??= new ListSelection(this.#folder, selection);
    return this.#selection;
  }

  /** Ascending. */
  get lists(): readonly string[] {
    return this.#index.list;
  }

  /** @returns undefined where the layer does not have the list; an empty one says it is gone. */
  entry(list: string): ListEntry | undefined {
    this.#places ??= new Map(this.#index.list.map((name, place) => [name, place]));
    const place = this.#places.get(list);
    if (place === undefined) return undefined;
    const { row, rows, adds } = this.#index;
    return { row: row[place], end: row[place] + rows[place], adds: adds[place] };
  }

  /** The head of the batch that has a row. */
  head(row: number): ListHead {
    return this.#batches.head(this.#batches.batchOf(row));
  }

  /**
   * Rows [row, end): one read of the file for those of a batch.
   *
   * @param rows Receives them.
   * @throws {CorruptDataError} the file is damaged.
   */
  readRows(row: number, end: number, rows: ListRow[]): void {
    this.#batches.readRows(row, end, rows);
  }

  /** The rows of a list as they were written, read batch by batch. */
  *rows({ row, end }: ListEntry): Generator<WrittenRow> {
    for (let next = row; next < end; ) {
      const head = this.head(next);
      const rows: ListRow[] = [];
      this.readRows(next, Math.min(end, head.endRow), rows);
      for (const one of rows) {
        yield { ...one, adds: head.adds(next), replaced: this.selection?.replacedKind(next) };
        next++;
      }
    }
  }

  position(row: number): ListPosition {
    const head = this.head(row);
    return { timestampMs: head.timestampMs(row), id: head.id(row) };
  }

  /** The first row of a list that comes after a position, which need not be a row's. */
  rowAfter({ row, end }: ListEntry, order: ListSpec['order'], position: ListPosition): number {
    const isAfter = (candidate: number) =>
      compareRows(order, this.position(candidate), position) > 0;
    let low = this.#batchStart({ row, end }, order, position);
    let high = low < end ? Math.min(end, this.head(low).endRow) : end;
    // Some batches may begin at the very moment.
    while (high < end && !isAfter(high - 1)) {
      low = high;
      high = Math.min(end, this.head(low).endRow);
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isAfter(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The first row of the last batch, or of the list, that begins before a moment. */
  #batchStart(
    { row, end }: Pick<ListEntry, 'row' | 'end'>,
    order: ListSpec['order'],
    { timestampMs }: ListPosition,
  ): number {
    if (row === end) return row;
    const { row: rows, first_ts } = this.#batches.table;
    const first = upperBound(rows, row) - 1;
    let low = first + 1;
    let high = upperBound(rows, end - 1);
    while (low < high) {
      const middle = (low + high) >> 1;
      const ms = Number(first_ts[middle] / MICROS);
      if (order === 'newest' ? ms > timestampMs : ms < timestampMs) low = middle + 1;
      else high = middle;
    }
    return Math.max(row, rows[low - 1]);
  }

  /** What all rows of the layer before this one add. */
  addsBefore(row: number): number {
    if (row === this.layer.rowCount) return this.#adds;
    const batch = this.#batches.batchOf(row);
    return this.#batches.table.adds[batch] + this.#batches.head(batch).addsBefore(row);
  }

  /** The row of everything that has an id, one that takes it away where no other has it. */
  rowOfId(id: string): number | undefined {
    const { ids } = this.layer;
    if (!ids) return undefined;
    this.#ids ??= readTable(this.#folder, ids, LIST_ID_TABLE);
    const { hash, row } = this.#ids;
    const wanted = crc32(id);
    let found: number | undefined;
    for (let place = lowerBound(hash, wanted); hash[place] === wanted; place++) {
      const head = this.head(row[place]);
      if (head.id(row[place]) !== id) continue;
      if (head.adds(row[place]) >= 0) return row[place];
      found = row[place];
    }
    return found;
  }
}

/** A row whose text is not read yet. */
export interface FoundRow {
  layer: OpenListLayer;
  row: number;
}

/**
 * Reads rows in their order; those that lie together at once.
 *
 * @throws {CorruptDataError} the file is damaged.
 */
export function readFoundRows(found: readonly FoundRow[]): ListRow[] {
  const rows: ListRow[] = [];
  for (let start = 0; start < found.length; ) {
    const { layer, row } = found[start];
    let end = start + 1;
    while (found[end]?.layer === layer && found[end].row === row + end - start) end++;
    layer.readRows(row, row + end - start, rows);
    start = end;
  }
  return rows;
}
