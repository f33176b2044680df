/** A worker works for its store for as long as Redis belongs to it. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectRedis } from '../../../jobs/redis/connection.ts';
import {
  isStoreOf,
  markRestored,
  type StoreWatch,
  watchStore,
} from '../../../jobs/redis/store-id.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { QueueUnavailableError } from '../../../src/base/errors.ts';
import { sharedFolder } from '../../support/folders.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';

describe.skipIf(!redisServer)('the store of a Redis', () => {
  const folder = sharedFolder();
  const [mine, restored] = [join(folder, 'mine'), join(folder, 'restored')];
  const notes: string[] = [];
  let redis: RunningRedis;
  let client: Redis;
  let watch: StoreWatch;
  const stopped = new AbortController();
  beforeAll(async () => {
    redis = await startRedis();
    client = new Redis(redis.url);
  });
  beforeEach(async () => {
    await client.flushall();
    rmSync(restored, { recursive: true, force: true });
    expect(await isStoreOf(client, mine)).toBe(true);
    watch?.close();
    watch = watchStore(client, {
      settings: settingsFromEnv({ TAPEWORKS_DATA_DIR: mine }),
      log: { job() {}, unforeseen() {}, note: (text) => notes.push(text) },
      signal: stopped.signal,
    });
  });
  afterAll(async () => {
    watch.close();
    client.disconnect();
    await redis.remove();
  });

  it('stays the one that it is, also when Redis is emptied', async () => {
    await watch.requireOurs(stopped.signal);
    await client.flushall();
    await watch.requireOurs(stopped.signal);
    expect(await isStoreOf(client, join(folder, 'other'))).toBe(false);
    expect(watch.end.aborted).toBe(false);
  });

  it('is another one once a backup was restored: no job is done for the old one', async () => {
    await markRestored(restored);
    expect(await isStoreOf(client, restored)).toBe(true);
    await expect(watch.requireOurs(watch.end)).rejects.toThrow('another store');
    expect(notes.at(-1)).toMatch('another store');
  });

  it('is not sought in a database that there is not', async () => {
    await expect(connectRedis(`${redis.url}/99`)).rejects.toThrow(QueueUnavailableError);
    await expect(connectRedis(`${redis.url}/99`)).rejects.toThrow('DB index');
  });
});
