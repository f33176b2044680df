/**
 * Arrow IPC messages for our own buffers.
 *
 * apache-arrow encodes the metadata of a batch in some 30 µs, too slow for 100,000 batches. All
 * batches of one schema have metadata of the same shape, so it is encoded once with a marker in
 * every number, and each batch overwrites them. Modules of apache-arrow are imported one by one:
 * all of them add 70 ms to every start.
 */

import {
  BufferRegion,
  DictionaryBatch,
  FieldNode,
  Message,
  RecordBatch,
} from 'apache-arrow/ipc/metadata/message';
import { Field, Schema } from 'apache-arrow/schema';
import {
  Bool,
  DateDay,
  Float64,
  Int32,
  Int64,
  TimestampMicrosecond,
  Uint8,
  Uint16,
  Uint32,
  Utf8,
} from 'apache-arrow/type';
import { assert } from '../../../base/errors.ts';
import {
  alignedBytes,
  type BatchLayout,
  type ColumnSpec,
  type ColumnType,
} from './batch-layout.ts';

const CONTINUATION = 0xffffffff;
const PREFIX_BYTES = 8;
/** Larger than any count, offset or number internal to flatbuffers, and exact as a float64. */
const MARKER = 2 ** 52;

const ARROW_TYPES = {
  timestamp: () => new TimestampMicrosecond('UTC'),
  float64: () => new Float64(),
  int64: () => new Int64(),
  int32: () => new Int32(),
  uint32: () => new Uint32(),
  uint16: () => new Uint16(),
  uint8: () => new Uint8(),
  date: () => new DateDay(),
  bool: () => new Bool(),
  utf8: () => new Utf8(),
} as const satisfies Record<ColumnType, () => unknown>;

export function arrowSchema(columns: readonly ColumnSpec[]): Schema {
  return new Schema(
    columns.map(({ name, type, nullable }) => new Field(name, ARROW_TYPES[type](), nullable)),
  );
}

/** Frames a message without body: marker, length, metadata, zeros up to a multiple of 64 bytes. */
function framed(metadata: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(alignedBytes(PREFIX_BYTES + metadata.length));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, CONTINUATION, true);
  view.setInt32(4, bytes.length - PREFIX_BYTES, true);
  bytes.set(metadata, PREFIX_BYTES);
  return bytes;
}

export function schemaMessage(schema: Schema): Uint8Array {
  return framed(Message.encode(Message.from(schema)));
}

/** Returns the message of a dictionary, which its body, one utf8 column, follows. */
export function dictionaryMessage(id: number, entryCount: number, layout: BatchLayout): Uint8Array {
  const buffers = layout.buffers.map(({ offset, bytes }) => new BufferRegion(offset, bytes));
  const nodes = [new FieldNode(entryCount, 0)];
  const dictionary = new DictionaryBatch(new RecordBatch(entryCount, nodes, buffers, null), id);
  return framed(Message.encode(Message.from(dictionary, layout.bodyBytes)));
}

export class BatchMessage {
  /** Metadata with its prefix, which the body follows. Its length is a multiple of 64 bytes. */
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  /**
   * Positions of row count, body length, (rows, nulls) per column, then (offset, bytes) per buffer.
   */
  readonly #positions: Int32Array;
  readonly #columnCount: number;

  constructor(columns: readonly ColumnSpec[]) {
    this.#columnCount = columns.length;
    let markers = 0;
    const marker = () => MARKER + markers++;
    const [rowCount, bodyBytes] = [marker(), marker()];
    const nodes = columns.map(() => new FieldNode(marker(), marker()));
    const buffers = columns.flatMap(({ type }) => {
      const count = type === 'utf8' ? 3 : 2;
      return Array.from({ length: count }, () => new BufferRegion(marker(), marker()));
    });
    const batch = new RecordBatch(rowCount, nodes, buffers, null);
    this.bytes = framed(Message.encode(Message.from(batch, bodyBytes)));
    this.#view = new DataView(this.bytes.buffer);
    this.#positions = this.#findMarkers(markers);
  }

  #findMarkers(count: number): Int32Array {
    const positions = new Int32Array(count);
    for (let at = PREFIX_BYTES; at + 8 <= this.bytes.length; at += 8) {
      const marker = Number(this.#view.getBigInt64(at, true)) - MARKER;
      if (marker >= 0 && marker < count) {
        assert(positions[marker] === 0, 'each number of a batch message is stored once');
        positions[marker] = at;
      }
    }
    assert(!positions.includes(0), 'every number of a batch message is found');
    return positions;
  }

  write(rowCount: number, nullCounts: ArrayLike<number>, layout: BatchLayout): void {
    let at = 0;
    this.#set(at++, rowCount);
    this.#set(at++, layout.bodyBytes);
    for (let column = 0; column < this.#columnCount; column++) {
      this.#set(at++, rowCount);
      this.#set(at++, nullCounts[column]);
    }
    for (const { offset, bytes } of layout.buffers) {
      this.#set(at++, offset);
      this.#set(at++, bytes);
    }
  }

  #set(index: number, value: number): void {
    const at = this.#positions[index];
    this.#view.setUint32(at, value % 4294967296, true);
    this.#view.setUint32(at + 4, value / 4294967296, true);
  }
}
