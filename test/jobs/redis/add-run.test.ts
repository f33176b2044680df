/** Plans as jobs in a real Redis that nobody works on. */

import { Job, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Run } from '../../../jobs/contract/run.ts';
import { endRun, readRun, readStaged, writeStaged } from '../../../jobs/contract/staging.ts';
import { MISSING_RESULT } from '../../../jobs/processors/load.ts';
import { addRun } from '../../../jobs/redis/add-run.ts';
import { connectionOptions, KEY_PREFIX } from '../../../jobs/redis/connection.ts';
import { addLostFetches } from '../../../jobs/redis/load-worker.ts';
import { queueReader } from '../../../jobs/redis/queue-reader.ts';
import { openQueues, type Queues } from '../../../jobs/redis/queues.ts';
import { openRedisRunner, type RedisRunner } from '../../../jobs/redis/redis-runner.ts';
import { type Settings, settingsFromEnv } from '../../../src/base/config/config.ts';
import { workPaths } from '../../../src/base/config/data-dir.ts';
import { freshFolder } from '../../support/folders.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { long } from '../../support/store-runs.ts';
import { redisServer } from '../../support/tools.ts';

function planOf(id: string, childCount: number): Run {
  const tasks = Array.from({ length: childCount }, (_, i) => ({
    title: `S${i}`,
    slice: { symbols: [`S${i}`] },
  }));
  return {
    ...{ id, mode: 'live', source: 'tiingo', verb: 'a test', priority: 'backfill' },
    ...{ createdMs: 1_700_000_000_000, childCount, tasks, shared: {} },
  };
}

