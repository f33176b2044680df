/** Small Arrow files of one record batch, read whole. */

import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CorruptDataError } from '../../../base/errors.ts';
import { doneAtOnce, isPieceEnd, type Work } from '../../../base/turns.ts';
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

/** Bytes that are read and checked at a time. */
const PIECE_BYTES = 128 * 1024;

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
  return doneAtOnce(readingTable(folder, ref, table));
}

/** The same, giving way. */
export function* readingTable<T extends TableSpec>(
  folder: string,
  ref: TableRef,
  table: T,
): Work<TableData<T>> {
  const path = join(folder, ref.name);
  const key = `${path} ${ref.crc32}`;
  const columns = yield* sharedColumns(key, () => readingColumns(path, ref, table));
  const data = {} as TableData<T>;
  for (const { name, type } of columnsOfTable(table)) {
    if (type === 'utf8') {
      const offsets = columns[offsetsOf(name)] as Int32Array;
      defineWhenAsked(data, name, () => makingTexts(offsets, columns[name] as Uint8Array));
    } else Object.defineProperty(data, name, { value: columns[name], enumerable: true });
  }
  return data;
}

/** A text column has two: its bytes under its own name, and where each text begins in them. */
function offsetsOf(name: string): string {
  return `${name} offsets`;
}

function* readingColumns(
  path: string,
  ref: TableRef,
  table: TableSpec,
): Work<Record<string, TypedArray>> {
  const body = yield* readingBody(path, ref);
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

/** Of tables, by column: makes the texts, or gives those that are made. */
const textsOfTables = new WeakMap<object, Map<string, () => Work<readonly string[]>>>();

/** Makes texts of a table that somebody would wait for. */
export function* makeTexts<T extends TableSpec>(
  data: TableData<T>,
  names: readonly (keyof T & string)[],
): Work<void> {
  const texts = textsOfTables.get(data);
  for (const name of names) {
    const making = texts?.get(name);
    if (making) yield* making();
  }
}

/** A property that is worked out at its first use: most texts of a version are never looked at. */
function defineWhenAsked(target: object, name: string, make: () => Work<string[]>): void {
  let known: string[] | undefined;
  function* making(): Work<string[]> {
    const texts = known ?? (yield* make());
    known ??= texts;
    return known;
  }
  Object.defineProperty(target, name, {
    get: () => known ?? doneAtOnce(making()),
    enumerable: true,
  });
  const others = textsOfTables.get(target) ?? new Map();
  textsOfTables.set(target, others.set(name, making));
}

function* readingBody(path: string, ref: TableRef): Work<Uint8Array> {
  const body = bytesForColumns(ref.bodyBytes);
  const fd = openSync(path, 'r');
  let sum = 0;
  try {
    for (let at = 0; at < body.length; at += PIECE_BYTES) {
      const piece = body.subarray(at, at + PIECE_BYTES);
      readSync(fd, piece, 0, piece.length, ref.bodyOffset + at);
      sum = crc32(piece, sum);
      yield;
    }
  } finally {
    closeSync(fd);
  }
  if (sum !== ref.crc32) {
    throw new CorruptDataError(`"${path}" does not match its checksum`);
  }
  return body;
}

function* makingTexts(offsets: Int32Array, bytes: Uint8Array): Work<string[]> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = buffer.toString('utf8');
  // With nothing but ASCII, byte offsets are character offsets and one decode serves all rows.
  const slice =
    text.length === buffer.length
      ? (start: number, end: number) => text.slice(start, end)
      : (start: number, end: number) => buffer.toString('utf8', start, end);
  const texts: string[] = [];
  for (let row = 0; row + 1 < offsets.length; row++) {
    texts.push(slice(offsets[row], offsets[row + 1]));
    if (isPieceEnd(row)) yield;
  }
  return texts;
}
