/**
 * Layout of a record batch's body. It follows from the columns and the row count alone, so the
 * reader finds a column without parsing Arrow metadata.
 *
 * Each column has a validity bitmap (nullable columns only, always written), value offsets (utf8
 * only) and data. Every buffer starts at a multiple of 64 bytes.
 */

export type ColumnType =
  | 'timestamp' // microseconds, UTC
  | 'float64'
  | 'int64'
  | 'int32'
  | 'uint32'
  | 'uint16'
  | 'uint8'
  | 'date' // days since the epoch
  | 'bool' // a bit a row; in responses only
  | 'utf8';

/** Types of columns in tables of published files. */
export type StoredType = Exclude<ColumnType, 'bool'>;

export interface ColumnSpec<T extends ColumnType = ColumnType> {
  name: string;
  type: T;
  /**
   * Null is NaN in float64 data, `NULL_INT` in date data and `NULL_MICROS` in timestamp data, as
   * well as a cleared bit of the bitmap.
   */
  nullable: boolean;
}

export type ColumnData =
  | Float64Array
  | BigInt64Array
  | Int32Array
  | Uint32Array
  | Uint16Array
  | Uint8Array
  | readonly string[];

export function isText(data: ColumnData): data is readonly string[] {
  return Array.isArray(data);
}

/** Null in the data of a nullable `date` column. */
export const NULL_INT = -2147483648;

/** Null in the data of a nullable `timestamp` column. */
export const NULL_MICROS = -9_223_372_036_854_775_808n;

const WIDTH_BYTES: Record<ColumnType, number> = {
  timestamp: 8,
  float64: 8,
  int64: 8,
  int32: 4,
  uint32: 4,
  uint16: 2,
  uint8: 1,
  date: 4,
  bool: 1 / 8,
  utf8: 4,
};

const ALIGNMENT_BYTES = 64;

export function alignedBytes(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}

export interface BufferRange {
  offset: number;
  bytes: number;
}

export interface BatchLayout {
  /** In Arrow's order: per column validity, (utf8: value offsets,) data. */
  buffers: BufferRange[];
  /** Data of each column; for a utf8 column its value offsets, which the text follows. */
  data: BufferRange[];
  bodyBytes: number;
}

/** Computes the layout of a batch. `textBytes` has the length of the text of each utf8 column. */
export function batchLayout(
  columns: readonly ColumnSpec[],
  rowCount: number,
  textBytes: readonly number[] = [],
): BatchLayout {
  const buffers: BufferRange[] = [];
  const data: BufferRange[] = [];
  let offset = 0;
  let texts = 0;
  const place = (bytes: number): BufferRange => {
    const range = { offset, bytes };
    buffers.push(range);
    offset += alignedBytes(bytes);
    return range;
  };
  for (const { type, nullable } of columns) {
    place(nullable ? Math.ceil(rowCount / 8) : 0);
    if (type === 'utf8') {
      data.push(place((rowCount + 1) * WIDTH_BYTES.utf8));
      place(textBytes[texts++]);
    } else {
      data.push(place(Math.ceil(rowCount * WIDTH_BYTES[type])));
    }
  }
  return { buffers, data, bodyBytes: offset };
}

/**
 * Returns the byte offset of one column's data in a body without utf8 columns; the body's length
 * for `columns.length`. Allocates nothing.
 */
export function dataOffset(
  columns: readonly ColumnSpec[],
  rowCount: number,
  column: number,
): number {
  let offset = 0;
  for (let i = 0; i < column; i++) {
    if (columns[i].nullable) offset += alignedBytes(rowCount / 8);
    offset += alignedBytes(rowCount * WIDTH_BYTES[columns[i].type]);
  }
  return columns[column]?.nullable ? offset + alignedBytes(rowCount / 8) : offset;
}
