import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { setThreadsFor } from '../../../../src/store/duckdb/connection/few-rows.ts';
import { openMarketForWriting } from '../../../../src/store/duckdb/connection/open.ts';
import { freshPaths, NOW_MS, query } from '../support/fixtures.ts';

test('few rows are loaded on one thread, many on all, in any order', async () => {
  using db = await openMarketForWriting(freshPaths(), { verb: 'test', nowMs: NOW_MS });
  const threads = () => query(db, `SELECT current_setting('threads')::INTEGER`);
  const all = availableParallelism();
  expect(await threads()).toEqual([[all]]);
  for (const [rowCount, count] of [
    [limits.store.fewRows, 1],
    [0, 1],
    [limits.store.fewRows + 1, all],
    [1_000_000, all],
    [1, 1],
  ]) {
    await setThreadsFor(db.connection, rowCount);
    expect(await threads()).toEqual([[count]]);
  }
});
