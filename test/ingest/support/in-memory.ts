import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';

/** One for all tests of a file: opening one takes longer than their statements. */
const MEMORY = DuckDBInstance.create(':memory:');

/** Runs statements on a connection of their own; what it makes goes with it. */
export async function inMemory<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const connection = await (await MEMORY).connect();
  try {
    return await work(connection);
  } finally {
    connection.disconnectSync();
  }
}
