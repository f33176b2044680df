/**
 * Writes tables as one Parquet file, column by column: a row group of each table is all that takes
 * memory.
 *
 * It loads hyparquet-writer: import this file only on use.
 */

import { constants, zstdCompressSync } from 'node:zlib';
import type { DecodedArray, RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { encodeNestedValues } from 'hyparquet-writer/src/dremel.js';
import { schemaPathResolver } from 'hyparquet-writer/src/schema.js';
import { limits } from '../../base/limits.ts';
import { NULL_INT, NULL_MICROS } from '../../store/arrow/format/batch-layout.ts';
import type { Table, TableColumn } from './table.ts';

/** In both forms: statistics of Delta tables ignore a text that has the older one alone. */
const TEXT = {
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
} as const satisfies Omit<SchemaElement, 'name'>;

const MOMENT = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MICROS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
} as const satisfies Omit<SchemaElement, 'name'>;

const TYPES: Record<TableColumn['type'], Omit<SchemaElement, 'name'>> = {
  timestamp: { ...MOMENT, repetition_type: 'REQUIRED' },
  optionalTimestamp: { ...MOMENT, repetition_type: 'OPTIONAL' },
  date: { type: 'INT32', converted_type: 'DATE', repetition_type: 'REQUIRED' },
  optionalDate: { type: 'INT32', converted_type: 'DATE', repetition_type: 'OPTIONAL' },
  number: { type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  volume: { type: 'DOUBLE', repetition_type: 'OPTIONAL' },
  integer: { type: 'INT64', repetition_type: 'OPTIONAL' },
  flag: { type: 'BOOLEAN', repetition_type: 'OPTIONAL' },
  text: { ...TEXT, repetition_type: 'REQUIRED' },
  optionalText: { ...TEXT, repetition_type: 'OPTIONAL' },
};

const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: limits.parquet.zstdLevel } };
const compressors = { ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes, COMPRESSION) };

/** Columns that sort the rows of a file, by position. */
export type SortedBy = readonly number[];

/**
 * Writes a file, compressed with zstd; every column chunk has statistics. A file without rows has
 * one row group without rows.
 *
 * @param tables Row groups of the same columns; at least one, which may have no rows. A table is
 *   requested once the one before is written, so its memory can be reused.
 * @param sortedBy Recorded for readers; not checked.
 * @returns Pieces of one column chunk each. A piece is valid until the next one is requested.
 */
export function* parquetPieces(
  tables: Iterable<Table>,
  sortedBy: SortedBy = [],
): Generator<Uint8Array> {
  const writer = new ByteWriter();
  let file: ParquetWriter | undefined;
  let last: Table | undefined;
  for (const table of tables) {
    file ??= new ParquetWriter({
      writer,
      schema: schemaOf(table),
      codec: 'ZSTD',
      compressors,
      createdBy: 'tapeworks',
    });
    last = table;
    if (table[0].values.length > 0) yield* rowGroup(file, writer, table, sortedBy);
  }
  // Without any row group, readers in Rust refuse the file: see `sortingColumns`.
  if (file && last && file.row_groups.length === 0) yield* rowGroup(file, writer, last, sortedBy);
  file?.finish();
  yield taken(writer);
}

/** Writes a table as a file of one row group. */
export function parquetFromTable(table: Table): Buffer {
  return Buffer.concat(Array.from(parquetPieces([table]), (piece) => Buffer.from(piece)));
}

function schemaOf(table: Table): SchemaElement[] {
  const fields = table.map((column): SchemaElement => {
    const element = { name: column.name, ...TYPES[column.type] };
    return isKnown(column) ? { ...element, repetition_type: 'REQUIRED' } : element;
  });
  return [{ name: 'root', num_children: fields.length }, ...fields];
}

function isKnown(column: TableColumn): boolean {
  return (column.type === 'number' || column.type === 'volume') && column.isKnown === true;
}

function* rowGroup(
  file: ParquetWriter,
  writer: ByteWriter,
  table: Table,
  sortedBy: SortedBy,
): Generator<Uint8Array> {
  const pathOf = schemaPathResolver(file.schema);
  const start = writer.offset;
  const chunks = [];
  for (const column of table) {
    const path = pathOf([column.name]);
    const elements = path.map(({ element }) => element);
    const result = writeColumn({
      writer,
      column: {
        columnName: column.name,
        element: elements[1],
        schemaPath: elements,
        codec: 'ZSTD',
        compressors,
        stats: true,
        pageSize: limits.parquet.pageBytes,
        columnIndex: false,
        offsetIndex: false,
        encoding: column.type === 'number' || column.type === 'volume' ? 'PLAIN' : undefined,
      },
      pageData: encodeNestedValues(path, storedValues(column)),
    });
    chunks.push(result.chunk);
    file.pendingIndexes.push(result);
    yield taken(writer);
  }
  const rowCount = BigInt(table[0].values.length);
  file.num_rows += rowCount;
  file.row_groups.push({
    columns: chunks,
    total_byte_size: chunks.reduce(
      (sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n),
      0n,
    ),
    total_compressed_size: BigInt(writer.offset - start),
    num_rows: rowCount,
    sorting_columns: sortingColumns(sortedBy),
  });
}

/**
 * Returns how rows are sorted; undefined if they are not. The writer declares the elements of an
 * empty list as bytes, which Thrift allows and readers in Rust refuse.
 */
function sortingColumns(sortedBy: SortedBy): RowGroup['sorting_columns'] {
  if (sortedBy.length === 0) return undefined;
  return sortedBy.map((column) => ({ column_idx: column, descending: false, nulls_first: false }));
}

/** Returns the bytes since the last call, and gives their memory to the next ones. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes();
  writer.index = 0;
  return bytes;
}

/** Returns values as the writer expects them, with null for those that are unknown. */
function storedValues(column: TableColumn): DecodedArray {
  switch (column.type) {
    case 'number':
    case 'volume':
      if (column.isKnown) return column.values;
      return Array.from(column.values, (value) => (Number.isFinite(value) ? value : null));
    case 'integer':
      return Array.from(column.values, (value) => (Number.isNaN(value) ? null : BigInt(value)));
    case 'flag':
      return Array.from(column.values, (flag) => (Number.isNaN(flag) ? null : flag === 1));
    case 'optionalTimestamp':
      return Array.from(column.values, (us) => (us === NULL_MICROS ? null : us));
    case 'optionalDate':
      return Array.from(column.values, (day) => (day === NULL_INT ? null : day));
    default:
      return column.values as DecodedArray;
  }
}
