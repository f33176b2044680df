/** The model of BullMQ's queues returns what a server does, over random sequences of work. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { scaled } from '../../faults/scale.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';
import { runSequence } from './queue-sequence.ts';

const MODEL = fileURLToPath(new URL('queue-model.ts', import.meta.url));
const STEPS = 150;
const SEEDS = Array.from({ length: scaled(1, 40) }, (_, i) => i + 1);
const START_MS = Date.UTC(2026, 0, 5, 12);

describe.skipIf(!redisServer)("the model of BullMQ's queues", { timeout: 300_000 }, () => {
  let redis: RunningRedis;
  let client: Redis;
  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.url);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(async () => {
    client.disconnect();
    await redis.remove();
  });

  it.each(SEEDS)('returns what a server returns, from seed %i', async (seed) => {
    const model = spawnSync(process.execPath, [MODEL, `${seed}`, `${STEPS}`], { encoding: 'utf8' });
    expect(model.stderr).toBe('');
    const told = model.stdout.trimEnd().split('\n');
    expect(told).toHaveLength(STEPS);
    await client.flushall();
    vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
    const port = Number(new URL(redis.url).port);
    const lines = await runSequence(seed, STEPS, {
      connection: { host: '127.0.0.1', port, maxRetriesPerRequest: null },
      endLock: async (queue, id) => void (await client.del(`model:${queue}:${id}:lock`)),
      endPause: async (queue) => void (await client.del(`model:${queue}:stalled-check`)),
      pass: (ms) => void vi.setSystemTime(Date.now() + ms),
    });
    const other = told.findIndex((line, i) => line !== lines[i]);
    expect(lines[other]).toBe(told[other]);
  });
});
