/** `doctor` on a Redis that may lose jobs. */

import { describe, expect, it } from 'vitest';
import { startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';
import { createCliFolder } from '../support/run-cli.ts';

async function redisCheck(url: string) {
  const folder = createCliFolder({ TAPEWORKS_REDIS_URL: url });
  try {
    const { stdout } = await folder.run('doctor', '--json');
    return JSON.parse(stdout).checks.find(({ name }: { name: string }) => name === 'redis');
  } finally {
    await folder.remove();
  }
}

describe.skipIf(!redisServer)('doctor', () => {
  it('finds a Redis good that keeps its jobs', async () => {
    const redis = await startRedis();
    expect(await redisCheck(redis.url)).toMatchObject({ state: 'ok' });
    await redis.remove();
  });

  it('rejects one that evicts, or forgets', async () => {
    const redis = await startRedis(['--maxmemory-policy', 'allkeys-lru', '--appendonly', 'no']);
    const { state, detail } = await redisCheck(redis.url);
    expect(state).toBe('failed');
    expect(detail).toContain('set maxmemory-policy noeviction, got "allkeys-lru"');
    expect(detail).toContain('set appendonly yes');
    await redis.remove();
  });

  it('says when none answers', async () => {
    expect(await redisCheck('redis://user:secret@127.0.0.1:1')).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/^Redis at redis:\/\/127\.0\.0\.1:1 does not answer/),
    });
  });
});
