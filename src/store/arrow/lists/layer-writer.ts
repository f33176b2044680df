/** Writes a layer of a dataset's lists: rows in batches, and the tables that index them. */

import { crc32 } from 'node:zlib';
import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import type { ListName } from '../../../base/datasets/datasets.ts';
import { allEnded } from '../../../base/durable-file.ts';
import { assert } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { ArrowFileWriter } from '../format/arrow-file-writer.ts';
import { NULL_MICROS } from '../format/batch-layout.ts';
import type { ListLayer } from '../format/manifest-types.ts';
import type { TableRow } from '../format/table-file.ts';
import {
  columnsOfTable,
  LIST_BATCH_TABLE,
  LIST_ID_TABLE,
  LIST_INDEX_TABLE,
  LIST_TABLE,
} from '../format/tables.ts';
import { writeColumns, writeTable } from '../format/write-table.ts';
import { ListSelectionWriter } from './selection.ts';
import { EVERYTHING, type WrittenRow } from './specs.ts';
import { textOfRow } from './stored-columns.ts';

interface Batch {
  ts: bigint[];
  id: string[];
  known: bigint[];
  kind: string[];
  adds: number[];
  json: string[];
}

const emptyBatch = (): Batch => ({ ts: [], id: [], known: [], kind: [], adds: [], json: [] });

export class ListLayerWriter {
  readonly #folder: string;
  readonly #name: string;
  readonly #file: ArrowFileWriter;
  readonly #index: TableRow<typeof LIST_INDEX_TABLE>[] = [];
  readonly #batches: TableRow<typeof LIST_BATCH_TABLE>[] = [];
  /** Hash and row of each row of `EVERYTHING`; undefined if rows are not looked up by id. */
  readonly #ids: { hash: number; row: number }[] | undefined;
  readonly #selection: ListSelectionWriter | undefined;
  #batch = emptyBatch();
  #batchChars = 0;
  #rowCount = 0;
  #adds = 0;

  constructor(folder: string, list: ListName, tag: string) {
    this.#folder = folder;
    this.#name = `list-${list}-%-${tag}.arrow`;
    this.#file = new ArrowFileWriter(folder, this.#nameOf('rows'), columnsOfTable(LIST_TABLE));
    if (list !== 'news') return;
    this.#ids = [];
    this.#selection = new ListSelectionWriter();
  }

  #nameOf(part: string): string {
    return this.#name.replace('%', part);
  }

  get listCount(): number {
    return this.#index.length;
  }

  /**
   * Begins an empty list; lists come in ascending order. A list of known length that fits into a
   * batch is not split.
   */
  begin(list: string, chars = 0): void {
    const last = this.#index.at(-1);
    assert(!last || last.list < list, 'lists come in ascending order');
    const max = limits.serving.listBatchChars;
    if (this.#batchChars + chars > max && chars <= max) this.#flush();
    this.#index.push({ list, row: this.#rowCount, rows: 0, adds: 0 });
  }

  addList(list: string, rows: readonly WrittenRow[]): void {
    this.begin(
      list,
      rows.reduce((sum, row) => sum + textOfRow(row).length, 0),
    );
    for (const row of rows) this.add(row);
  }

  add(row: WrittenRow): void {
    const { timestampMs, id, knownMs, kind, adds } = row;
    const text = textOfRow(row);
    const entry = this.#index[this.#index.length - 1];
    this.#batch.ts.push(microsFromMillis(timestampMs));
    this.#batch.id.push(id);
    this.#batch.known.push(knownMs === null ? NULL_MICROS : microsFromMillis(knownMs));
    this.#batch.kind.push(kind);
    this.#batch.adds.push(adds);
    this.#batch.json.push(text);
    if (entry.list === EVERYTHING) this.#ids?.push({ hash: crc32(id), row: this.#rowCount });
    this.#selection?.add(row);
    entry.rows++;
    entry.adds += adds;
    this.#adds += adds;
    this.#rowCount++;
    this.#batchChars += text.length;
    if (this.#batchChars >= limits.serving.listBatchChars) this.#flush();
  }

  #flush(): void {
    const { ts, id, known, kind, adds, json } = this.#batch;
    if (ts.length === 0) return;
    const { offset, crc32 } = this.#file.writeBatch([
      BigInt64Array.from(ts),
      id,
      BigInt64Array.from(known),
      kind,
      Int32Array.from(adds),
      json,
    ]);
    const bytesOf = (texts: readonly string[]) => Buffer.byteLength(texts.join(''));
    this.#batches.push({
      row: this.#rowCount - ts.length,
      rows: ts.length,
      first_ts: ts[0],
      adds: this.#adds - adds.reduce((sum, one) => sum + one, 0),
      offset: BigInt(offset),
      id_bytes: bytesOf(id),
      kind_bytes: bytesOf(kind),
      json_bytes: bytesOf(json),
      crc32,
    });
    this.#batch = emptyBatch();
    this.#batchChars = 0;
  }

  async settle(): Promise<void> {
    await this.#file.settle();
  }

  async finish(): Promise<ListLayer> {
    this.#flush();
    const [, index, batches, ids, selection] = await allEnded([
      this.#file.finish(),
      writeTable(this.#folder, this.#nameOf('index'), LIST_INDEX_TABLE, this.#index),
      writeTable(this.#folder, this.#nameOf('batches'), LIST_BATCH_TABLE, this.#batches),
      this.#ids && this.#writeIds(this.#ids),
      this.#selection?.finish(this.#folder, (part) => this.#nameOf(part)),
    ]);
    const rows = { name: this.#file.name, bytes: this.#file.bytes };
    return { rows, rowCount: this.#rowCount, index, batches, ids, selection };
  }

  #writeIds(ids: { hash: number; row: number }[]): Promise<ListLayer['ids']> {
    ids.sort((a, b) => a.hash - b.hash || a.row - b.row);
    return writeColumns(this.#folder, this.#nameOf('ids'), LIST_ID_TABLE, {
      hash: Uint32Array.from(ids, ({ hash }) => hash),
      row: Uint32Array.from(ids, ({ row }) => row),
    });
  }

  async abandon(): Promise<void> {
    await this.#file.abandon();
  }
}

function microsFromMillis(ms: number): bigint {
  return BigInt(ms) * BigInt(MICROS_PER_MILLI);
}
