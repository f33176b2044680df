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
  await setThreads(connection, rowCount > limits.store.fewRows ? availableParallelism() : 1);
}

/** Runs work on one thread, then sets the count of before. */
export async function onOneThread<T>(
  connection: DuckDBConnection,
  work: () => Promise<T>,
): Promise<T> {
  const before = threadCount(connection);
  await setThreads(connection, 1);
  try {
    return await work();
  } finally {
    await setThreads(connection, before);
  }
}

function threadCount(connection: DuckDBConnection): number {
  return threadCounts.get(connection) ?? availableParallelism();
}

async function setThreads(connection: DuckDBConnection, count: number): Promise<void> {
  if (threadCount(connection) === count) return;
  await connection.run(`SET threads = ${count}`);
  threadCounts.set(connection, count);
}
