/** A run whose segments travel from a machine that fetches to one that loads. */

import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { queryMarket } from '../../../src/store/duckdb/connection/query.ts';
import { type Storage, useStorage } from '../../fleet/replicas/support.ts';
import { freshFolder } from '../../support/folders.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { startTiingo, type TiingoServer } from '../runner/tiingo-server.ts';
import { symbolsOf } from './travelling-run.ts';

const program = fileURLToPath(new URL('travel-child.ts', import.meta.url));

/** Number of tasks. */
export const COUNT = 3;

interface Ended {
  signal: string | null;
  code: number | null;
  text: string;
}

interface Travels {
  storage: Storage;
  /** Returns the settings of a machine. */
  env(dataDir: string, place: string): Record<string, string>;
  /** Runs `travel-child.ts` on a machine. */
  run(dataDir: string, place: string, ...args: string[]): Promise<Ended>;
  /** Fetches on a machine of its own. */
  fetched(place: string): Promise<void>;
}

export function useTravels(kind: 'file' | 's3'): Travels {
  const storage = useStorage(kind);
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

  function run(dataDir: string, place: string, work: string, ...point: string[]): Promise<Ended> {
    const child = spawn(process.execPath, [program, work, String(COUNT), ...point], {
      env: { PATH: process.env.PATH, ...env(dataDir, place) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    return new Promise((resolve) =>
      child.on('close', (code, signal) => resolve({ code, signal, text })),
    );
  }

  async function fetched(place: string): Promise<void> {
    const dataDir = freshFolder();
    expect(await run(dataDir, place, 'fetch')).toMatchObject({ code: 0 });
    expectNothingLeft(dataDir);
  }
  return { storage, env, run, fetched };
}

/** Checks that no segment stays on a machine that fetches. */
export function expectNothingLeft(dataDir: string): void {
  const { segments, scratch } = modePaths(dataDir, 'live');
  expect(existsSync(segments)).toBe(false);
  expect(readdirSync(scratch)).toEqual([]);
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
