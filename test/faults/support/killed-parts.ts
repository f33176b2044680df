/** Processes that are killed and started again while a flow runs: workers, an API, Redis. */

import type { ChildProcess } from 'node:child_process';
import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningRedis } from '../../support/redis-server.ts';

export interface Part {
  start(): Promise<void>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** @param ready What it writes to either stream once it works. */
export function processPart(spawn: () => ChildProcess, ready: string): Part {
  let child: ChildProcess | undefined;
  return {
    start() {
      const started = spawn();
      child = started;
      return new Promise((resolve, reject) => {
        let said = '';
        for (const stream of [started.stdout, started.stderr]) {
          stream?.on('data', (chunk) => {
            if (said.includes(ready)) return;
            said += chunk;
            if (said.includes(ready)) resolve();
          });
        }
        started.once('exit', (code) => {
          if (code !== null) reject(new Error(`ended with ${code} before "${ready}": ${said}`));
        });
      });
    },
    async kill(signal = 'SIGKILL') {
      const ended = new Promise((resolve) => child?.once('exit', resolve));
      child?.kill(signal);
      await ended;
    },
  };
}

/** Between two looks at what Redis has written. */
const LOOK_MS = 100;
/** `appendfsync everysec` promises the disk all but the last second. */
const UNSYNCED_MS = 1000;

/**
 * Redis on a machine that loses its power: what it wrote in the last second is gone. A kill alone
 * leaves that with the system, and loses nothing.
 */
export function powerCutRedis(redis: RunningRedis): Part & { lostBytes(): number; end(): void } {
  const folder = join(redis.folder, 'appendonlydir');
  const sizes: { atMs: number; file: string; bytes: number }[] = [];
  let lost = 0;
  const newest = () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.incr.aof'));
    const file = join(folder, names.sort((a, b) => numberOf(a) - numberOf(b))[names.length - 1]);
    return { atMs: performance.now(), file, bytes: statSync(file).size };
  };
  const timer = setInterval(() => sizes.push(newest()), LOOK_MS);
  return {
    start: redis.start,
    async kill() {
      await redis.kill();
      const now = newest();
      const synced = sizes.findLast(
        ({ atMs, file }) => file === now.file && atMs < now.atMs - UNSYNCED_MS,
      );
      if (!synced) return;
      lost += now.bytes - synced.bytes;
      truncateSync(now.file, synced.bytes);
    },
    lostBytes: () => lost,
    end: () => clearInterval(timer),
  };
}

const numberOf = (name: string) => Number(/\.(\d+)\.incr/.exec(name)?.[1]);
