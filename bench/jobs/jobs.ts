/**
 * Jobs: what Redis costs a backfill beside the runner in the process; empty jobs a second through
 * Redis, and tasks a second through both runners; adding a plan of 100,000 tasks, in seconds
 * and in Redis' memory. Skipped without a redis-server.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import type { Partition } from '../../jobs/contract/partition.ts';
import type { Run } from '../../jobs/contract/run.ts';
import { KEY_PREFIX } from '../../jobs/redis/connection.ts';
import { openRedisRunner } from '../../jobs/redis/redis-runner.ts';
import { startWatchedWorker } from '../../jobs/redis/watched-worker.ts';
import { openRunner } from '../../jobs/runner/open-runner.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { type RunningRedis, startRedis } from '../../test/support/redis-server.ts';
import { redisServer } from '../../test/support/tools.ts';
import { runMeasured } from '../command/measure/measured-child.ts';
import {
  type BenchSize,
  benchSizeFromArgs,
  checkResult,
  type Goal,
  goalLines,
  machineLine,
  readable,
  timingFromSamples,
} from '../harness.ts';
import { writeRealLikeFiles } from '../load/backfill-files.ts';
import { addEmptyJobs, startWorker } from './queue.ts';

const EMPTY_JOBS: Record<BenchSize, number> = { smoke: 200, quick: 10_000, full: 50_000 };
const IDLE_CHILDREN: Record<BenchSize, number> = { smoke: 20, quick: 1000, full: 5000 };
const CHILDREN: Record<BenchSize, number> = { smoke: 1500, quick: 20_000, full: 100_000 };
const SYMBOLS: Record<BenchSize, number> = { smoke: 3, quick: 500, full: 4000 };
const PAIRS: Record<BenchSize, number> = { smoke: 1, quick: 1, full: 3 };
const MB = 1e6;
/** No session of these days is complete for a while. */
const NOT_YET = { fromDay: 40_000 };
const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const size = benchSizeFromArgs();
const goals: Goal[] = [];

async function emptyJobs(redis: RunningRedis): Promise<void> {
  const count = EMPTY_JOBS[size];
  await addEmptyJobs(redis.url, count);
  const done = Promise.withResolvers<void>();
  let left = count;
  const startMs = performance.now();
  const worker = startWatchedWorker<object, null>({
    ...{ url: redis.url, queue: 'maintenance', concurrency: 256 },
    process: async () => null,
    async afterwards() {
      if (--left === 0) done.resolve();
    },
    log: { job() {}, unforeseen: console.error, note: console.log },
  });
  await done.promise;
  const perSecond = count / ((performance.now() - startMs) / 1000);
  await worker.close();
  console.log(`empty jobs: ${readable(perSecond)} a second, one worker process`);
  goals.push({ name: 'empty jobs a second', ratio: perSecond, atLeast: 12_000 });
}

/**
 * Children that have nothing to ask, as their days are to come: all that is left is what a runner
 * does for each, whose staging is on the disk before it is done.
 */
async function idleChildren(redis: RunningRedis, root: string): Promise<void> {
  const count = IDLE_CHILDREN[size];
  const env = { TAPEWORKS_TIINGO_KEY: 'none' };
  const alone = { ...env, TAPEWORKS_DATA_DIR: join(root, 'idle-alone') };
  const inProcess = await runPlan(alone, count);
  const shared = {
    ...{ ...env, TAPEWORKS_DATA_DIR: join(root, 'idle-redis') },
    TAPEWORKS_REDIS_URL: redis.url,
  };
  const worker = await startWorker(cli, shared);
  const onRedis = await runPlan(shared, count);
  await worker.stop();
  await emptied(redis);
  console.log(
    `${count} tasks without anything to ask: ${readable(count / inProcess)} a second in the ` +
      `process, ${readable(count / onRedis)} through BullMQ, one worker process`,
  );
}

/** @returns seconds from the question to its end. */
async function runPlan(env: Record<string, string>, childCount: number): Promise<number> {
  const runner = await openRunner(settingsFromEnv(env));
  const startMs = performance.now();
  await runner.enqueue(planOf(childCount, NOT_YET));
  const outcome = await runner.finished('bench', {});
  const seconds = (performance.now() - startMs) / 1000;
  await runner.close();
  const report = 'report' in outcome ? outcome.report : undefined;
  checkResult(report?.deadJobs.length === 0, `${childCount} tasks are done, none is dead`);
  return seconds;
}

