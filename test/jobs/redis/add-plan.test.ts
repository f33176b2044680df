/** Plans as jobs in a real Redis that nobody works on. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addPlan } from '../../../jobs/redis/add-plan.ts';
import { openQueues, type Queues } from '../../../jobs/redis/queues.ts';
import { openRedisRunner, type RedisRunner } from '../../../jobs/redis/redis-runner.ts';
import type { Plan } from '../../../jobs/runner/plan.ts';
import { settingsFromEnv } from '../../../src/config.ts';
import { type RunningRedis, startRedis } from '../../redis-server.ts';
import { redisServer } from '../../tools.ts';

function planOf(id: string, childCount: number): Plan {
  const children = Array.from({ length: childCount }, (_, i) => ({
    title: `S${i}`,
    slice: { symbols: [`S${i}`] },
  }));
  return {
    ...{ id, mode: 'live', source: 'tiingo', verb: 'a test', priority: 'backfill' },
    ...{ createdMs: 1_700_000_000_000, childCount, children, shared: {} },
  };
}

/** The queue, as a producer has it that dies after some chunks. */
function diesAfter(queue: Queues['fetch'], chunks: number): Queues['fetch'] {
  let left = chunks;
  return Object.create(queue, {
    addBulk: {
      value: async (jobs: Parameters<typeof queue.addBulk>[0]) => {
        if (left-- === 0) throw new Error('it died');
        return queue.addBulk(jobs);
      },
    },
  });
}

describe.skipIf(!redisServer)('a plan in Redis', () => {
  let redis: RunningRedis;
  let dataDir: string;
  let queues: Queues;
  let runner: RedisRunner;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());
  beforeEach(async () => {
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
    queues = openQueues(redis.url);
    runner = await openRedisRunner(settingsFromEnv({ TAPEWORKS_DATA_DIR: dataDir }), redis.url);
  });
  afterEach(async () => {
    await runner.close();
    await queues.close();
    rmSync(dataDir, { recursive: true });
  });

  const added = async (id: string) => {
    const jobs = await queues.fetch.getJobs(['prioritized', 'wait', 'delayed'], 0, -1);
    return jobs.filter((job) => job.id?.startsWith(`${id}-`));
  };

  it('of few children is added in one step, its load behind them', async () => {
    expect(await runner.enqueue(planOf('few', 3))).toBe(true);
    const jobs = await added('few');
    expect(jobs.map(({ id }) => id).toSorted()).toEqual(
      [0, 1, 2].map((index) => `few-${(1_700_000_000_000).toString(36)}-${index}`),
    );
    expect(jobs.map(({ data }) => data)).toContainEqual({
      mode: 'live',
      slice: { symbols: ['S1'] },
    });
    expect(await queues.load.getJobState('few')).toBe('waiting-children');
    expect(await runner.isUnfinished('few')).toBe(true);
  });

  it('of many children is added whole, however often its producer died', async () => {
    const plan = planOf('many', 2500);
    // A producer that died after its first chunks.
    const adding = Object.create(queues, { fetch: { value: diesAfter(queues.fetch, 1) } });
    await expect(addPlan(redis.url, adding, plan)).rejects.toThrow('it died');
    // So the same command adds it again, instead of waiting for it.
    expect(await runner.isUnfinished('many')).toBe(false);
    expect(await runner.enqueue({ ...plan, createdMs: plan.createdMs + 60_000 })).toBe(false);
    expect(await runner.isUnfinished('many')).toBe(true);
    // The gate is one more.
    expect(await added('many')).toHaveLength(2501);
    const load = await queues.load.getJob('many');
    expect(await load?.getDependenciesCount()).toMatchObject({ unprocessed: 2501 });
    const gate = (await added('many')).find(({ name }) => name === 'gate');
    expect(await gate?.isDelayed()).toBe(false);
  });

  it('is added once while it is not done', async () => {
    expect(await runner.enqueue(planOf('again', 1))).toBe(true);
    expect(await runner.enqueue(planOf('again', 1))).toBe(false);
    expect(await added('again')).toHaveLength(1);
  });

  it('lists its jobs as people see them', async () => {
    await runner.enqueue(planOf('seen', 1));
    expect(await runner.list('waiting')).toMatchObject([
      { queue: 'load', state: 'waiting', verb: 'a test', title: 'load and publish' },
      { queue: 'fetch', state: 'waiting', mode: 'live', title: 'S0', failures: 0, reason: null },
    ]);
  });
});
