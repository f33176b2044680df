import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { limits } from '../../../../src/base/limits.ts';
import { inLittleMemory } from '../../../../src/store/duckdb/connection/little-memory.ts';
import { openMarketForWriting } from '../../../../src/store/duckdb/connection/open.ts';
import { useLimits } from '../../../support/use-limits.ts';
import { freshPaths, NOW_MS, query } from '../support/fixtures.ts';

// DuckDB grew to 4 GB everywhere, and a container of 1 GB ended the load.
test('the store has half of the memory of a small container', async () => {
  const spy = vi.spyOn(process, 'constrainedMemory').mockReturnValue(2 ** 30);
  onTestFinished(() => spy.mockRestore());
  using db = await openMarketForWriting(freshPaths(), { verb: 'test', nowMs: NOW_MS });
  expect(await query(db, `SELECT current_setting('memory_limit')`)).toEqual([['512.0 MiB']]);
});

describe('a transaction of many rows', () => {
  useLimits(limits.store, { passingRows: 1000, passingMegabytesMax: 16 });

  test.each([
    ['has little memory until it commits', 1000, 10, ['16.0 MiB', 'all']],
    ['has all where the little was not enough', 1000, 2_500_000, ['16.0 MiB', 'all', 'all']],
    ['is no small one', 999, 2_500_000, ['all', 'all']],
  ])('%s', async (_, rowCount, listed, expected) => {
    using db = await openMarketForWriting(freshPaths(), { verb: 'test', nowMs: NOW_MS });
    const memory = async () => (await query(db, `SELECT current_setting('memory_limit')`))[0][0];
    const all = await memory();
    const seen: unknown[] = [];
    const note = async () => {
      const now = await memory();
      seen.push(now === all ? 'all' : now);
    };
    const count = await inLittleMemory(db.connection, rowCount, async (raise) => {
      await note();
      const rows = await query(db, `SELECT len(list(range)) FROM range(${listed})`);
      await raise();
      await note();
      return rows;
    });
    expect([count, seen]).toEqual([[[listed]], expected]);
    expect(await memory()).toBe(all);
  });
});
