/** A real Redis of the test's own: a free port, a folder of its own, and ways to hurt it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freeze } from './freeze.ts';
import { redisServer } from './tools.ts';

export interface RunningRedis {
  url: string;
  /** Folder of the server's files. */
  folder: string;
  /** Ends the server at once and starts it again over the same files. */
  restart(): Promise<void>;
  /** Ends it at once. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it where it is, as a machine does that hangs: its connections stay. */
  freeze(): Promise<void>;
  thaw(): void;
  /** Ends it and deletes its folder. */
  remove(): Promise<void>;
}

export async function startRedis(settings: readonly string[] = []): Promise<RunningRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-redis-'));
  const port = await freePort();
  let server: ChildProcess | undefined;
  const start = async () => {
    const args = ['--port', String(port), '--dir', folder, '--appendonly', 'yes', '--save', ''];
    const safe = ['--maxmemory-policy', 'noeviction', '--bind', '127.0.0.1'];
    server = spawn(String(redisServer), [...args, ...safe, ...settings], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await untilReady(server);
  };
  const kill = async () => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    folder,
    start,
    kill,
    freeze: () => freeze(Number(server?.pid)),
    thaw: () => server?.kill('SIGCONT'),
    async restart() {
      await kill();
      await start();
    },
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function untilReady(
  server: ChildProcess,
  text = 'Ready to accept connections',
): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stdout?.on('data', (chunk) => {
      said += chunk;
      if (said.includes(text)) resolve();
    });
    server.once('exit', () => reject(new Error(`redis-server ended: ${said}`)));
  });
}

/** Ports from 10000 to 29999, of which each process of a run has every tenth. */
const PORTS = { first: 10_000, count: 2000, processes: 10 };
const given = new Set<number>();

/**
 * Returns a port on which nothing listens, and which no other test of the run gets. The system gives
 * ports from 32768 on to connections, one of which could take it before its server has it, or while
 * that is away.
 */
export async function freePort(): Promise<number> {
  const place = Number(process.env.VITEST_POOL_ID ?? 0) % PORTS.processes;
  for (;;) {
    const port = PORTS.first + randomInt(PORTS.count) * PORTS.processes + place;
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
