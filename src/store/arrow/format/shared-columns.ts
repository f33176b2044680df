/**
 * Columns that follow from published files alone, made by one thread of a server and used by all
 * of them. Nobody depends on it: who was given nothing makes them itself.
 */

import { crc32 } from 'node:zlib';
import type { Work } from '../../../base/turns.ts';

export type TypedArray =
  | BigInt64Array
  | Float64Array
  | Int32Array
  | Uint32Array
  | Uint16Array
  | Uint8Array;

/** Columns by name, some of them together under one. They are never changed once they are made. */
export type Columns = { [name: string]: TypedArray | Columns };

/** Columns by what they are of; a message can carry them, and their memory stays one. */
export type ColumnsByKey = ReadonlyMap<string, Columns>;

let given: ColumnsByKey = new Map();
let collected: Map<string, Columns> | undefined;

/** The columns that are given from now on, in place of earlier ones. */
export function giveColumns(columns: ColumnsByKey): void {
  given = columns;
}

/** Copies columns into memory that threads can share, unless they are there already. */
function inSharedMemory(columns: Columns): Columns {
  const copies = Object.entries(columns).map(([name, column]) => [
    name,
    ArrayBuffer.isView(column) ? copyOf(column) : inSharedMemory(column),
  ]);
  return Object.fromEntries(copies);
}

function copyOf(column: TypedArray): TypedArray {
  if (column.buffer instanceof SharedArrayBuffer) return column;
  const memory = new SharedArrayBuffer(column.byteLength);
  new Uint8Array(memory).set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  const SameArray = column.constructor as new (memory: SharedArrayBuffer) => TypedArray;
  return new SameArray(memory);
}

/**
 * Columns that were given, or that `make` makes.
 *
 * @param key What they are of: equal keys have equal columns, in all threads and versions.
 * @param make Its interface has nothing but what `Columns` can hold.
 */
export function* sharedColumns<T extends object>(key: string, make: () => Work<T>): Work<T> {
  const known = given.get(key) as T | undefined;
  const made = known ?? (yield* make());
  if (!collected) return made;
  const columns = known ?? inSharedMemory(made as Columns);
  collected.set(key, columns as Columns);
  return columns as T;
}

/** Memory that columns are read into: such as needs no copy where columns are collected. */
export function bytesForColumns(byteCount: number): Uint8Array {
  return new Uint8Array(collected ? new SharedArrayBuffer(byteCount) : new ArrayBuffer(byteCount));
}

/** A part of keys for what follows from these columns: two versions or modes differ in it. */
export function contentKey(columns: readonly TypedArray[]): string {
  const bytes = columns.map((one) => new Uint8Array(one.buffer, one.byteOffset, one.byteLength));
  return String(bytes.reduce((sum, part) => crc32(part, sum), 0));
}

/** Does some work of this thread. @returns the columns that it has used, for other threads. */
export function columnsUsedBy(work: () => void): ColumnsByKey {
  const used = new Map<string, Columns>();
  collected = used;
  try {
    work();
  } finally {
    collected = undefined;
  }
  return used;
}
