/** Little memory for many rows that only pass: DuckDB keeps all blocks that its limit allows. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { limits } from '../../../base/limits.ts';
import { memoryLimit } from './open.ts';

/**
 * Runs a transaction of many rows with little memory. Where that is not enough, it is rolled back
 * and runs once more with all.
 *
 * @param work Calls `raise` before it commits: a commit can't be repeated.
 */
export async function inLittleMemory<T>(
  connection: DuckDBConnection,
  rowCount: number,
  work: (raise: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const { passingMegabytesMax, passingRows } = limits.store;
  if (rowCount < passingRows) return work(async () => {});
  const set = async (megabytes?: number) => {
    await connection.run(`SET memory_limit = '${memoryLimit(megabytes)}'`);
  };
  let isLittle = true;
  const raise = async () => {
    if (isLittle) await set();
    isLittle = false;
  };
  try {
    await set(passingMegabytesMax);
    return await work(raise);
  } catch (error) {
    if (!isLittle || !isOutOfMemory(error)) throw error;
    await raise();
    return await work(raise);
  } finally {
    await raise();
  }
}

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Out of Memory Error');
}
