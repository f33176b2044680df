/** Workers and commands while Redis, other workers and other machines make trouble. */

import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import { readManifest } from '../../../src/store/arrow/format/manifest.ts';
import { queryMarket } from '../../../src/store/duckdb/connection/query.ts';
import { type CliFolder, createCliFolder, QUICK_CLI } from '../../cli/support/run-cli.ts';
import { isLong, scaled, tell } from '../../faults/scale.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';
import { startTiingo, type TiingoServer } from '../runner/tiingo-server.ts';

const SYMBOLS = Array.from({ length: 15 }, (_, i) => `S${i + 10}`);
const BACKFILL = [
  ...['backfill', 'tiingo', '--symbols', SYMBOLS.join(',')],
  ...['--from', '2024-01-01', '--to', '2024-01-06'],
];

interface Worker {
  process: ChildProcess;
  /** Resolves when it has printed or logged a text. */
  said(text: string): Promise<void>;
  /** The exit code. */
  ended: Promise<number | null>;
}

describe.skipIf(!redisServer)('workers', () => {
  let redis: RunningRedis;
  let vendor: TiingoServer;
  let shared: string;
  let env: Record<string, string>;
  let folder: CliFolder;
  const folders: CliFolder[] = [];
  const workers: Worker[] = [];

  beforeEach(async () => {
    redis = await startRedis();
    vendor = await startTiingo();
    shared = mkdtempSync(join(tmpdir(), 'tapeworks-'));
    env = { ...vendor.env, TAPEWORKS_REDIS_URL: redis.url, TAPEWORKS_LOG_LEVEL: 'info' };
    folder = machine();
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) worker.process.kill('SIGKILL');
    for (const one of folders.splice(0)) await one.remove();
    await vendor.close();
    await redis.remove();
    rmSync(shared, { recursive: true });
  });

  /** A data directory of its own, as another machine has. */
  function machine(more: Record<string, string> = {}): CliFolder {
    const one = createCliFolder({ ...env, ...more }, isLong ? undefined : QUICK_CLI);
    folders.push(one);
    return one;
  }

  function startWorker(on: CliFolder, ...args: string[]): Worker {
    const child = on.spawn('worker', ...args);
    let log = '';
    const waiting = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        log += chunk;
        for (const check of waiting) check();
      });
    }
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const said = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const check = () => log.includes(text) && resolve();
        waiting.add(check);
        check();
        ended.then(() => reject(new Error(`ended before it said "${text}": ${log}`)));
      });
    const worker = { process: child, said, ended };
    workers.push(worker);
    return worker;
  }

  const rowCount = async () =>
    (await queryMarket(modePaths(folder.dataDir, 'live'), 'SELECT 1 FROM candles')).rows.length;

  it('wait for Redis, where commands that add jobs fail at once', async () => {
    await redis.kill();
    const { code, stderr } = await folder.run(...BACKFILL);
    expect(code).toBe(1);
    expect(stderr).toContain(`Redis at ${redis.url}`);
    expect(stderr).toContain('does not answer');
    const worker = startWorker(folder);
    await worker.said('waits for Redis');
    await redis.start();
    expect(await folder.json(...BACKFILL)).toMatchObject({ segments: 15 });
  });

  it('survive a Redis that dies and comes back while they work', async () => {
    startWorker(folder);
    vendor.hold('S12');
    const report = folder.json(...BACKFILL);
    await vendor.untilAsked('S12');
    await redis.restart();
    vendor.release('S12');
    expect(await report).toMatchObject({ segments: 15, deadJobs: [] });
    expect(await rowCount()).toBe(60);
  });

  it('take jobs again after all connections were killed, also while nothing was to do', async () => {
    const worker = startWorker(folder);
    await worker.said('loads into the store');
    const client = new Redis(redis.url);
    for (const type of ['normal', 'pubsub']) {
      await client.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes');
    }
    client.disconnect();
    expect(await folder.json(...BACKFILL)).toMatchObject({ segments: 15, deadJobs: [] });
  });

  it('load one at a time, and another takes over with a higher epoch', async () => {
    const epoch = () => readManifest(modePaths(folder.dataDir, 'live').serving)?.epoch ?? 0;
    const path = join(folder.dataDir, 'local.csv');
    /** Without children: its load is all there is to do. */
    const load = (day: number) => {
      writeFileSync(path, `Date,Open,High,Low,Close,Volume\n2024-01-0${day},1,2,1,2,10\n`);
      return folder.json('backfill', 'files', 'candles', path);
    };
    let holder = startWorker(folder);
    await holder.said('loads into the store');
    await load(2);
    const tookMs: number[] = [];
    for (let time = 0; time < scaled(1, 5); time++) {
      const before = epoch();
      expect(before).toBeGreaterThan(0);
      const next = startWorker(folder);
      await next.said('takes jobs to fetch, load');
      holder.process.kill('SIGKILL');
      const killedMs = performance.now();
      await load(3 + time);
      tookMs.push(Math.round(performance.now() - killedMs));
      expect(epoch()).toBeGreaterThan(before);
      holder = next;
    }
    // From the kill to the publish of the other's first load; the command's own start is in it.
    expect(Math.max(...tookMs)).toBeLessThan(60_000);
    tell('takeovers', { times: tookMs.length, 'ms at most': Math.max(...tookMs) });
  });

  it('of other machines only fetch, into a folder that all see', async () => {
    const store = machine({ TAPEWORKS_SEGMENTS_DIR: shared });
    const other = machine({ TAPEWORKS_SEGMENTS_DIR: shared });
    await startWorker(store, '--queues', 'load').said('loads into the store');
    await startWorker(other).said('takes jobs to fetch\n');
    const { code, stderr } = await other.run('worker', '--queues', 'load');
    expect(code).toBe(2);
    expect(stderr).toContain('another store');
    expect(await store.json(...BACKFILL)).toMatchObject({ segments: 15, accepted: 60 });
  });

  it('give back what they fetch when they are stopped', async () => {
    const first = startWorker(folder);
    vendor.hold('S12');
    const report = folder.json(...BACKFILL);
    await vendor.untilAsked('S12');
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    vendor.release('S12');
    startWorker(folder);
    expect(await report).toMatchObject({ segments: 15, deadJobs: [] });
  });
});
