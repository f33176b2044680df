/** The log of a worker, and the secrets that neither it nor Redis ever holds. */

import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliFolder, createCliFolder } from '../../cli/support/run-cli.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';
import { startTiingo, type TiingoServer } from '../runner/tiingo-server.ts';

const KEY = 'vendor-key-that-must-stay-secret';
const SYMBOLS = Array.from({ length: 15 }, (_, i) => `S${i + 10}`);

describe.skipIf(!redisServer)('the log of a worker', () => {
  let redis: RunningRedis;
  let vendor: TiingoServer;
  let folder: CliFolder;
  let log = '';

  beforeAll(async () => {
    redis = await startRedis();
    vendor = await startTiingo();
    folder = createCliFolder({
      ...{ ...vendor.env, TAPEWORKS_TIINGO_KEY: KEY, TAPEWORKS_ALPACA_KEY: `id:${KEY}` },
      ...{ TAPEWORKS_REDIS_URL: redis.url, TAPEWORKS_LOG_LEVEL: 'info' },
    });
    const worker = folder.spawn('worker');
    worker.stderr?.on('data', (chunk) => {
      log += chunk;
    });
    const range = ['--from', '2024-01-01', '--to', '2024-01-06'];
    await folder.json('backfill', 'tiingo', '--symbols', SYMBOLS.join(','), ...range);
    const ended = new Promise((resolve) => worker.once('close', resolve));
    worker.kill('SIGTERM');
    await ended;
  });
  afterAll(async () => {
    await folder.remove();
    await vendor.close();
    await redis.remove();
  });

  const lines = () =>
    log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'job');

  it('names job, plan, source and mode, and how long it took', () => {
    const fetches = lines().filter(({ queue, source }) => queue === 'fetch' && source !== 'gate');
    expect(fetches).toHaveLength(2);
    for (const line of fetches) {
      expect(line).toMatchObject({ source: 'tiingo', mode: 'live', outcome: 'done' });
      expect(line.job.startsWith(`${line.plan}-`)).toBe(true);
      expect(line.durationMs).toBeGreaterThanOrEqual(0);
    }
  });

  it('says what a load has loaded and refused', () => {
    const [load] = lines().filter(({ queue }) => queue === 'load');
    expect(load).toMatchObject({ source: 'tiingo', mode: 'live', outcome: 'done', rejected: 0 });
    expect(load.job).toBe(load.plan);
    expect(load.rows).toBeGreaterThan(0);
  });

  it('holds no key of a vendor, and neither does Redis', async () => {
    expect(log).not.toContain(KEY);
    const client = new Redis(redis.url);
    const keys = await client.keys('*');
    expect(keys.length).toBeGreaterThan(0);
    // As text: what Redis dumps is compressed.
    const texts = await Promise.all(
      keys.map(async (key) => {
        const type = await client.type(key);
        if (type === 'hash') return JSON.stringify(await client.hgetall(key));
        return type === 'string' ? await client.get(key) : String(await client.dump(key));
      }),
    );
    expect(texts.some((text) => text?.includes('tiingo'))).toBe(true);
    expect(keys.filter((key, i) => `${key} ${texts[i]}`.includes(KEY))).toEqual([]);
    client.disconnect();
  });
});
