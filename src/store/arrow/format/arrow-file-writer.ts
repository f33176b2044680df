/**
 * Writes an uncompressed Arrow IPC file batch by batch, with memory for one batch only.
 *
 * Bytes of typed arrays go into one staging buffer, are checksummed there and written in large
 * pieces. Every body starts at a multiple of 64 bytes in the file.
 */

import { crc32 } from 'node:zlib';
import type { Schema } from 'apache-arrow';
import { FileBlock, Footer } from 'apache-arrow/ipc/metadata/file';
import { BLOCK_BYTES, blockMemory, DurableFile } from '../../../base/durable-file.ts';
import { assert } from '../../../base/errors.ts';
import {
  alignedBytes,
  type BatchLayout,
  batchLayout,
  type ColumnData,
  type ColumnSpec,
  isText,
} from './batch-layout.ts';
import { arrowSchema, BatchMessage, schemaMessage } from './batch-message.ts';
import { writeValidity } from './validity.ts';

export interface WrittenBatch {
  offset: number;
  bodyBytes: number;
  rowCount: number;
  crc32: number;
}

const MAGIC = new TextEncoder().encode('ARROW1');
const END_OF_STREAM = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);
/** Multiples of BLOCK_BYTES. Most files of a publish are small, and V8 collects garbage for more. */
const FIRST_STAGE_BYTES = 32 * 1024;
const STAGE_BYTES = 1024 * 1024;
/** Full staging buffers that may wait for the disk before `settle` waits for them. */
const STAGES_PENDING_MAX = 3;
const textEncoder = new TextEncoder();

export class ArrowFileWriter {
  readonly #file: DurableFile;
  readonly #columns: readonly ColumnSpec[];
  readonly #schema: Schema;
  readonly #message: BatchMessage;
  readonly #nullCounts: Int32Array;
  readonly #blocks: FileBlock[] = [];
  #stage = blockMemory(FIRST_STAGE_BYTES);
  /** Staging buffers that are written and can be reused: touching fresh memory costs more. */
  readonly #freeStages: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes in the staging buffer that the file does not have yet. */
  #staged = 0;

  constructor(folder: string, name: string, columns: readonly ColumnSpec[]) {
    this.#columns = columns;
    this.#schema = arrowSchema(columns);
    this.#message = new BatchMessage(columns);
    this.#nullCounts = new Int32Array(columns.length);
    this.#file = new DurableFile(folder, name);
    this.#push(MAGIC);
    this.#pad();
    this.#push(schemaMessage(this.#schema));
  }

  get name(): string {
    return this.#file.name;
  }

  /** Bytes so far, staged ones included; the file's size after `finish`. */
  get bytes(): number {
    return this.#file.bytesWritten + this.#staged;
  }

  /**
   * Appends rows [start, end) as one record batch. `data` has an entry per column of the schema.
   */
  writeBatch(data: readonly ColumnData[], start = 0, end = data[0].length): WrittenBatch {
    assert(data.length === this.#columns.length, 'a batch has the columns of its schema');
    const texts = data
      .filter(isText)
      .map((text) => textEncoder.encode(text.slice(start, end).join('')));
    const rowCount = end - start;
    const layout = batchLayout(
      this.#columns,
      rowCount,
      texts.map((text) => text.length),
    );
    const metadataBytes = this.#message.bytes.length;
    this.#reserve(metadataBytes + layout.bodyBytes);
    const blockOffset = this.bytes;
    const body = this.#stage.subarray(
      this.#staged + metadataBytes,
      this.#staged + metadataBytes + layout.bodyBytes,
    );
    this.#fillBody(body, layout, data, texts, start, end);
    this.#message.write(rowCount, this.#nullCounts, layout);
    this.#stage.set(this.#message.bytes, this.#staged);
    this.#staged += metadataBytes + layout.bodyBytes;
    this.#blocks.push(new FileBlock(metadataBytes, layout.bodyBytes, blockOffset));
    return {
      offset: blockOffset + metadataBytes,
      bodyBytes: layout.bodyBytes,
      rowCount,
      crc32: crc32(body),
    };
  }

