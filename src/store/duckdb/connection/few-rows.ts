/** Threads of DuckDB for a load: one for few rows, since planning takes most of its time. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { limits } from '../../../base/limits.ts';
import { availableParallelism } from '../../../base/world/machine.ts';

/** Thread counts set here; a store is opened with one thread for each processor. */
const threadCounts = new WeakMap<DuckDBConnection, number>();

/**
 * Sets one thread for a load of few rows. Idle threads take a quarter of the CPU time of a small
 * load and make it no faster. The setting stays until a load of many rows, since changing it makes
 * DuckDB return its memory.
 */
export async function setThreadsFor(connection: DuckDBConnection, rowCount: number): Promise<void> {
  const wanted = rowCount > limits.store.fewRows ? availableParallelism() : 1;
  if ((threadCounts.get(connection) ?? availableParallelism()) === wanted) return;
  await connection.run(`SET threads = ${wanted}`);
  threadCounts.set(connection, wanted);
}
