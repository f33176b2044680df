/**
 * Gain of another machine: a run whose vendor responds slowly, in one process, with one worker and
 * with two. The second worker has its own data directory and shares the folder of segments. Skipped
 * without a redis-server.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { dateFromDay } from '../../src/base/time/dates.ts';
import { runMeasured } from '../../src/bench/measure/measured-child.ts';
import { startVendorServer } from '../../test/ingest/support/vendor-server.ts';
import { type RunningRedis, startRedis } from '../../test/support/redis-server.ts';
import { redisServer } from '../../test/support/tools.ts';
import {
  type BenchSize,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  readable,
} from '../harness.ts';
import { startWorker } from './queue.ts';

/** Sizes of the run, with ten symbols a job. The vendor takes `responseMs` for one symbol. */
const SIZES: Record<BenchSize, { count: number; bars: number; responseMs: number }> = {
  smoke: { count: 20, bars: 20, responseMs: 20 },
  quick: { count: 400, bars: 250, responseMs: 200 },
  full: { count: 1600, bars: 250, responseMs: 200 },
};
const FIRST_DAY = 19_000;
const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const { count, bars, responseMs } = SIZES[benchSizeFromArgs()];
const symbols = Array.from({ length: count }, (_, i) => `S${i}`);

/** Generated: a year of days as Tiingo tells them. */
const answer = JSON.stringify(
  Array.from({ length: bars }, (_, i) => {
    const [open, high, low, close, volume] = [10, 12, 9, 10 + (i % 7) / 4, 1000 + i];
    const adjusted = {
      ...{ adjOpen: open, adjHigh: high, adjLow: low },
      ...{ adjClose: close, adjVolume: volume },
    };
    const date = `${dateFromDay(FIRST_DAY + i)}T00:00:00.000Z`;
    return { date, open, high, low, close, volume, ...adjusted, divCash: 0, splitFactor: 1 };
  }),
);

async function backfill(env: Record<string, string>): Promise<number> {
  const period = ['--from', dateFromDay(FIRST_DAY), '--to', dateFromDay(FIRST_DAY + bars)];
  const args = ['backfill', 'tiingo', '--symbols', symbols.join(','), ...period, '--json'];
  const { stdout, wallMs } = await runMeasured([cli, ...args], env);
  const { accepted, rejected, deadJobs } = JSON.parse(stdout);
  const isWhole = accepted + rejected === count * bars && deadJobs.length === 0;
  checkResult(isWhole, `all ${count * bars} rows are read, got ${accepted}`);
  return wallMs;
}

/** @param workers How many take jobs; 0: the runner in the process. */
async function timed(
  workers: number,
  { root, vendor, redis }: { root: string; vendor: string; redis: RunningRedis },
): Promise<number> {
  const client = new Redis(redis.url);
  await client.flushall();
  client.disconnect();
  const place = join(root, String(workers));
  const env = { TAPEWORKS_TIINGO_URL: vendor, TAPEWORKS_TIINGO_KEY: 'none' };
  const local = { ...env, TAPEWORKS_DATA_DIR: join(place, 'store') };
  if (workers === 0) return backfill(local);
  const shared = { TAPEWORKS_REDIS_URL: redis.url, TAPEWORKS_SEGMENTS_DIR: join(place, 'shared') };
  const first = await startWorker(cli, { ...local, ...shared });
  const others = await Promise.all(
    Array.from({ length: workers - 1 }, (_, i) => {
      const dataDir = join(place, `machine-${i}`);
      const told = 'takes jobs';
      return startWorker(cli, { ...env, ...shared, TAPEWORKS_DATA_DIR: dataDir }, told);
    }),
  );
  try {
    return await backfill({ ...local, ...shared });
  } finally {
    await Promise.all([first, ...others].map((worker) => worker.stop()));
  }
}

if (!redisServer) {
  console.log('skipped: no redis-server (install: apt-get install redis-server)');
} else {
  const root = mkdtempSync(join(tmpdir(), 'tapeworks-bench-'));
  const redis = await startRedis(['--appendfsync', 'everysec']);
  const vendor = await startVendorServer(async (_request, response) => {
    await delay(responseMs);
    response.setHeader('content-type', 'application/json');
    response.end(answer);
  });
  try {
    const places = { root, vendor: vendor.url, redis };
    const ways = ['in the process', 'one worker', 'two workers, the second of another machine'];
    const times: number[] = [];
    for (const [workers, way] of ways.entries()) {
      times.push(await timed(workers, places));
      const perSecond = count / (times[workers] / 1000);
      console.log(
        `${count} symbols, ${responseMs} ms each at the vendor, ${way}: ` +
          `${readable(times[workers] / 1000)} s, ${readable(perSecond)} symbols a second`,
      );
    }
    console.log(`two workers over one: ${readable(times[1] / times[2])} times as fast`);
  } finally {
    await vendor.close();
    await redis.remove();
    rmSync(root, { recursive: true, force: true });
  }
  console.log(machineLine());
}
