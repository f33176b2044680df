/**
 * Tables as an uncompressed Arrow IPC stream of one batch.
 *
 * Loads apache-arrow, which costs a start some 50 ms: import this file only when it is needed.
 */

import {
  batchLayout,
  type ColumnData,
  type ColumnSpec,
  type ColumnType,
} from '../store/serving/batch-layout.ts';
import { arrowSchema, BatchMessage, schemaMessage } from '../store/serving/batch-message.ts';
import { writeValidity } from '../store/serving/validity.ts';
import type { Table, TableColumn } from './table.ts';

export const END_OF_STREAM = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

const COLUMN_TYPES: Record<TableColumn['type'], ColumnType> = {
  timestamp: 'timestamp',
  date: 'date',
  optionalDate: 'date',
  number: 'float64',
  count: 'float64',
  text: 'utf8',
  optionalText: 'utf8',
};

const NEVER_NULL: readonly TableColumn['type'][] = ['timestamp', 'date', 'text'];

function columnSpec({ name, type }: TableColumn): ColumnSpec {
  return { name, type: COLUMN_TYPES[type], nullable: !NEVER_NULL.includes(type) };
}

/** Value offsets, in bytes of UTF-8, and the text of all rows. */
export function encodedTexts(values: readonly string[]): { offsets: Int32Array; text: Buffer } {
  const offsets = new Int32Array(values.length + 1);
  for (let i = 0; i < values.length; i++) {
    offsets[i + 1] = offsets[i] + Buffer.byteLength(values[i]);
  }
  return { offsets, text: Buffer.from(values.join('')) };
}

export function arrowFromTable(table: Table): Buffer {
  const columns = table.map(columnSpec);
  const rowCount = table[0].values.length;
  const texts = table.map((column) => {
    if (column.type === 'text') return encodedTexts(column.values);
    return column.type === 'optionalText' && encodedTexts(column.values.map((text) => text ?? ''));
  });
  const textBytes = texts.flatMap((encoded) => (encoded ? [encoded.text.length] : []));
  const layout = batchLayout(columns, rowCount, textBytes);
  // Buffers are padded, so what lies between them must be zero.
  const body = new Uint8Array(layout.bodyBytes);
  const nullCounts = new Int32Array(columns.length);
  let next = 0;
  const place = (bytes: ArrayBufferView): void => {
    const { buffer, byteOffset, byteLength } = bytes;
    body.set(new Uint8Array(buffer, byteOffset, byteLength), layout.buffers[next++].offset);
  };
  for (const [index, column] of table.entries()) {
    const { values } = column;
    const validity = layout.buffers[next++];
    if (columns[index].nullable) {
      const bitmap = body.subarray(validity.offset, validity.offset + validity.bytes);
      nullCounts[index] = writeValidity(markedNulls(column), 0, rowCount, bitmap);
    }
    const encoded = texts[index];
    if (encoded) {
      place(encoded.offsets);
      place(encoded.text);
    } else {
      place(values as Exclude<typeof values, readonly (string | null)[]>);
    }
  }
  const batch = new BatchMessage(columns);
  batch.write(rowCount, nullCounts, layout);
  return Buffer.concat([schemaMessage(arrowSchema(columns)), batch.bytes, body, END_OF_STREAM]);
}

/** Values in which null is marked as `writeValidity` knows it. */
function markedNulls(column: TableColumn): ColumnData {
  if (column.type !== 'optionalText') return column.values;
  return Float64Array.from(column.values, (text) => (text === null ? Number.NaN : 0));
}
