import { expect, test, vi } from 'vitest';
import { openMarketForWriting } from '../../../../src/store/duckdb/connection/open.ts';
import { freshPaths, NOW_MS, query } from '../support/fixtures.ts';

// DuckDB grew to 4 GB everywhere, and a container of 1 GB ended the load.
test('the store has half of the memory of a small container', async () => {
  vi.spyOn(process, 'constrainedMemory').mockReturnValue(2 ** 30);
  using db = await openMarketForWriting(freshPaths(), { verb: 'test', nowMs: NOW_MS });
  expect(await query(db, `SELECT current_setting('memory_limit')`)).toEqual([['512.0 MiB']]);
});
