/** Workers and commands while the master of their sentinels hangs, dies, or forgets jobs. */

import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseMetrics } from '../../api/support/prometheus-text.ts';
import { askAsOperator, OPERATOR_ENV } from '../../cli/support/operator.ts';
import { type CliFolder, createCliFolder, QUICK_CLI } from '../../cli/support/run-cli.ts';
import { isLong } from '../../faults/scale.ts';
import { type RunningSentinel, startSentinel } from '../../support/redis-sentinel.ts';
import { startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';
import { startTiingo, type TiingoServer } from '../runner/tiingo-server.ts';

const SYMBOLS = Array.from({ length: 15 }, (_, i) => `S${i + 10}`);
const backfillOf = (symbols: readonly string[]) => [
  ...['backfill', 'tiingo', '--symbols', symbols.join(',')],
  ...['--from', '2024-01-01', '--to', '2024-01-06'],
];

describe.skipIf(!redisServer)('a failover', () => {
  let sentinel: RunningSentinel;
  let vendor: TiingoServer;
  let folder: CliFolder;
  const started: ChildProcess[] = [];

  beforeEach(async () => {
    [sentinel, vendor] = await Promise.all([startSentinel(), startTiingo()]);
    folder = createCliFolder(
      { ...OPERATOR_ENV, ...vendor.env, TAPEWORKS_REDIS_URL: sentinel.url },
      QUICK_CLI,
    );
  });
  afterEach(async () => {
    for (const child of started.splice(0)) child.kill('SIGKILL');
    await folder.remove();
    await vendor.close();
    await sentinel.remove();
  });

  /** Starts a command; `said` resolves when it has written a text to stderr. */
  function spawned(...args: string[]) {
    const child = folder.spawn(...args);
    started.push(child);
    const told = { stdout: '', stderr: '' };
    const waiting = new Set<() => void>();
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk) => {
        told[name] += chunk;
        for (const check of waiting) check();
      });
    }
    const said = (text: string) =>
      new Promise<void>((resolve) => {
        const check = () => told.stderr.includes(text) && resolve();
        waiting.add(check);
        check();
      });
    const ended = new Promise<typeof told>((resolve) => child.once('close', () => resolve(told)));
    return { said, document: async () => JSON.parse((await ended).stdout) };
  }

  it('is survived by all that ask Redis', async () => {
    spawned('worker');
    const { document: server } = await folder.start('serve');
    vendor.hold('S12');
    const command = spawned(...backfillOf(SYMBOLS), '--json');
    await vendor.untilAsked('S12');
    // In the long form it hangs: its connections stay, and are given up when they are silent.
    if (isLong) await sentinel.master.freeze();
    else await sentinel.master.kill();
    await sentinel.promoted();
    vendor.release('S12');
    expect(await command.document()).toMatchObject({ segments: 15, deadJobs: [] });
    // The old master comes back as a replica, in nobody's way.
    if (isLong) sentinel.master.thaw();
    else await sentinel.master.start();
    const { checks } = JSON.parse((await folder.run('doctor', '--json')).stdout);
    expect(checks.find(({ name }: { name: string }) => name === 'redis')).toMatchObject({
      state: 'ok',
      detail: sentinel.url,
    });
    const families = parseMetrics((await askAsOperator(`${server.address}/metrics`)).text);
    expect(families.get('tapeworks_jobs')?.value('', { queue: 'load', state: 'done' })).toBe(1);
    expect((await askAsOperator(`${server.address}/jobs/api/queues?activeQueue=load`)).status).toBe(
      200,
    );
    expect(await folder.json(...backfillOf(['ZZ']))).toMatchObject({ segments: 1 });
  });

  it('that loses a run is noticed: the run continues with the fetched data', async () => {
    // What the master is told from here on reaches nobody.
    await sentinel.replica.freeze();
    const master = new Redis(sentinel.master.url);
    await master.call('CLIENT', 'KILL', 'TYPE', 'replica');
    spawned('worker');
    vendor.hold('S22');
    const command = spawned(...backfillOf(SYMBOLS), '--json');
    await Promise.all([vendor.untilAsked('S19'), vendor.untilAsked('S22')]);
    await command.said('fetch: 1');
    master.disconnect();
    await sentinel.master.kill();
    sentinel.replica.thaw();
    await command.said('it lost jobs of the run, which are added again');
    vendor.release('S22');
    expect(await command.document()).toMatchObject({ segments: 15, deadJobs: [] });
    const asked = vendor.asked();
    for (const symbol of SYMBOLS.slice(0, 10)) {
      expect(asked.filter((one) => one === symbol)).toEqual([symbol]);
    }
  });
});

describe.skipIf(!redisServer)('a master that is made a replica for a while', () => {
  it('is waited for by workers, and refused by who adds jobs', async () => {
    const [redis, other, vendor] = await Promise.all([startRedis(), startRedis(), startTiingo()]);
    const folder = createCliFolder(
      { ...OPERATOR_ENV, ...vendor.env, TAPEWORKS_REDIS_URL: redis.url },
      QUICK_CLI,
    );
    const worker = folder.spawn('worker');
    worker.stdout?.resume();
    worker.stderr?.resume();
    const [one, two] = [new Redis(redis.url), new Redis(other.url)];
    try {
      vendor.hold('S12');
      const report = folder.json(...backfillOf(SYMBOLS));
      await vendor.untilAsked('S12');
      const [host, port] = new URL(other.url).host.split(':');
      await two.replicaof(...(new URL(redis.url).host.split(':') as [string, string]));
      while (!(await two.info('replication')).includes('master_link_status:up')) await delay(20);
      await two.replicaof('NO', 'ONE');
      await one.replicaof(host, port);
      vendor.release('S12');
      const { code, stderr } = await folder.run(...backfillOf(['ZZ']));
      expect([code, stderr]).toEqual([1, expect.stringContaining('READONLY')]);
      await one.replicaof('NO', 'ONE');
      expect(await report).toMatchObject({ segments: 15, deadJobs: [] });
    } finally {
      worker.kill('SIGKILL');
      one.disconnect();
      two.disconnect();
      await folder.remove();
      await vendor.close();
      await Promise.all([redis.remove(), other.remove()]);
    }
  });
});
