import type { DuckDBDataChunk, DuckDBResult, DuckDBValue } from '@duckdb/node-api';
import type { MarketDb } from './open.ts';

/**
 * Returns a view over the chunk's memory, without validity: the query must give no NULLs.
 *
 * @typeParam T Float64Array for DOUBLE, Int32Array for INTEGER, BigInt64Array for TIMESTAMP.
 */
export function columnOfChunk<T extends Float64Array | Int32Array | BigInt64Array>(
  chunk: DuckDBDataChunk,
  index: number,
): T {
  // The array is there at run time but private in the type (duckdb-node-neo#361); getItem per
  // value is ten times slower.
  return (chunk.getColumnVector(index) as unknown as { items: T }).items;
}

/** Yields chunks of a streamed result; the next one is fetched while the caller works on one. */
export async function* chunksOf(result: DuckDBResult): AsyncGenerator<DuckDBDataChunk> {
  let next = result.fetchChunk();
  try {
    for (;;) {
      const chunk = await next;
      if (!chunk || chunk.rowCount === 0) return;
      next = result.fetchChunk();
      yield chunk;
    }
  } finally {
    // A connection must not close under a fetch.
    await next.catch(() => undefined);
  }
}

/** Streams the chunks of a query over a connection of its own. */
export async function* streamChunks(
  db: MarketDb,
  sql: string,
  values?: DuckDBValue[],
): AsyncGenerator<DuckDBDataChunk> {
  const connection = await db.connect();
  try {
    yield* chunksOf(await connection.stream(sql, values));
  } finally {
    connection.disconnectSync();
  }
}
