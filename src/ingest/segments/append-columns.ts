/**
 * Appends typed-array columns to a DuckDB table in chunks of its vector size, without row objects.
 */

import {
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  INTEGER,
  TIMESTAMP,
} from '@duckdb/node-api';
import type { BarColumns } from '../../base/bars.ts';
import { columnOfChunk } from '../../store/duckdb/connection/chunk-columns.ts';

const CHUNK_ROWS = 2048;
const CHUNK_TYPES = [INTEGER, INTEGER, TIMESTAMP, DOUBLE, DOUBLE, DOUBLE, DOUBLE, DOUBLE];

/**
 * Creates the temporary table `appended` (series INTEGER, line INTEGER, ts TIMESTAMP, open, high,
 * low, close, volume DOUBLE). `series` is the index in `all`; `line` counts from 1 within a series.
 */
export async function appendBars(
  connection: DuckDBConnection,
  all: readonly BarColumns[],
): Promise<void> {
  await connection.run(`CREATE OR REPLACE TEMP TABLE appended (series INTEGER, line INTEGER,
    ts TIMESTAMP, open DOUBLE, high DOUBLE, low DOUBLE, close DOUBLE, volume DOUBLE)`);
  const appender = await connection.createAppender('appended');
  try {
    all.forEach((bars, series) => {
      for (let start = 0; start < bars.close.length; start += CHUNK_ROWS) {
        appender.appendDataChunk(chunkOf(series, bars, start));
      }
    });
  } finally {
    appender.closeSync();
  }
}

function chunkOf(series: number, bars: BarColumns, start: number): DuckDBDataChunk {
  const end = Math.min(start + CHUNK_ROWS, bars.close.length);
  const chunk = DuckDBDataChunk.create(CHUNK_TYPES, end - start);
  const columns = [
    new Int32Array(end - start).fill(series),
    Int32Array.from({ length: end - start }, (_, i) => start + i + 1),
    ...[bars.timestampUs, bars.open, bars.high, bars.low, bars.close, bars.volume].map((column) =>
      column.subarray(start, end),
    ),
  ];
  columns.forEach((column, index) => {
    // The column has the chunk's type, so `set` accepts it. The union of types hides that.
    columnOfChunk<Float64Array>(chunk, index).set(column as Float64Array);
    chunk.getColumnVector(index).flush();
  });
  return chunk;
}
