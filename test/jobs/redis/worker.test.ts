/** Workers and commands while Redis, other workers and other machines make trouble. */

import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/data-dir.ts';
import { readManifest } from '../../../src/store/serving/manifest.ts';
import { type CliFolder, createCliFolder } from '../../cli/run-cli.ts';
import { type RunningRedis, startRedis } from '../../redis-server.ts';
import { redisServer } from '../../tools.ts';
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
    const one = createCliFolder({ ...env, ...more });
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

  const rowCount = async () => (await folder.json('sql', 'SELECT 1 FROM candles')).length;

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
    const first = startWorker(folder);
    await first.said('loads into the store');
    await folder.json(...BACKFILL);
    const epoch = () => readManifest(modePaths(folder.dataDir, 'live').serving)?.epoch ?? 0;
    const before = epoch();
    expect(before).toBeGreaterThan(0);
    const second = startWorker(folder);
    await second.said('takes jobs to fetch, load');
    first.process.kill('SIGKILL');
    const killedMs = performance.now();
    await second.said('loads into the store');
    expect(performance.now() - killedMs).toBeLessThan(60_000);
    await folder.json('backfill', 'tiingo', '--symbols', 'ZZ', '--from', '2024-01-02');
    expect(epoch()).toBeGreaterThan(before);
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
