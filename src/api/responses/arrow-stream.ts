/**
 * Writes a table as an uncompressed Arrow IPC stream of one batch.
 *
 * It loads apache-arrow, which takes about 50 ms: import this file only on use.
 */

import {
  batchLayout,
  type ColumnData,
  type ColumnSpec,
  type ColumnType,
} from '../../store/arrow/format/batch-layout.ts';
import {
  arrowSchema,
  BatchMessage,
  schemaMessage,
} from '../../store/arrow/format/batch-message.ts';
import { writeValidity } from '../../store/arrow/format/validity.ts';
import { arrowSchemaLimits } from './limits.ts';
import type { Table, TableColumn } from './table.ts';

export const END_OF_STREAM = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

const COLUMN_TYPES: Record<TableColumn['type'], ColumnType> = {
  timestamp: 'timestamp',
  optionalTimestamp: 'timestamp',
  date: 'date',
  optionalDate: 'date',
  number: 'float64',
  volume: 'float64',
  integer: 'float64',
  flag: 'bool',
  text: 'utf8',
  optionalText: 'utf8',
};

const NEVER_NULL: readonly TableColumn['type'][] = ['timestamp', 'date', 'text'];

function columnSpec({ name, type }: TableColumn): ColumnSpec {
  return { name, type: COLUMN_TYPES[type], nullable: !NEVER_NULL.includes(type) };
}

/** Encodes texts as Arrow does: value offsets in bytes of UTF-8, and one text of all rows. */
export function encodedTexts(values: readonly string[]): { offsets: Int32Array; text: Buffer } {
  const offsets = new Int32Array(values.length + 1);
  for (let i = 0; i < values.length; i++) {
    offsets[i + 1] = offsets[i] + Buffer.byteLength(values[i]);
  }
  return { offsets, text: Buffer.from(values.join('')) };
}

/** Messages that all tables with the same columns share. */
interface StreamHead {
  schema: Uint8Array;
  batch: BatchMessage;
}

/** Encoded schemas by columns: encoding one takes longer than the rest of a short table. */
const heads = new Map<string, StreamHead>();

function streamHead(columns: readonly ColumnSpec[]): StreamHead {
  const key = JSON.stringify(columns);
  let head = heads.get(key);
  if (!head) {
    head = { schema: schemaMessage(arrowSchema(columns)), batch: new BatchMessage(columns) };
    if (heads.size >= arrowSchemaLimits.entriesMax) heads.clear();
    heads.set(key, head);
  }
  return head;
}

/** Writes a table; each column is copied once, into its final place. */
export function arrowFromTable(table: Table): Buffer {
  const columns = table.map(columnSpec);
  const rowCount = table[0].values.length;
  const texts = table.map((column) => {
    if (column.type === 'text') return encodedTexts(column.values);
    return column.type === 'optionalText' && encodedTexts(column.values.map((text) => text ?? ''));
  });
  const textBytes = texts.flatMap((encoded) => (encoded ? [encoded.text.length] : []));
  const layout = batchLayout(columns, rowCount, textBytes);
  const { schema, batch } = streamHead(columns);
  const bodyStart = schema.length + batch.bytes.length;
  const bodyEnd = bodyStart + layout.bodyBytes;
  // Buffers are padded, and the padding must be zero.
  const stream = Buffer.alloc(bodyEnd + END_OF_STREAM.length);
  const nullCounts = new Int32Array(columns.length);
  let next = 0;
  const place = ({ buffer, byteOffset, byteLength }: ArrayBufferView): void => {
    const { offset } = layout.buffers[next++];
    stream.set(new Uint8Array(buffer, byteOffset, byteLength), bodyStart + offset);
  };
  for (const [index, column] of table.entries()) {
    const { values } = column;
    const validity = layout.buffers[next++];
    if (columns[index].nullable) {
      const start = bodyStart + validity.offset;
      const bitmap = stream.subarray(start, start + validity.bytes);
      nullCounts[index] = writeValidity(markedNulls(column), 0, rowCount, bitmap);
    }
    const encoded = texts[index];
    if (encoded) {
      place(encoded.offsets);
      place(encoded.text);
    } else if (column.type === 'flag') {
      place(bitsOf(column.values));
    } else {
      place(values as Exclude<typeof values, readonly (string | null)[]>);
    }
  }
  batch.write(rowCount, nullCounts, layout);
  stream.set(schema);
  stream.set(batch.bytes, schema.length);
  stream.set(END_OF_STREAM, bodyEnd);
  return stream;
}

/** Packs flags as Arrow does: bit i of byte i / 8 is that of row i. */
function bitsOf(flags: Float64Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(flags.length / 8));
  for (const [row, flag] of flags.entries()) if (flag === 1) bits[row >> 3] |= 1 << (row & 7);
  return bits;
}

/** Returns values that mark nulls as `writeValidity` expects. */
function markedNulls(column: TableColumn): ColumnData {
  if (column.type !== 'optionalText') return column.values;
  return Float64Array.from(column.values, (text) => (text === null ? Number.NaN : 0));
}
