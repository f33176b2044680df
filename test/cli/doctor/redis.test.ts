/** `doctor` on a Redis that may lose jobs. */

import { join } from 'node:path';
import { Redis } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';
import { writeCandleFile } from '../support/candle-file.ts';
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

  /** Runs commands as a Redis that can't do the work. @returns their lines on stderr. */
  async function refused(url: string, ...verbs: string[]): Promise<string[]> {
    const folder = createCliFolder({ TAPEWORKS_REDIS_URL: url });
    onTestFinished(() => folder.remove());
    const file = join(folder.dataDir, 'aaa.csv');
    writeCandleFile(file, '2025-01-02', '2025-01-31');
    const lines = [];
    for (const verb of verbs) {
      const args = verb === 'backfill' ? ['backfill', 'files', 'candles', file] : verb.split(' ');
      const { code, stderr } = await folder.run(...args);
      expect([verb, code]).toEqual([verb, 2]);
      lines.push(...stderr.trimEnd().split('\n'));
    }
    return lines;
  }

  const VERBS = ['start', 'worker', 'schedule', 'backfill', 'jobs list'];

  it('rejects a cluster, as each command does, in one line', async () => {
    const redis = await startRedis(['--cluster-enabled', 'yes']);
    onTestFinished(() => redis.remove());
    const client = new Redis(redis.url);
    await client.cluster('ADDSLOTSRANGE', 0, 16_383);
    client.disconnect();
    const line = 'TAPEWORKS_REDIS_URL must name a single Redis, or sentinels: it names a cluster';
    const check = await redisCheck(redis.url);
    expect(check).toMatchObject({ state: 'failed', detail: expect.stringContaining(line) });
    const lines = await refused(redis.url, ...VERBS);
    expect(lines).toEqual(VERBS.map(() => expect.stringContaining(`tapeworks: ${line}`)));
  });

  it.each([
    ['-info', '~*', "run the 'info' command"],
    ['-eval', '~*', "run the 'eval' command"],
    ['-@blocking', '~*', "run the 'bzpopmin' command"],
    ['-multi', '~*', "run the 'multi' command"],
    ['-ping', '~bull:*', 'access one of the keys'],
  ])('names a right that its user lacks: %s %s', async (commands, keys, lacking) => {
    const redis = await startRedis();
    onTestFinished(() => redis.remove());
    const client = new Redis(redis.url);
    await client.acl('SETUSER', 'app', 'on', '>sesame', keys, '&*', '+@all', commands);
    client.disconnect();
    const url = redis.url.replace('//', '//app:sesame@');
    const check = await redisCheck(url);
    expect(check).toMatchObject({ state: 'failed', detail: expect.stringContaining(lacking) });
    expect(check.detail).toContain('a user with the rights ~tw:* +@all');
    const lines = await refused(url, ...VERBS);
    expect(lines).toEqual(VERBS.map(() => `tapeworks: ${check.detail}`));
  });

  it('accepts a user with the rights that it names', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.remove());
    const client = new Redis(redis.url);
    await client.acl('SETUSER', 'app', 'on', '>sesame', '~tw:*', '+@all');
    expect(await redisCheck(redis.url.replace('//', '//app:sesame@'))).toMatchObject({
      state: 'ok',
    });
    expect(await client.keys('*')).toEqual([]);
    client.disconnect();
  });

  it('says when none answers', async () => {
    expect(await redisCheck('redis://user:secret@127.0.0.1:1')).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/^Redis at redis:\/\/127\.0\.0\.1:1 does not answer/),
    });
  });
});
