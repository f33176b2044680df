/**
 * An open layer of a dataset's lists: finds rows and reads them. Reads throw a CorruptDataError if
 * the bytes do not match their checksum.
 */

import { crc32 } from 'node:zlib';
import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import type { DatasetList } from '../../../base/datasets/dataset.ts';
import type { CorruptDataError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { firstNotBefore, lowerBound, upperBound } from '../../../base/search-sorted.ts';
import { type BatchLayout, batchLayout } from '../format/batch-layout.ts';
import type { ListLayer } from '../format/manifest-types.ts';
import { OpenFile } from '../format/open-file.ts';
import { readTable, type TableData } from '../format/table-file.ts';
import {
  columnsOfTable,
  LIST_BATCH_TABLE,
  LIST_ID_TABLE,
  LIST_INDEX_TABLE,
  LIST_TABLE,
} from '../format/tables.ts';
import { VerifiedBatches } from '../format/verified-batches.ts';
import { ListHead } from './head.ts';
import { ListSelection } from './selection.ts';
import { compareRows, type ListPosition, type ListRow, type WrittenRow } from './specs.ts';
import { rowOfText } from './stored-columns.ts';

/** Rows [row, end) of a layer, which belong to one list. `adds` is what they add to its length. */
export interface ListEntry {
  row: number;
  end: number;
  adds: number;
}

const MICROS = BigInt(MICROS_PER_MILLI);

const COLUMNS = columnsOfTable(LIST_TABLE);

/** Heads of all layers, the one used last at the end. */
const heads = new Map<number, ListHead>();

/** Bound on the batches of one layer; real files have far fewer. */
const BATCHES_MAX = 2 ** 24;

let layerCount = 0;
/** Body of the batch read last; grows to the largest body. */
let scratch = new Uint8Array(2 * limits.serving.listBatchChars);

export class OpenListLayer extends OpenFile {
  readonly layer: ListLayer;
  readonly #folder: string;
  readonly #batches: TableData<typeof LIST_BATCH_TABLE>;
  readonly #verified: VerifiedBatches;
  readonly #number = layerCount++;
  readonly #index: TableData<typeof LIST_INDEX_TABLE>;
  readonly #adds: number;
  #places: Map<string, number> | undefined;
  #ids: TableData<typeof LIST_ID_TABLE> | undefined;
  #selection: ListSelection | undefined;

  constructor(folder: string, layer: ListLayer) {
    super(folder, layer.rows);
    this.layer = layer;
    this.#folder = folder;
    this.#verified = new VerifiedBatches(this.path);
    this.#batches = readTable(folder, layer.batches, LIST_BATCH_TABLE);
    this.#index = readTable(folder, layer.index, LIST_INDEX_TABLE);
    this.#adds = this.#index.adds.reduce((sum, adds) => sum + adds, 0);
  }

  get damage(): CorruptDataError | undefined {
    return this.#verified.damage;
  }

  /** Selection of rows by kind, read at its first use; undefined for datasets without one. */
  get selection(): ListSelection | undefined {
    const { selection } = this.layer;
    if (selection) this.#selection ??= new ListSelection(this.#folder, selection);
    return this.#selection;
  }

  get lists(): readonly string[] {
    return this.#index.list;
  }

  /**
   * Returns undefined if the layer does not have the list; an empty entry means that it is gone.
   */
  entry(list: string): ListEntry | undefined {
    this.#places ??= new Map(this.#index.list.map((name, place) => [name, place]));
    const place = this.#places.get(list);
    if (place === undefined) return undefined;
    const { row, rows, adds } = this.#index;
    return { row: row[place], end: row[place] + rows[place], adds: adds[place] };
  }

  head(row: number): ListHead {
    return this.#head(this.#batchOf(row));
  }

  #batchOf(row: number): number {
    return upperBound(this.#batches.row, row) - 1;
  }

  #head(batch: number): ListHead {
    const key = this.#number * BATCHES_MAX + batch;
    const known = heads.get(key);
    if (known) {
      heads.delete(key);
      heads.set(key, known);
      return known;
    }
    const { row, rows, offset } = this.#batches;
    const layout = this.#layout(batch);
    const place = { row: row[batch], rows: rows[batch], offset: Number(offset[batch]) };
    const head = new ListHead(this.#readBody(batch, layout), layout, place);
    if (heads.size >= limits.serving.listHeadsMax) heads.delete(heads.keys().next().value!);
    heads.set(key, head);
    return head;
  }

  /** Appends rows [row, end) to `rows`, with one read of the file per batch. */
  readRows(row: number, end: number, rows: ListRow[]): void {
    for (let next = row; next < end; ) {
      const batch = this.#batchOf(next);
      const head = this.#head(batch);
      const last = Math.min(end, head.endRow);
      const start = head.textOffset(next);
      const texts = this.#texts(batch, head.textAt + start, head.textOffset(last) - start);
      for (; next < last; next++) {
        const textEnd = head.textOffset(next + 1) - start;
        rows.push({
          timestampMs: head.timestampMs(next),
          id: head.id(next),
          knownMs: head.knownMs(next),
          kind: head.kind(next),
          ...rowOfText(texts.toString('utf8', head.textOffset(next) - start, textEnd)),
        });
      }
    }
  }

  /**
   * Returns bytes of a batch at a position in the file, valid until the next call for any layer.
   */
  #texts(batch: number, position: number, byteCount: number): Buffer {
    if (!this.#verified.has(batch)) {
      const start = position - Number(this.#batches.offset[batch]);
      const body = this.#readBody(batch, this.#layout(batch));
      return Buffer.from(body.buffer, body.byteOffset + start, byteCount);
    }
    const texts = Buffer.allocUnsafe(byteCount);
    if (!this.read(texts, position)) throw this.#verified.damaged(batch);
    return texts;
  }

  #layout(batch: number): BatchLayout {
    const { rows, id_bytes, kind_bytes, json_bytes } = this.#batches;
    const textBytes = [id_bytes[batch], kind_bytes[batch], json_bytes[batch]];
    return batchLayout(COLUMNS, rows[batch], textBytes);
  }

  /** Returns the whole body of a batch, checked; valid until the next call for any layer. */
  #readBody(batch: number, { bodyBytes }: BatchLayout): Uint8Array<ArrayBuffer> {
    if (scratch.length < bodyBytes) scratch = new Uint8Array(2 * bodyBytes);
    const body = scratch.subarray(0, bodyBytes);
    const { offset, crc32: sums } = this.#batches;
    const position = Number(offset[batch]);
    this.#verified.check(batch, () => this.read(body, position) && crc32(body) === sums[batch]);
    return body;
  }

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

  /** Returns the first row of a list after a position, which need not be a row's. */
  rowAfter({ row, end }: ListEntry, order: DatasetList['order'], position: ListPosition): number {
    const isAfter = (candidate: number) =>
      compareRows(order, this.position(candidate), position) > 0;
    let low = this.#batchStart({ row, end }, order, position);
    let high = low < end ? Math.min(end, this.head(low).endRow) : end;
    // Several batches may begin at the same moment.
    while (high < end && !isAfter(high - 1)) {
      low = high;
      high = Math.min(end, this.head(low).endRow);
    }
    return firstNotBefore(low, high, (candidate) => !isAfter(candidate));
  }

  /** Returns the first row of the last batch that begins before a moment, or of the list. */
  #batchStart(
    { row, end }: Pick<ListEntry, 'row' | 'end'>,
    order: DatasetList['order'],
    { timestampMs }: ListPosition,
  ): number {
    if (row === end) return row;
    const { row: rows, first_ts } = this.#batches;
    const first = upperBound(rows, row) - 1;
    const place = firstNotBefore(first + 1, upperBound(rows, end - 1), (batch) => {
      const ms = Number(first_ts[batch] / MICROS);
      return order === 'newest' ? ms > timestampMs : ms < timestampMs;
    });
    return Math.max(row, rows[place - 1]);
  }

  addsBefore(row: number): number {
    if (row === this.layer.rowCount) return this.#adds;
    const batch = this.#batchOf(row);
    return this.#batches.adds[batch] + this.#head(batch).addsBefore(row);
  }

  /** Returns the row of `EVERYTHING` with an id; a removing row only if no other row has the id. */
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

export interface FoundRow {
  layer: OpenListLayer;
  row: number;
}

/** Reads rows in their order; adjacent rows in one read. */
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
