/** The lock of the process that loads into the store. */

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { backfill } from '../../../jobs/load/backfill.ts';
import { isStoreOf, markRestored } from '../../../jobs/redis/store-id.ts';
import { type StoreLock, takeStoreLock } from '../../../jobs/redis/store-lock.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { StoreBusyError } from '../../../src/base/errors.ts';
import { limits } from '../../../src/base/limits.ts';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { Random } from '../../simulation/random.ts';
import { RedisKeys } from '../../simulation/world/redis.ts';
import { freshFolder } from '../../support/folders.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});

describe.skipIf(!redisServer)('the lock of the store', () => {
  let redis: RunningRedis;
  let one: Redis;
  let other: Redis;
  beforeAll(async () => {
    redis = await startRedis();
    one = new Redis(redis.url);
    other = new Redis(redis.url);
  });
  beforeEach(() => one.flushall());
  afterAll(async () => {
    one.disconnect();
    other.disconnect();
    await redis.remove();
  });

  it('has one holder at a time, each with a higher epoch', async () => {
    const first = await takeStoreLock(one, 1);
    expect(first?.epoch).toBe(1);
    expect(await takeStoreLock(other, 1)).toBeUndefined();
    await first?.release();
    const second = await takeStoreLock(other, 1);
    expect(second?.epoch).toBe(2);
    // The release of one who has it no more takes it from nobody.
    await first?.release();
    expect(await takeStoreLock(one, 1)).toBeUndefined();
    await second?.release();
  });

  it('starts above the epochs that are published, also in a Redis that has lost its own', async () => {
    const lock = await takeStoreLock(one, 8);
    expect(lock?.epoch).toBe(8);
    await lock?.release();
    expect((await takeStoreLock(one, 8))?.epoch).toBe(9);
  });

  it('is not taken back by one who slept through another, nor is the epoch', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const asleep = await takeStoreLock(one, 6);
      await other.del('tw:store:holder');
      await (await takeStoreLock(other, 1))?.release();
      vi.advanceTimersByTime(limits.redis.storeRenewMs);
      await vi.waitUntil(() => asleep?.lost.aborted);
      expect((await takeStoreLock(other, 1))?.epoch).toBe(8);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is what the simulation takes it for, whatever holders do', async () => {
    const random = new Random(1, 'holders');
    const keys = new RedisKeys();
    let replies = 0;
    const both = {
      async eval(script: string, count: number, ...given: (string | number)[]) {
        const texts = given.map(String);
        const model = keys.eval(script, Date.now(), texts.slice(0, count), texts.slice(count));
        expect(await one.eval(script, count, ...given)).toEqual(model);
        replies++;
        return model;
      },
    } as unknown as Redis;
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const holders: (StoreLock | undefined)[] = [undefined, undefined, undefined];
      for (let step = 0; step < 200; step++) {
        const number = random.below(holders.length);
        const what = random.pick(['take', 'release', 'lose', 'renew']);
        if (what === 'take') holders[number] = await takeStoreLock(both, 1 + random.below(9));
        if (what === 'release') await holders[number]?.release();
        if (what === 'renew') await vi.advanceTimersByTimeAsync(limits.redis.storeRenewMs);
        if (what !== 'lose') continue;
        keys.delete('tw:store:holder');
        await one.del('tw:store:holder');
      }
      expect(replies).toBeGreaterThan(100);
    } finally {
      vi.useRealTimers();
    }
  });

  it('belongs to one folder, whose first workers may start at once', async () => {
    const asked = Array.from({ length: 8 }, () => isStoreOf(one, folder));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([true]));
    expect(readdirSync(folder)).toEqual(['store.json']);
    // Who died before Redis heard of it asks again.
    await one.flushall();
    expect(await isStoreOf(one, folder)).toBe(true);
  });

  it('belongs to the store that came first, or to its restored copy', async () => {
    const [mine, foreign, restored] = ['mine', 'foreign', 'restored'].map((name) =>
      join(folder, name),
    );
    expect(await isStoreOf(one, mine)).toBe(true);
    expect(await isStoreOf(one, foreign)).toBe(false);
    expect(await isStoreOf(one, mine)).toBe(true);
    await markRestored(restored);
    expect(await isStoreOf(other, restored)).toBe(true);
    expect(await isStoreOf(one, mine)).toBe(false);
    expect(await isStoreOf(other, restored)).toBe(true);
  });
});

describe('a publish', () => {
  it('of a lower epoch replaces none of a higher one', async () => {
    const paths = modePaths(folder, 'live');
    const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: folder });
    const load = (name: string, epoch: number) => {
      const path = join(folder, name);
      writeFileSync(path, 'Date,Open,High,Low,Close,Volume\n2024-01-02,1,2,1,2,10\n');
      const deps = { verb: 'a test', nowMs: Date.parse('2024-01-05T22:00:00Z'), epoch };
      return backfill(paths, fetchFiles({ path }, { paths, settings, ...deps }), deps);
    };
    await load('AAA.csv', 5);
    const published = () => readManifest(paths.serving);
    expect(published()).toMatchObject({ version: 1, epoch: 5 });
    await expect(load('BBB.csv', 4)).rejects.toThrow(StoreBusyError);
    expect(published()).toMatchObject({ version: 1, epoch: 5 });
    await load('CCC.csv', 6);
    expect(published()).toMatchObject({ version: 2, epoch: 6 });
  });
});
