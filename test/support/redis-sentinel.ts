/** A master, its replica, and a sentinel that promotes the one when the other is gone. */

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort, type RunningRedis, startRedis, untilReady } from './redis-server.ts';
import { redisServer } from './tools.ts';

export interface RunningSentinel {
  /** Names the sentinel, behind another one that is away. */
  url: string;
  master: RunningRedis;
  replica: RunningRedis;
  /** Resolves when the replica is the master. */
  promoted(): Promise<void>;
  remove(): Promise<void>;
}

/** Milliseconds without an answer after which the master is given up. */
const DOWN_MS = 500;

export async function startSentinel(): Promise<RunningSentinel> {
  const folder = mkdtempSync(join(tmpdir(), 'tapeworks-sentinel-'));
  const port = await freePort();
  const master = await startRedis();
  const [host, masterPort] = new URL(master.url).host.split(':');
  const replica = await startRedis(['--replicaof', host, masterPort]);
  const client = new Redis(replica.url);
  await until(async () => (await client.info('replication')).includes('master_link_status:up'));
  const config = join(folder, 'sentinel.conf');
  writeFileSync(
    config,
    [
      ...[`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`],
      `sentinel monitor store ${host} ${masterPort} 1`,
      `sentinel down-after-milliseconds store ${DOWN_MS}`,
      'sentinel failover-timeout store 5000',
    ].join('\n'),
  );
  const sentinel = spawn(String(redisServer), [config, '--sentinel'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await untilReady(sentinel, '+monitor');
  const asked = new Redis(port);
  await hurry(asked);
  // It knows of a replica only once it has asked the master for them.
  await until(async () => ((await asked.call('SENTINEL', 'REPLICAS', 'store')) as []).length > 0);
  return {
    url: `redis+sentinel://127.0.0.1:1,127.0.0.1:${port}/store`,
    master,
    replica,
    promoted: () => until(async () => (await client.info('replication')).includes('role:master')),
    async remove() {
      for (const one of [client, asked]) one.disconnect();
      const ended = new Promise((resolve) => sentinel.once('exit', resolve));
      sentinel.kill('SIGKILL');
      await ended;
      await Promise.all([master.remove(), replica.remove()]);
      rmSync(folder, { recursive: true });
    },
  };
}

/**
 * Shortens the periods of a sentinel. By default it pings its servers every second and requests
 * their roles every ten.
 */
async function hurry(sentinel: Redis): Promise<void> {
  const periods = { 'info-period': 200, 'ping-period': 100, 'ask-period': 100 };
  for (const [name, ms] of Object.entries(periods)) {
    // An earlier Redis than 7 can't be told.
    await sentinel.call('SENTINEL', 'DEBUG', name, ms).catch(() => undefined);
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}
