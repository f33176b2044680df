/** Loads of few rows, whose time is that of planning statements. */

import { availableParallelism } from 'node:os';
import type { DuckDBConnection } from '@duckdb/node-api';
import { limits } from '../../limits.ts';

/**
 * Does the work on one thread of DuckDB where it is of few rows: the others would look for work
 * that never comes, a quarter of the processor time of a small load, and make it no faster.
 */
export async function onThreadsFor<T>(
  connection: DuckDBConnection,
  rowCount: number,
  work: () => Promise<T>,
): Promise<T> {
  if (rowCount > limits.store.fewRows) return work();
  await connection.run('SET threads = 1');
  try {
    return await work();
  } finally {
    // A store that fails says why by the error of the work.
    await connection.run(`SET threads = ${availableParallelism()}`).catch(() => undefined);
  }
}