/** The queue, as a producer has it that dies after some chunks. */
function diesAfter(queue: Queues['fetch'], chunks: number): Queues['fetch'] {
  let left = chunks;
  return Object.create(queue, {
    addBulk: {
      value: async (jobs: Parameters<typeof queue.addBulk>[0]) => {
        if (left-- <= 0) throw new Error('it died');
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
  let settings: Settings;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());
  beforeEach(async () => {
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    dataDir = freshFolder();
    queues = openQueues(redis.url);
    settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: dataDir });
    runner = await openRedisRunner(settings, redis.url);
  });
  afterEach(async () => {
    await runner.close();
    await queues.close();
  });

  const added = async (id: string) => {
    const jobs = await queues.fetch.getJobs(['prioritized', 'wait', 'delayed'], 0, -1);
    return jobs.filter((job) => job.id?.startsWith(`${id}-`));
  };

  it('of few tasks is added in one step, its load behind them', async () => {
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

  // Its tasks had the names of the earlier ones: a failed one blocked the load for ever.
  it('that is given again at once has tasks of its own, also when Redis has lost the first', async () => {
    const plan = planOf('again', 2);
    const createdMs = async () => (await queues.load.getJob('again'))?.data.createdMs;
    await runner.enqueue(plan);
    const worker = new Worker(
      'fetch',
      async () => {
        throw new UnrecoverableError('it fails');
      },
      { connection: connectionOptions(redis.url, 'worker'), prefix: KEY_PREFIX },
    );
    worker.on('error', () => undefined);
    await vi.waitFor(async () =>
      expect(await queues.load.getJobState('again')).toBe('prioritized'),
    );
    await worker.close();
    await endRun(workPaths(settings, 'live'), 'again');
    const load = await queues.load.getJob('again');
    await load?.remove({ removeChildren: false });
    expect(await runner.enqueue(plan)).toBe(true);
    expect(await createdMs()).toBe(plan.createdMs + 1);
    expect(await added('again')).toHaveLength(2);
    expect(await (await queues.load.getJob('again'))?.getDependenciesCount()).toMatchObject({
      unprocessed: 2,
    });
  });

  // Seed 163 of the nights: the load waited for ever, and so did each command that found it. Seed
  // 70189: the second command that found a failed task ended with "Missing key for parent job".
  it('goes on if its producer died while it added failed tasks again', async () => {
    const plan = planOf('stuck', 2);
    await runner.enqueue(plan);
    const fails = async () => {
      throw new UnrecoverableError('it fails');
    };
    const connection = connectionOptions(redis.url, 'worker');
    const worker = new Worker('fetch', fails, { connection, prefix: KEY_PREFIX });
    worker.on('error', () => undefined);
    const state = () => queues.load.getJobState('stuck');
    await vi.waitFor(async () => expect(await state()).toBe('prioritized'));
    await worker.close();
    await (await queues.load.getJob('stuck'))?.remove({ removeChildren: false });
    const [unlike] = await queues.fetch.getFailed();
    await unlike.remove();
    await addRun(redis.url, queues, plan);
    for (let command = 0; command < 2; command++) {
      expect(await state()).toBe('waiting-children');
      expect(await runner.enqueue(plan)).toBe(false);
    }
    await (await queues.fetch.getJob(`${unlike.id}`))?.remove();
    expect(await state()).toBe('waiting');
  });

  it('of many tasks is added whole, however often its producer died', async () => {
    const plan = planOf('many', 2500);
    // A producer that died after its first chunks.
    const adding = Object.create(queues, { fetch: { value: diesAfter(queues.fetch, 1) } });
    await expect(addRun(redis.url, adding, plan)).rejects.toThrow('it died');
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

  // Seed 47 of the nights: the load began while its tasks ran, called them missing, and could not
  // remove one that a worker had locked.
  it('of many tasks that is added again keeps its load closed, also when its gate was open', async () => {
    const plan = planOf('gated', 1001);
    const add = (isAgain: boolean) => {
      const adding = Object.create(queues, { fetch: { value: diesAfter(queues.fetch, 0) } });
      return expect(addRun(redis.url, adding, plan, { isAgain })).rejects.toThrow('it died');
    };
    await add(false);
    const [gate] = await added('gated');
    await gate.promote();
    const connection = connectionOptions(redis.url, 'worker');
    const worker = new Worker('fetch', null, { connection, prefix: KEY_PREFIX });
    await (await worker.getNextJob('a test'))?.moveToCompleted(null, 'a test', false);
    await worker.close();
    await (await queues.load.getJob('gated'))?.remove({ removeChildren: false });
    await add(true);
    expect(await queues.load.getJobState('gated')).toBe('waiting-children');
  });

  long(
    'of many tasks is not blocked by tasks that had failed when it was added again',
    async () => {
      const plan = planOf('held', 1500);
      const adding = Object.create(queues, { fetch: { value: diesAfter(queues.fetch, 1) } });
      await expect(addRun(redis.url, adding, plan)).rejects.toThrow('it died');
      const connection = connectionOptions(redis.url, 'worker');
      const worker = new Worker('fetch', null, { connection, prefix: KEY_PREFIX });
      for (let i = 0; i < 3; i++) {
        const job = await worker.getNextJob('a test');
        await job?.moveToFailed(new UnrecoverableError('rejected: no'), 'a test');
      }
      await worker.close();
      await runner.enqueue(plan);
      const load = await queues.load.getJob('held');
      // The gate is one more.
      expect(await load?.getDependenciesCount()).toMatchObject({ unprocessed: 1498, ignored: 3 });
    },
  );

  it('that Redis has lost goes on with what was fetched', async () => {
    const plan = planOf('lost', 2);
    const paths = workPaths(settings, 'live');
    const landing = { isComplete: true, segments: [], skipped: [] };
    await runner.enqueue(plan);
    const task = async () => {
      const { createdMs } = (await readRun(paths, 'lost'))!;
      return { plan: 'lost', createdMs, index: 1 };
    };
    await writeStaged(paths, await task(), landing);
    const client = new Redis(redis.url);
    const later = { ...plan, createdMs: plan.createdMs + 60_000 };
    const again = async (one: Run) => {
      await client.flushall();
      // Another command, which has nothing in memory.
      const other = await openRedisRunner(settings, redis.url);
      await expect(other.finished('lost', {})).rejects.toThrow('Redis lost the run lost');
      expect(await other.enqueue(one)).toBe(true);
      await other.close();
      return readStaged(paths, await task());
    };
    // The same run, under the names that its tasks had.
    expect(await again(later)).toEqual(landing);
    expect((await added('lost')).map(({ id }) => id)).toContain(
      `lost-${plan.createdMs.toString(36)}-1`,
    );
    // What the question comes to now is another run.
    const other = planOf('lost', 3);
    expect(await again(other)).toBeUndefined();
    // So is what is asked once it was published.
    await writeStaged(paths, await task(), landing);
    await endRun(paths, 'lost');
    expect(await again(other)).toBeUndefined();
    client.disconnect();
  });

  long('is added again by who waits for it, as far as it is lost', async () => {
    const plan = planOf('halved', 1200);
    await runner.enqueue(plan);
    const client = new Redis(redis.url);
    const waited = new AbortController();
    const waits: string[] = [];
    const untilTold = (count: number) =>
      vi.waitUntil(
        () => waits.filter((whom) => whom.includes('lost jobs')).length >= count,
        30_000,
      );
    const finished = runner.finished('halved', {
      signal: waited.signal,
      onWaiting: (whom) => waits.push(whom),
    });
    await client.flushall();
    await untilTold(1);
    await vi.waitUntil(() => runner.isUnfinished('halved'), 30_000);
    expect(await added('halved')).toHaveLength(1201);
    // The state before the gate was opened, without the second chunk.
    await client.flushall();
    const adding = Object.create(queues, { fetch: { value: diesAfter(queues.fetch, 1) } });
    await expect(addRun(redis.url, adding, plan)).rejects.toThrow('it died');
    await vi.waitUntil(() => runner.isUnfinished('halved'), 30_000);
    expect(await added('halved')).toHaveLength(1201);
    waited.abort(new Error('enough'));
    await expect(finished).rejects.toThrow(/enough|aborted/);
    client.disconnect();
  });

  it('lists tasks without a result as failed jobs, which can be retried', async () => {
    const plan = planOf('parted', 3);
    await runner.enqueue(plan);
    const paths = workPaths(settings, 'live');
    const id = `parted-${plan.createdMs.toString(36)}-2`;
    await (await queues.fetch.getJob(id))?.remove();
    const reports = [1, 2].map((index) => ({
      ...{ id: `parted-${plan.createdMs.toString(36)}-${index}`, title: `part ${index + 1}` },
      ...({ kind: 'store', reason: MISSING_RESULT } as const),
    }));
    const run = await readRun(paths, 'parted');
    // Once, however often the load is done: a worker that lost its lock left a second load without
    // the titles of these tasks, and with other reasons (seed 70019 of the nights).
    for (let load = 0; load < 2; load++) {
      const dead = await addLostFetches(queues.fetch, plan, reports, run);
      expect(dead).toEqual([
        { ...reports[0], title: 'S1' },
        { ...reports[1], title: 'S2', reason: 'it was never added, or Redis lost it' },
      ]);
    }
    const lost = await queues.fetch.getJob(id);
    expect(lost?.data).toMatchObject({ slice: { symbols: ['S2'] }, isLost: true });
    await (await queues.load.getJob('parted'))?.remove();
    const [retried] = await runner.retry([id]);
    expect(await queues.fetch.getJob(id)).toBeUndefined();
    expect(await added(retried)).toMatchObject([{ data: { slice: { symbols: ['S2'] } } }]);
  });

  // Seed 80015 of the nights: the command ended with "Missing key for job".
  it('that Redis loses while it is cancelled is not cancelled, without an error', async () => {
    await runner.enqueue(planOf('gone', 1));
    const { getState } = Job.prototype;
    const read = vi.spyOn(Job.prototype, 'getState').mockImplementationOnce(async function (
      this: Job,
    ) {
      const state = await getState.call(this);
      await this.remove();
      return state;
    });
    await runner.cancel('gone');
    expect(read).toHaveBeenCalledOnce();
    expect(await queues.load.getJob('gone')).toBeUndefined();
    read.mockRestore();
  });

  it('that ends while it is read is reported as it ended', async () => {
    const connection = connectionOptions(redis.url, 'worker');
    const worker = new Worker('load', null, { connection, prefix: KEY_PREFIX });
    const { getState } = Job.prototype;
    const report = { accepted: 7 };
    const ends: [string, (job: Job) => Promise<unknown>, object][] = [
      ['well', (job) => job.moveToCompleted(report, 'a test', false), { report }],
      [
        'badly',
        (job) => job.moveToFailed(new UnrecoverableError('doubtful: too few'), 'a test'),
        { failure: { kind: 'doubtful', reason: 'too few' } },
      ],
    ];
    for (const [id, end, outcome] of ends) {
      await runner.enqueue(planOf(id, 0));
      const job = await worker.getNextJob('a test');
      // After the job was read, before its state is.
      vi.spyOn(Job.prototype, 'getState').mockImplementationOnce(async function (this: Job) {
        await end(job as Job);
        return getState.call(this);
      });
      expect(await runner.finished(id, {})).toEqual(outcome);
    }
    vi.restoreAllMocks();
    await worker.close();
  });

  it('is added once while it is not done', async () => {
    expect(await runner.enqueue(planOf('again', 1))).toBe(true);
    expect(await runner.enqueue(planOf('again', 1))).toBe(false);
    expect(await added('again')).toHaveLength(1);
  });

  it('lists its jobs as people see them', async () => {
    await runner.enqueue(planOf('seen', 1));
    expect(await queueReader(queues).jobs('waiting')).toMatchObject([
      { queue: 'load', state: 'waiting', verb: 'a test', title: 'load and publish' },
      { queue: 'fetch', state: 'waiting', mode: 'live', title: 'S0', failures: 0, reason: null },
    ]);
  });
});
