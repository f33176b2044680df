/** Redis, a vendor and workers of their own for each test. */

import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type CliFolder, createCliFolder } from '../../cli/support/run-cli.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { startTiingo, type TiingoServer } from '../runner/tiingo-server.ts';

const SYMBOLS = Array.from({ length: 15 }, (_, i) => `S${i + 10}`);

/** A backfill of fifteen symbols, four bars each. */
export const BACKFILL = [
  ...['backfill', 'tiingo', '--symbols', SYMBOLS.join(',')],
  ...['--from', '2024-01-01', '--to', '2024-01-06'],
];

interface Worker {
  process: ChildProcess;
  /** Resolves when it has printed or logged a text. */
  said(text: string): Promise<void>;
  /** Exit code. */
  ended: Promise<number | null>;
}

/** Parts that exist while a test runs. */
interface WorkersFixture {
  redis: RunningRedis;
  vendor: TiingoServer;
  /** Folder that several machines can have in common. */
  shared: string;
  folder: CliFolder;
  /** Makes a data directory of its own, as another machine has. */
  machine(more?: Record<string, string>): CliFolder;
  startWorker(on: CliFolder, ...args: string[]): Worker;
}

export function useWorkers(): WorkersFixture {
  const fixture = { machine, startWorker } as WorkersFixture;
  let env: Record<string, string>;
  const folders: CliFolder[] = [];
  const workers: Worker[] = [];

  beforeEach(async () => {
    const [redis, vendor] = await Promise.all([startRedis(), startTiingo()]);
    env = { ...vendor.env, TAPEWORKS_REDIS_URL: redis.url, TAPEWORKS_LOG_LEVEL: 'info' };
    const shared = mkdtempSync(join(tmpdir(), 'tapeworks-'));
    Object.assign(fixture, { redis, vendor, shared, folder: machine() });
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) worker.process.kill('SIGKILL');
    for (const one of folders.splice(0)) await one.remove();
    await fixture.vendor.close();
    await fixture.redis.remove();
    rmSync(fixture.shared, { recursive: true });
  });

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
  return fixture;
}
