/** Small Arrow files of one record batch, read whole. */

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { CorruptDataError } from '../../../base/errors.ts';
import { readAgain } from '../../../base/read-again.ts';
import { firstNotBefore } from '../../../base/search-sorted.ts';
import { closeSync, openSync, readSync } from '../../../base/world/files.ts';
import { batchLayout, NULL_INT, NULL_MICROS, type StoredType } from './batch-layout.ts';
import type { TableRef } from './manifest-types.ts';
import { columnsOfTable, type TableSpec } from './tables.ts';

/** Typed array that holds a column of each type. */
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

type ArrayOf<T extends StoredType> = T extends keyof typeof ARRAYS
  ? InstanceType<(typeof ARRAYS)[T]>
  : string[];

export type TableData<T extends TableSpec> = { [Name in keyof T]: ArrayOf<T[Name]['type']> };

export type TableRow<T extends TableSpec> = {
  [Name in keyof T]:
    | ArrayOf<T[Name]['type']>[number]
    | (T[Name]['nullable'] extends true ? null : never);
};

/** Null in the data of a column, by type; a text without one is empty. */
const NULLS: Partial<Record<StoredType, unknown>> = {
  timestamp: NULL_MICROS,
  float64: Number.NaN,
  date: NULL_INT,
  utf8: '',
};

/** Makes the columns of a small table; null becomes the null of its column. */
export function columnsFromRows<T extends TableSpec>(
  table: T,
  rows: readonly { [Name in keyof T]: TableRow<T>[Name] | null }[],
): TableData<T> {
  const columns = columnsOfTable(table).map(({ name, type }) => {
    const values = rows.map((row) => row[name] ?? NULLS[type]);
    if (type === 'utf8') return [name, values];
    return [name, new (ARRAYS[type] as typeof Float64Array)(values as number[])];
  });
  return Object.fromEntries(columns);
}

/** Returns one row as an object: not for hot paths. */
export function rowAt<T extends TableSpec>(table: T, data: TableData<T>, row: number): TableRow<T> {
  const values = columnsOfTable(table).map(({ name, type, nullable }) => {
    const value = data[name][row];
    return [name, nullable && Object.is(value, NULLS[type]) ? null : value];
  });
  return Object.fromEntries(values);
}

/** A utf8 column as it is in the file: `offsets` delimit the texts in `bytes`. */
interface EncodedTexts {
  offsets: Int32Array;
  bytes: Buffer;
}

const encodedTexts = new WeakMap<object, Record<string, EncodedTexts>>();

/**
 * Returns the first row of an ascending utf8 column whose text is not below `wanted`, without making
 * strings of the others: some 2 µs.
 *
 * @param near A row that is not behind the wanted one, and few rows before it.
 */
export function firstRowOf<T extends TableSpec>(
  table: TableData<T>,
  column: keyof T & string,
  wanted: string,
  near?: number,
): number {
  const { offsets, bytes } = encodedTexts.get(table)![column];
  const target = Buffer.from(wanted);
  const rowCount = offsets.length - 1;
  const isBelow = (row: number) =>
    bytes.compare(target, 0, target.length, offsets[row], offsets[row + 1]) < 0;
  let low = near ?? 0;
  let high = near ?? rowCount;
  for (let step = 1; near !== undefined && high < rowCount && isBelow(high); step *= 2) {
    low = high + 1;
    high = Math.min(rowCount, high + step);
  }
  return firstNotBefore(low, high, isBelow);
}

/**
 * Reads a table whole. A file of an older version lacks the newest columns; they are all null.
 *
 * @returns Columns that are views over one buffer. The strings of a utf8 column are made when they
 *   are first read: most texts of a version never are.
 * @throws {CorruptDataError} The bytes do not match the manifest.
 */
export function readTable<T extends TableSpec>(
  folder: string,
  ref: TableRef,
  table: T,
): TableData<T> {
  return tableFromBody(readBody(folder, ref), ref, table);
}

/** Reads a table from the bytes of its record batch; see `readTable`. */
export function tableFromBody<T extends TableSpec>(
  body: ArrayBuffer,
  ref: TableRef,
  table: T,
): TableData<T> {
  const specs = columnsOfTable(table);
  const stored = specs.slice(0, ref.types.length).map((spec, i) => {
    return { ...spec, type: ref.types[i] };
  });
  const { buffers, data } = batchLayout(stored, ref.rowCount, ref.textBytes);
  const columns = {} as TableData<T>;
  for (const [i, { name, type }] of specs.entries()) {
    if (i >= stored.length) {
      defineLazily(columns, name, () => Array(ref.rowCount).fill(NULLS[type]));
      continue;
    }
    const { offset } = data[i];
    if (type === 'utf8') {
      const text = buffers[buffers.indexOf(data[i]) + 1];
      const offsets = new Int32Array(body, offset, ref.rowCount + 1);
      const bytes = Buffer.from(body, text.offset, text.bytes);
      defineLazily(columns, name, () => textsFromBytes(offsets, bytes));
      encodedTexts.set(columns, { ...encodedTexts.get(columns), [name]: { offsets, bytes } });
    } else {
      const storedType = stored[i].type as Exclude<StoredType, 'utf8'>;
      const values = new ARRAYS[storedType](body, offset, ref.rowCount);
      const value = storedType === type ? values : new ARRAYS[type](values as Uint8Array as never);
      Object.defineProperty(columns, name, { value, enumerable: true });
    }
  }
  return columns;
}

/** Reads the bytes of the record batch of a table. @throws {CorruptDataError} as `readTable`. */
export function readBody(folder: string, ref: TableRef): ArrayBuffer {
  return readAgain(() => readBodyOnce(folder, ref));
}

function readBodyOnce(
  folder: string,
  { name, bodyOffset, bodyBytes, crc32: expected }: TableRef,
): ArrayBuffer {
  const path = join(folder, name);
  const body = new Uint8Array(bodyBytes);
  const fd = openSync(path, 'r');
  try {
    readSync(fd, body, 0, bodyBytes, bodyOffset);
  } finally {
    closeSync(fd);
  }
  if (crc32(body) !== expected) {
    throw new CorruptDataError(`"${path}" does not match its checksum`);
  }
  return body.buffer;
}

/** Defines a property that is computed at its first read. */
function defineLazily(target: object, name: string, compute: () => string[]): void {
  let known: string[] | undefined;
  Object.defineProperty(target, name, {
    get() {
      known ??= compute();
      return known;
    },
    enumerable: true,
  });
}

function textsFromBytes(offsets: Int32Array, bytes: Buffer): string[] {
  const text = bytes.toString('utf8');
  // In pure ASCII, byte offsets are character offsets and one decode serves all rows.
  const isAscii = text.length === bytes.length;
  const texts: string[] = [];
  for (let row = 0; row + 1 < offsets.length; row++) {
    const [start, end] = [offsets[row], offsets[row + 1]];
    texts.push(isAscii ? text.slice(start, end) : bytes.toString('utf8', start, end));
  }
  return texts;
}
