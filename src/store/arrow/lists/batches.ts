/** Reads the rows of a layer of lists, batch by batch. */

import { crc32 } from 'node:zlib';
import type { CorruptDataError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { upperBound } from '../../../base/search-sorted.ts';
import { type BatchLayout, batchLayout } from '../format/batch-layout.ts';
import type { ListLayer } from '../format/manifest-types.ts';
import { OpenFile } from '../format/open-file.ts';
import { readTable, type TableData } from '../format/table-file.ts';
import { columnsOfTable, LIST_BATCH_TABLE, LIST_TABLE } from '../format/tables.ts';
import { VerifiedBatches } from '../format/verified-batches.ts';
import { ListHead } from './head.ts';
import type { ListRow } from './specs.ts';

const COLUMNS = columnsOfTable(LIST_TABLE);

/** Heads of all layers, the one used last at the end. */
const heads = new Map<number, ListHead>();

/** Bound on the batches of one layer; real files have far fewer. */
const BATCHES_MAX = 2 ** 24;

let layerCount = 0;
/** Body of the batch read last; grows to the largest body. */
let scratch = new Uint8Array(2 * limits.serving.listBatchChars);

export class ListBatches {
  readonly table: TableData<typeof LIST_BATCH_TABLE>;
  readonly #file: OpenFile;
  readonly #verified: VerifiedBatches;
  readonly #number = layerCount++;

  constructor(folder: string, { rows, batches }: ListLayer) {
    this.#file = new OpenFile(folder, rows);
    this.#verified = new VerifiedBatches(this.#file.path);
    this.table = readTable(folder, batches, LIST_BATCH_TABLE);
  }

  isOfPath(): boolean {
    return this.#file.isOfPath();
  }

  close(): void {
    this.#file.close();
  }

  get damage(): CorruptDataError | undefined {
    return this.#verified.damage;
  }

  batchOf(row: number): number {
    return upperBound(this.table.row, row) - 1;
  }

  head(batch: number): ListHead {
    const key = this.#number * BATCHES_MAX + batch;
    const known = heads.get(key);
    if (known) {
      heads.delete(key);
      heads.set(key, known);
      return known;
    }
    const { row, rows, offset } = this.table;
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
      const batch = this.batchOf(next);
      const head = this.head(batch);
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
          json: texts.toString('utf8', head.textOffset(next) - start, textEnd),
        });
      }
    }
  }

  /**
   * Returns bytes of a batch at a position in the file, valid until the next call for any layer.
   */
  #texts(batch: number, position: number, byteCount: number): Buffer {
    if (!this.#verified.has(batch)) {
      const start = position - Number(this.table.offset[batch]);
      const body = this.#readBody(batch, this.#layout(batch));
      return Buffer.from(body.buffer, body.byteOffset + start, byteCount);
    }
    const texts = Buffer.allocUnsafe(byteCount);
    if (!this.#file.read(texts, position)) throw this.#verified.damaged(batch);
    return texts;
  }

  #layout(batch: number): BatchLayout {
    const { rows, id_bytes, kind_bytes, json_bytes } = this.table;
    const textBytes = [id_bytes[batch], kind_bytes[batch], json_bytes[batch]];
    return batchLayout(COLUMNS, rows[batch], textBytes);
  }

  /** Returns the whole body of a batch, checked; valid until the next call for any layer. */
  #readBody(batch: number, { bodyBytes }: BatchLayout): Uint8Array<ArrayBuffer> {
    if (scratch.length < bodyBytes) scratch = new Uint8Array(2 * bodyBytes);
    const body = scratch.subarray(0, bodyBytes);
    const { offset, crc32: sums } = this.table;
    const isWhole = this.#file.read(body, Number(offset[batch])) && crc32(body) === sums[batch];
    this.#verified.note(batch, isWhole);
    return body;
  }
}
