/** A run whose segments travel from a machine that fetches to one that loads. */

import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect } from 'vitest';
import { fetchTask } from '../../../jobs/processors/fetch.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { modePaths, workPaths } from '../../../src/base/config/data-dir.ts';
import { queryMarket } from '../../../src/store/duckdb/connection/query.ts';
import { type Storage, useStorage } from '../../fleet/replicas/support.ts';
import { freshFolder } from '../../support/folders.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { startTiingo, type TiingoServer } from '../runner/tiingo-server.ts';
import { runOf, symbolsOf } from './travelling-run.ts';

/** Number of tasks. */
export const COUNT = 3;

interface Travels {
  storage: Storage;
  /** Returns the settings of a machine. */
  env(dataDir: string, place: string): Record<string, string>;
  /** Fetches on a machine of its own. */
  fetched(place: string): Promise<void>;
}

export function useTravels(): Travels {
  const storage = useStorage('file');
  let vendor: TiingoServer;
  let redis: RunningRedis;
  beforeAll(async () => {
    [vendor, redis] = await Promise.all([startTiingo(), startRedis()]);
  });
  afterAll(async () => {
    await vendor?.close();
    await redis?.remove();
  });

  const env = (dataDir: string, place: string) => ({
    ...{ ...vendor.env, ...storage.env(), TAPEWORKS_DATA_DIR: dataDir },
    ...{ TAPEWORKS_SEGMENTS_URL: storage.url(place), TAPEWORKS_TIINGO_LIMIT: '1000/1' },
    TAPEWORKS_REDIS_URL: redis.url,
  });

  async function fetched(place: string): Promise<void> {
    const settings = settingsFromEnv(env(freshFolder(), place));
    const paths = workPaths(settings, 'live');
    const run = runOf(COUNT);
    for (const [index, { slice }] of run.tasks.entries()) {
      const job = { plan: run.id, createdMs: run.createdMs, index, source: run.source, slice };
      await fetchTask(job, { paths, settings, nowMs: Date.parse('2024-01-10T12:00:00Z') });
    }
    // No segment stays on a machine that fetches.
    expect(existsSync(paths.segments)).toBe(false);
    expect(readdirSync(paths.scratch)).toEqual([]);
  }
  return { storage, env, fetched };
}

/** Checks that a machine has every row and every load once, and keeps the segments. */
export async function expectStoredOnce(dataDir: string): Promise<void> {
  const paths = modePaths(dataDir, 'live');
  const bars = await queryMarket(
    paths,
    'SELECT symbol, count(*)::INTEGER AS bars FROM candles GROUP BY symbol ORDER BY symbol',
  );
  expect(bars.rows).toEqual(symbolsOf(COUNT).map((symbol) => ({ symbol, bars: 4 })));
  const loads = await queryMarket(paths, 'SELECT count(*)::INTEGER AS loads FROM segments');
  expect(loads.rows).toEqual([{ loads: COUNT }]);
  const kept = readdirSync(paths.segments).filter((name) => name.endsWith('.parquet'));
  expect(kept).toHaveLength(COUNT);
}
