import { type DuckDBAppender, DuckDBDataChunk, type DuckDBType } from '@duckdb/node-api';
import { columnOfChunk } from '../../store/duckdb/connection/chunk-columns.ts';

const CHUNK_ROWS = 2048;

/** Appends columns of one length, which have the arrays of their types, to a table. */
export function appendColumns(
  appender: DuckDBAppender,
  types: readonly DuckDBType[],
  columns: readonly (Int32Array | BigInt64Array | Float64Array)[],
): void {
  for (let start = 0; start < columns[0].length; start += CHUNK_ROWS) {
    const end = Math.min(start + CHUNK_ROWS, columns[0].length);
    const chunk = DuckDBDataChunk.create(types, end - start);
    columns.forEach((column, index) => {
      // The column has the chunk's type, so `set` accepts it. The union of types hides that.
      columnOfChunk<Float64Array>(chunk, index).set(column.subarray(start, end) as Float64Array);
      chunk.getColumnVector(index).flush();
    });
    appender.appendDataChunk(chunk);
  }
}
