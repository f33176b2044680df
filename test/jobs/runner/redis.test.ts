/** Jobs on a real Redis, with real workers. */

import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe } from 'vitest';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';
import { describeRunner } from './conformance.ts';

describe.skipIf(!redisServer)('with Redis', () => {
  let redis: RunningRedis;
  const env: Record<string, string> = {};
  beforeAll(async () => {
    redis = await startRedis();
    env.TAPEWORKS_REDIS_URL = redis.url;
  });
  afterAll(() => redis.remove());

  describeRunner('the runner on Redis', {
    env,
    hasWorkers: true,
    async reset() {
      const client = new Redis(redis.url);
      await client.flushall();
      client.disconnect();
    },
  });
});
