/** The bucket of tokens that machines share, on a real Redis. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redisPace } from '../../../src/ingest/http/redis-pace.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';

describe.skipIf(!redisServer)('the pace of requests in Redis', () => {
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());

  it('holds over machines that race, in every window', async () => {
    const machines = [redisPace(redis.url), redisPace(redis.url), redisPace(redis.url)];
    const limit = { requests: 5, windowS: 3600 };
    const asked = machines.flatMap((pace) =>
      Array.from({ length: 5 }, () => pace.take('a', limit, Date.now)),
    );
    const waits = await Promise.all(asked);
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(5);
    for (const waitMs of waits.filter((one) => one > 0)) {
      expect(waitMs).toBeGreaterThan(3_500_000);
      expect(waitMs).toBeLessThanOrEqual(3_600_000);
    }
    expect(await machines[0].take('b', limit, Date.now)).toBe(0);
    for (const pace of machines) pace.close();
  });

  it('keeps requests apart where a host counts by the second', async () => {
    const pace = redisPace(redis.url);
    const limit = { requests: 3, windowS: 3600, gapMs: 600_000 };
    expect(await pace.take('gap', limit, Date.now)).toBe(0);
    const waitMs = await pace.take('gap', limit, Date.now);
    expect(waitMs).toBeGreaterThan(590_000);
    expect(waitMs).toBeLessThanOrEqual(600_000);
    pace.close();
  });

  it('tells every machine which host rests, and until when', async () => {
    const [one, other] = [redisPace(redis.url), redisPace(redis.url)];
    expect(await one.restsUntilMs('a')).toBe(0);
    const untilMs = Date.now() + 3_600_000;
    await one.rest('a', untilMs);
    expect(await other.restsUntilMs('a')).toBe(untilMs);
    one.close();
    other.close();
  });

  it('says that Redis is away', async () => {
    const pace = redisPace('redis://127.0.0.1:1');
    await expect(pace.take('a', { requests: 1, windowS: 1 }, Date.now)).rejects.toThrow(
      'Redis, which keeps the pace of requests, is away',
    );
    pace.close();
  });
});
