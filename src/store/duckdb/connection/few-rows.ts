/** Loads of few rows, whose time is that of planning statements. */

import { availableParallelism } from 'node:os';
import type { DuckDBConnection } from '@duckdb/node-api';
import { limits } from '../../../base/limits/limits.ts';

/** As they were set here; a store is opened with one for each processor. */
const threadCounts = new WeakMap<DuckDBConnection, number>();

/**
 * Has a store work on one thread of DuckDB where the load is of few rows: the others would look for
 * work that never comes, a quarter of the processor time of a small load, and make it no faster. It
 * stays so until a load of many rows: to change it makes DuckDB give its memory back.
 */
export async function setThreadsFor(connection: DuckDBConnection, rowCount: number): Promise<void> {
  const wanted = rowCount > limits.store.fewRows ? availableParallelism() : 1;
  if ((threadCounts.get(connection) ?? availableParallelism()) === wanted) return;
  await connection.run(`SET threads = ${wanted}`);
  threadCounts.set(connection, wanted);
}