async function addedPlan(redis: RunningRedis, dataDir: string): Promise<void> {
  const childCount = CHILDREN[size];
  const settings = settingsFromEnv({ TAPEWORKS_DATA_DIR: dataDir });
  const runner = await openRedisRunner(settings, redis.url);
  const client = new Redis(redis.url);
  const before = await usedBytes(client);
  const startMs = performance.now();
  await runner.enqueue(planOf(childCount, { fromDay: 19_000, toDay: 20_000 }));
  const seconds = (performance.now() - startMs) / 1000;
  const bytes = (await usedBytes(client)) - before;
  const queued = await client.zcard(`${KEY_PREFIX}:fetch:prioritized`);
  // The gate is one more.
  checkResult(queued === childCount + 1, `${childCount} tasks are queued, got ${queued - 1}`);
  await runner.close();
  client.disconnect();
  await emptied(redis);
  const thousands = childCount / 100_000;
  console.log(
    `${childCount} fetch jobs: added in ${readable(seconds)} s, ${readable(bytes / MB)} MB in Redis`,
  );
  goals.push(
    { name: '100,000 fetch jobs: 8 s over its time', ratio: (8 * thousands) / seconds, atLeast: 1 },
    { name: '120 MB over its bytes', ratio: (120 * thousands * MB) / bytes, atLeast: 1 },
  );
}

function planOf(childCount: number, days: Pick<Partition, 'fromDay' | 'toDay'>): Run {
  const tasks = Array.from({ length: childCount }, (_, i) => ({
    title: `S${i}`,
    slice: { symbols: [`S${i}`], ...days },
  }));
  return {
    ...{ id: 'bench', mode: 'live', source: 'tiingo', verb: 'bench', priority: 'backfill' },
    ...{ createdMs: Date.now(), childCount, tasks, shared: {} },
  };
}

async function emptied({ url }: RunningRedis): Promise<void> {
  const client = new Redis(url);
  await client.flushall();
  client.disconnect();
}

async function usedBytes(client: Redis): Promise<number> {
  const info = await client.info('memory');
  return Number(/used_memory:(\d+)/.exec(info)?.[1]);
}

/** Both ways in turn, each into a folder of its own. */
async function comparedBackfills(redis: RunningRedis, root: string): Promise<void> {
  const folder = join(root, 'files');
  const { rowCount } = writeRealLikeFiles(folder, SYMBOLS[size]);
  const args = ['backfill', 'files', 'candles', folder, '--json'];
  const samples = { process: [] as number[], redis: [] as number[] };
  for (let pair = 0; pair < PAIRS[size]; pair++) {
    const alone = join(root, `alone-${pair}`);
    const inProcess = await runMeasured([cli, ...args], { TAPEWORKS_DATA_DIR: alone });
    checkReport(inProcess.stdout, rowCount);
    samples.process.push(inProcess.wallMs);
    const shared = {
      TAPEWORKS_DATA_DIR: join(root, `redis-${pair}`),
      TAPEWORKS_REDIS_URL: redis.url,
    };
    const worker = await startWorker(cli, shared);
    const queued = await runMeasured([cli, ...args], shared);
    checkReport(queued.stdout, rowCount);
    samples.redis.push(queued.wallMs);
    await worker.stop();
    await emptied(redis);
  }
  const [process, onRedis] = [samples.process, samples.redis].map(
    (ms) => timingFromSamples(ms).medianMs,
  );
  console.log(
    `backfill of ${rowCount.toLocaleString('en-US')} rows: ${readable(process / 1000)} s in the ` +
      `process, ${readable(onRedis / 1000)} s through BullMQ, ratio ${readable(onRedis / process)}`,
  );
  goals.push({ name: '1.3 over the ratio', ratio: (1.3 * process) / onRedis, atLeast: 1 });
}

function checkReport(stdout: string, rowCount: number): void {
  const { accepted, rejected, deadJobs } = JSON.parse(stdout);
  checkResult(accepted + rejected === rowCount, `all ${rowCount} rows are read, got ${accepted}`);
  checkResult(deadJobs.length === 0, 'no job is dead');
}

if (!redisServer) {
  console.log('skipped: no redis-server (install: apt-get install redis-server)');
} else {
  const root = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
  const redis = await startRedis(['--appendfsync', 'everysec']);
  try {
    await emptyJobs(redis);
    await idleChildren(redis, root);
    await addedPlan(redis, join(root, 'plan'));
    await comparedBackfills(redis, root);
  } finally {
    await redis.remove();
    rmSync(root, { recursive: true, force: true });
  }
  console.log(`\n${goalLines(goals)}\n${machineLine()}`);
}
