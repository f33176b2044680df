/** The rate limit of a key over two servers that share Redis. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

const LIMIT = 40;

describe.skipIf(!redisServer)('two servers', () => {
  let redis: RunningRedis;
  let folder: CliFolder;
  beforeAll(async () => {
    redis = await startRedis();
    folder = createCliFolder({ TAPEWORKS_REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await folder.remove();
    await redis.remove();
  });

  it('admit no more requests of a key than its limit, but for those of a moment', async () => {
    const limit = `${LIMIT}/86400`;
    const options = ['--mode', 'test', '--label', 'x', '--scopes', 'all', '--limit', limit];
    const { rawKey } = await folder.json('keys', 'create', ...options);
    const servers = await Promise.all([folder.start('serve'), folder.start('serve')]);
    const statusOf = async ({ document }: (typeof servers)[number]) => {
      const headers = { 'X-API-Key': rawKey };
      const response = await fetch(`${document.address}/v1/svc/symbols`, { headers });
      await response.arrayBuffer();
      return response.status;
    };
    const [one, two] = servers;
    for (let i = 0; i < LIMIT; i++) expect(await statusOf(one)).toBe(200);
    expect(await statusOf(one)).toBe(429);
    // Its first response can be too early to know of the other server's requests.
    await expect.poll(() => statusOf(two), { interval: 100 }).toBe(429);
    expect(await statusOf(two)).toBe(429);
  });
});
