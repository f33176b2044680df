/** A worker that BullMQ leaves idle although jobs wait (taskforcesh/bullmq#3185). */

import { Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addEmptyJobs } from '../../../bench/jobs/queue.ts';
import { openQueues } from '../../../jobs/redis/queues.ts';
import { startWatchedWorker } from '../../../jobs/redis/watched-worker.ts';
import { limits } from '../../../src/base/limits.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';

describe.skipIf(!redisServer)('a watched worker', () => {
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it('is restarted when it gets nothing while jobs wait', async () => {
    // The first one sits idle for good, as after some reconnections.
    vi.spyOn(Worker.prototype, 'run').mockImplementationOnce(() => new Promise(() => {}));
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const notes: string[] = [];
    const done = Promise.withResolvers<void>();
    const worker = startWatchedWorker<object, null>({
      ...{ url: redis.url, queue: 'maintenance', concurrency: 1 },
      process: async () => null,
      afterwards: async () => done.resolve(),
      log: { job() {}, unforeseen() {}, note: (text) => notes.push(text) },
    });
    await addEmptyJobs(redis.url, 3);
    // One look to see that nothing was started, and one to see that nothing was since.
    vi.advanceTimersByTime(2 * limits.redis.idleMs);
    await done.promise;
    expect(notes).toEqual([
      'the worker of maintenance gets none of 3 waiting jobs and is restarted',
    ]);
    await worker.close();
  });

  it('keeps every job of a run, however many come after it', async () => {
    const count = limits.redis.doneKept + 10;
    let left = count;
    const done = Promise.withResolvers<void>();
    const worker = startWatchedWorker<object, null>({
      ...{ url: redis.url, queue: 'maintenance', concurrency: 64 },
      process: async () => null,
      async afterwards() {
        if (--left === 0) done.resolve();
      },
      log: { job() {}, unforeseen() {}, note() {} },
    });
    const queues = openQueues(redis.url);
    await addEmptyJobs(redis.url, count);
    await done.promise;
    expect(await queues.maintenance.getCompletedCount()).toBeGreaterThanOrEqual(count);
    await queues.close();
    await worker.close();
  });
});
