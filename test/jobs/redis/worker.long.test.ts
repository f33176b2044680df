/** Workers while Redis fails, and workers that are stopped. */

import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { queryMarket } from '../../../src/store/duckdb/connection/query.ts';
import { redisServer } from '../../support/tools.ts';
import { BACKFILL, useWorkers } from './workers-fixture.ts';

describe.skipIf(!redisServer)('workers', () => {
  const fixture = useWorkers();

  it('wait for Redis, where commands that add jobs fail at once', async () => {
    const { folder, redis, startWorker } = fixture;
    await redis.kill();
    const { code, stderr } = await folder.run(...BACKFILL);
    expect(code).toBe(1);
    expect(stderr).toContain(`Redis at ${redis.url}`);
    expect(stderr).toContain('does not answer');
    const worker = startWorker(folder);
    await worker.said('waits for Redis');
    await redis.start();
    expect(await folder.json(...BACKFILL)).toMatchObject({ segments: 15 });
  });

  it('survive a Redis that dies and comes back while they work', async () => {
    const { folder, redis, startWorker, vendor } = fixture;
    startWorker(folder);
    vendor.hold('S12');
    const report = folder.json(...BACKFILL);
    await vendor.untilAsked('S12');
    await redis.restart();
    vendor.release('S12');
    expect(await report).toMatchObject({ segments: 15, deadJobs: [] });
    const paths = modePaths(folder.dataDir, 'live');
    expect((await queryMarket(paths, 'SELECT 1 FROM candles')).rows).toHaveLength(60);
  });

  it('take jobs again after all connections were killed, also while nothing was to do', async () => {
    const { folder, redis, startWorker } = fixture;
    const worker = startWorker(folder);
    await worker.said('loads into the store');
    const client = new Redis(redis.url);
    for (const type of ['normal', 'pubsub']) {
      await client.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes');
    }
    client.disconnect();
    expect(await folder.json(...BACKFILL)).toMatchObject({ segments: 15, deadJobs: [] });
  });

  it('give back what they fetch when they are stopped', async () => {
    const { folder, startWorker, vendor } = fixture;
    const first = startWorker(folder);
    vendor.hold('S12');
    const report = folder.json(...BACKFILL);
    await vendor.untilAsked('S12');
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    vendor.release('S12');
    startWorker(folder);
    expect(await report).toMatchObject({ segments: 15, deadJobs: [] });
  });
});
