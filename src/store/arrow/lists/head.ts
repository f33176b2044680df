/** The part of a list's batch that stays in memory: all columns but the texts of its rows. */

import { MICROS_PER_MILLI } from '../../../base/bars.ts';
import { type BatchLayout, NULL_MICROS } from '../format/batch-layout.ts';
import { columnsOfTable, LIST_TABLE } from '../format/tables.ts';

const [TS, ID, KNOWN, KIND, ADDS, JSON_TEXT] = columnsOfTable(LIST_TABLE).keys();
const MICROS = BigInt(MICROS_PER_MILLI);

/** Rows of a batch without their texts, which begin at `textAt` in the file. */
export class ListHead {
  readonly firstRow: number;
  readonly endRow: number;
  readonly textAt: number;
  readonly #bytes: Buffer;
  readonly #ts: BigInt64Array;
  readonly #known: BigInt64Array;
  readonly #adds: Int32Array;
  readonly #ids: TextColumn;
  readonly #kinds: TextColumn;
  readonly #textOffsets: Int32Array;

  /**
   * @param body Body of the batch, which begins at `offset` in the file. The needed part is copied.
   * @param place First row in the layer, number of rows, and place in the file.
   */
  constructor(
    body: Uint8Array,
    layout: BatchLayout,
    place: { row: number; rows: number; offset: number },
  ) {
    const text = layout.buffers[layout.buffers.length - 1];
    const { buffer } = body.slice(0, text.offset);
    const offsetsOf = (column: number) =>
      new Int32Array(buffer, layout.data[column].offset, place.rows + 1);
    const textColumn = (column: number): TextColumn => ({
      start: layout.buffers[layout.buffers.indexOf(layout.data[column]) + 1].offset,
      offsets: offsetsOf(column),
    });
    this.firstRow = place.row;
    this.endRow = place.row + place.rows;
    this.textAt = place.offset + text.offset;
    this.#bytes = Buffer.from(buffer);
    this.#ts = new BigInt64Array(buffer, layout.data[TS].offset, place.rows);
    this.#known = new BigInt64Array(buffer, layout.data[KNOWN].offset, place.rows);
    this.#adds = new Int32Array(buffer, layout.data[ADDS].offset, place.rows);
    this.#ids = textColumn(ID);
    this.#kinds = textColumn(KIND);
    this.#textOffsets = offsetsOf(JSON_TEXT);
  }

  timestampMs(row: number): number {
    return Number(this.#ts[row - this.firstRow] / MICROS);
  }

  id(row: number): string {
    return this.#text(this.#ids, row);
  }

  knownMs(row: number): number | null {
    const known = this.#known[row - this.firstRow];
    return known === NULL_MICROS ? null : Number(known / MICROS);
  }

  kind(row: number): string {
    return this.#text(this.#kinds, row);
  }

  adds(row: number): number {
    return this.#adds[row - this.firstRow];
  }

  /** Returns where a row's text begins, relative to `textAt`; for `endRow`, where the last ends. */
  textOffset(row: number): number {
    return this.#textOffsets[row - this.firstRow];
  }

  addsBefore(row: number): number {
    let sum = 0;
    for (let i = 0; i < row - this.firstRow; i++) sum += this.#adds[i];
    return sum;
  }

  #text({ start, offsets }: TextColumn, row: number): string {
    const index = row - this.firstRow;
    return this.#bytes.toString('utf8', start + offsets[index], start + offsets[index + 1]);
  }
}

/** Start of a text column in the head, and the start of each text relative to it. */
interface TextColumn {
  start: number;
  offsets: Int32Array;
}
