/** Small Arrow files of one record batch, read whole. */

import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CorruptDataError } from '../../errors.ts';
import { batchLayout, type ColumnType } from './batch-layout.ts';
import type { TableRef } from './manifest.ts';
import { bytesForColumns, sharedColumns, type TypedArray } from './shared-columns.ts';
import { columnsOfTable, type TableSpec } from './tables.ts';

/** What a column of a type is held in. */
export const ARRAYS = {
  timestamp: BigInt64Array,
  float64: Float64Array,
  int64: BigInt64Array,
  int32: Int32Array,
  uint32: Uint32Array,
  uint16: Uint16Array,
  uint8: Uint8Array,
  date: Int32Array,
} as const;

interface ArrayOfType {
  timestamp: BigInt64Array;
  float64: Float64Array;
  int64: BigInt64Array;
  int32: Int32Array;
  uint32: Uint32Array;
  uint16: Uint16Array;
  uint8: Uint8Array;
  date: Int32Array;
  utf8: string[];
}

interface ValueOfType {
  timestamp: bigint;
  float64: number | null;
  int64: bigint;
  int32: number;
  uint32: number;
  uint16: number;
  uint8: number;
  date: number;
  utf8: string;
}

/** The columns of a table by name, all of the same length. */
export type TableData<T extends TableSpec> = { [Name in keyof T]: ArrayOfType[T[Name]['type']] };

/** One row of a table. */
export type TableRow<T extends TableSpec> = { [Name in keyof T]: ValueOfType[T[Name]['type']] };

/**
 * Reads a table whole, or takes its columns from another thread that has read it.
 *
 * @returns Columns that are views over one buffer; strings for utf8, made when they are asked for.
 * @throws {CorruptDataError} the bytes do not match the manifest.
 */
export function readTable<T extends TableSpec>(
  folder: string,
  ref: TableRef,
  table: T,
): TableData<T> {
  const path = join(folder, ref.name);
  const columns = sharedColumns(`${path} ${ref.crc32}`, () => readColumns(path, ref, table));
  const data = {} as TableData<T>;
  for (const { name, type } of columnsOfTable(table)) {
    if (type === 'utf8') {
      const offsets = columns[offsetsOf(name)] as Int32Array;
      defineWhenAsked(data, name, () => strings(offsets, columns[name] as Uint8Array));
    } else Object.defineProperty(data, name, { value: columns[name], enumerable: true });
  }
  return data;
}

/** A text column has two: its bytes under its own name, and where each text begins in them. */
function offsetsOf(name: string): string {
  return `${name} offsets`;
}

function readColumns(path: string, ref: TableRef, table: TableSpec): Record<string, TypedArray> {
  const body = readBody(path, ref);
  const specs = columnsOfTable(table);
  const stored = specs.map((spec, i) => ({ ...spec, type: ref.types[i] }));
  const layout = batchLayout(stored, ref.rowCount, ref.textBytes);
  const columns: Record<string, TypedArray> = {};
  for (const [i, { name, type }] of specs.entries()) {
    const { offset } = layout.data[i];
    if (type === 'utf8') {
      const text = layout.buffers[layout.buffers.indexOf(layout.data[i]) + 1];
      columns[offsetsOf(name)] = new Int32Array(body.buffer, offset, ref.rowCount + 1);
      columns[name] = body.subarray(text.offset, text.offset + text.bytes);
    } else {
      const storedType = stored[i].type as Exclude<ColumnType, 'utf8'>;
      // The types of the constructors know no shared memory.
      const memory = body.buffer as ArrayBuffer;
      const values = new ARRAYS[storedType](memory, offset, ref.rowCount);
      columns[name] =
        storedType === type ? values : new ARRAYS[type](values as Uint8Array as never);
    }
  }
  return columns;
}

/** A property that is worked out at its first use: most texts of a version are never looked at. */
function defineWhenAsked(target: object, name: string, value: () => string[]): void {
  let known: string[] | undefined;
  const get = () => {
    known ??= value();
    return known;
  };
  Object.defineProperty(target, name, { get, enumerable: true });
}

function readBody(path: string, ref: TableRef): Uint8Array {
  const body = bytesForColumns(ref.bodyBytes);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, body, 0, body.length, ref.bodyOffset);
  } finally {
    closeSync(fd);
  }
  if (crc32(body) !== ref.crc32) {
    throw new CorruptDataError(`"${path}" does not match its checksum`);
  }
  return body;
}

function strings(offsets: Int32Array, bytes: Uint8Array): string[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString('utf8');
  // With nothing but ASCII, byte offsets are character offsets and one decode serves all rows.
  const slice =
    text.length === buffer.length
      ? (start: number, end: number) => text.slice(start, end)
      : (start: number, end: number) => buffer.toString('utf8', start, end);
  return Array.from({ length: offsets.length - 1 }, (_, i) => slice(offsets[i], offsets[i + 1]));
}