  #fillBody(
    body: Uint8Array,
    layout: BatchLayout,
    data: readonly ColumnData[],
    texts: readonly Uint8Array[],
    start: number,
    end: number,
  ): void {
    let buffer = 0;
    let text = 0;
    for (let column = 0; column < data.length; column++) {
      const values = data[column];
      const validity = layout.buffers[buffer++];
      this.#nullCounts[column] = 0;
      if (this.#columns[column].nullable) {
        const bitmap = body.subarray(
          validity.offset,
          validity.offset + alignedBytes(validity.bytes),
        );
        this.#nullCounts[column] = writeValidity(values, start, end, bitmap);
      }
      const range = layout.buffers[buffer++];
      if (!isText(values)) {
        const width = values.BYTES_PER_ELEMENT;
        assert(range.bytes === width * (end - start), 'column data has the type of its column');
        const source = new Uint8Array(
          values.buffer,
          values.byteOffset + start * width,
          range.bytes,
        );
        place(body, range.offset, source);
        continue;
      }
      const offsets = textOffsets(values, start, end);
      place(body, range.offset, new Uint8Array(offsets.buffer));
      place(body, layout.buffers[buffer++].offset, texts[text++]);
    }
  }

  /** Writes the footer, makes the file durable and gives it its name. */
  async finish(): Promise<void> {
    this.#push(END_OF_STREAM);
    const footer = Footer.encode(new Footer(this.#schema, undefined, this.#blocks, []));
    this.#push(footer);
    this.#push(new Uint8Array(Int32Array.of(footer.length).buffer));
    this.#push(MAGIC);
    this.#file.write(this.#stage.subarray(0, this.#staged));
    this.#staged = 0;
    await this.#file.finish();
  }

  async abandon(): Promise<void> {
    await this.#file.abandon();
  }

  /** Waits while the disk is behind. Called between batches, it keeps memory flat. */
  async settle(): Promise<void> {
    if (this.#file.writesPending > STAGES_PENDING_MAX) await this.#file.settle(STAGES_PENDING_MAX);
  }

  #push(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#stage.set(bytes, this.#staged);
    this.#staged += bytes.length;
  }

  #pad(): void {
    this.#push(new Uint8Array(alignedBytes(this.bytes) - this.bytes));
  }

  /** Makes room for `bytes` in the staging buffer: writes its whole blocks and moves the rest. */
  #reserve(bytes: number): void {
    if (this.#staged + bytes <= this.#stage.length) return;
    const stage = this.#stage;
    if (stage.length < STAGE_BYTES) {
      this.#stage = this.#stageOf(this.#staged + bytes);
      this.#stage.set(stage.subarray(0, this.#staged));
      return;
    }
    const left = this.#staged % BLOCK_BYTES;
    const whole = this.#staged - left;
    this.#stage = this.#stageOf(left + bytes);
    this.#stage.set(stage.subarray(whole, this.#staged));
    this.#staged = left;
    if (whole > 0) this.#file.write(stage.subarray(0, whole), () => this.#freeStages.push(stage));
  }

  /** Returns a used staging buffer, or a new one if none is large enough. */
  #stageOf(bytes: number): Uint8Array<ArrayBuffer> {
    const free = this.#freeStages.pop();
    if (free && bytes <= free.length) return free;
    return blockMemory(Math.ceil(bytes / STAGE_BYTES) * STAGE_BYTES);
  }
}

/** Copies bytes into a body and zeros the gap up to the next buffer: the memory is reused. */
function place(body: Uint8Array, offset: number, bytes: Uint8Array): void {
  body.set(bytes, offset);
  const end = offset + bytes.length;
  body.fill(0, end, alignedBytes(end));
}

/** Returns Arrow's value offsets of rows [start, end) in bytes of UTF-8: one more than rows. */
function textOffsets(values: readonly string[], start: number, end: number): Int32Array {
  const offsets = new Int32Array(end - start + 1);
  for (let i = start; i < end; i++) {
    offsets[i - start + 1] = offsets[i - start] + Buffer.byteLength(values[i]);
  }
  return offsets;
}
