/**
 * The fleet of deploy/compose.fleet.yaml without containers: its commands and settings, each role
 * in a data folder of its own, with Redis and Caddy. A folder takes the place of the bucket.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCandleFile } from '../cli/support/candle-file.ts';
import { type CliFolder, createCliFolder } from '../cli/support/run-cli.ts';
import { sharedFolder } from '../support/folders.ts';
import { freePort, type RunningRedis, startRedis } from '../support/redis-server.ts';
import { long } from '../support/store-runs.ts';
import { caddy, redisServer } from '../support/tools.ts';
import { type Balancer, startBalancer, startClient } from './balancer.ts';
import { root, type Service, servicesOf } from './files.ts';

const services = servicesOf('deploy/compose.fleet.yaml');
const ROLES = ['worker-1', 'worker-2', 'schedule', 'api-1', 'api-2'];

describe.skipIf(!caddy || !redisServer)('the fleet', () => {
  const home = sharedFolder();
  const running = new Map<string, ChildProcess>();
  const ports: Record<string, number> = {};
  let redis: RunningRedis;
  let balancer: Balancer;
  /** Commands in the volume of the worker, as `docker compose exec` runs them. */
  let publisher: CliFolder;
  let key: string;

  /** Returns the folder that is the volume of a service. */
  function volumeOf({ volumes }: Service): string {
    const folder = join(home, String(volumes?.[0].split(':')[0]));
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Returns the environment of a service, with the engines of this machine. */
  function environmentOf(name: string): Record<string, string> {
    const given = Object.entries(services[name].environment ?? {});
    // Accounts in Postgres have tests of their own.
    const ours = given.filter(([setting]) => !/^AWS_|_ACCOUNTS_URL$/.test(setting));
    return {
      ...Object.fromEntries(ours),
      PATH: process.env.PATH ?? '',
      TAPEWORKS_DATA_DIR: volumeOf(services[name]),
      TAPEWORKS_REDIS_URL: redis.url,
      TAPEWORKS_SNAPSHOTS_URL: pathToFileURL(join(home, 'bucket')).href,
      TAPEWORKS_SEGMENTS_URL: pathToFileURL(join(home, 'segments')).href,
      TAPEWORKS_ADMIN_TOKEN: 'an-operator-of-the-fleet',
      TAPEWORKS_WEBHOOK_KEY: Buffer.alloc(32, 1).toString('base64'),
      TAPEWORKS_PORT: String(ports[name] ?? 0),
      TAPEWORKS_LOG_LEVEL: 'error',
    };
  }

  function launch(name: string): ChildProcess {
    const args = [join(root, 'bin/tapeworks.js'), ...services[name].command];
    return spawn(process.execPath, args, {
      env: environmentOf(name),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }

  function ask(address: string, path: string): Promise<number> {
    const options = { headers: { 'X-API-Key': key } };
    return fetch(`${address}${path}`, options).then(
      ({ status }) => status,
      () => 0,
    );
  }

  beforeAll(async () => {
    redis = await startRedis();
    for (const name of ROLES) if (name.startsWith('api-')) ports[name] = await freePort();
    publisher = createCliFolder(environmentOf('worker-1'));
    key = (await publisher.key('live')).headers['X-API-Key'];
    // Accounts in Postgres are shared; those in a file are copied.
    const accounts = join(volumeOf(services['worker-1']), 'accounts.sqlite');
    for (const name of ['api-1', 'api-2']) {
      cpSync(accounts, join(volumeOf(services[name]), 'accounts.sqlite'));
    }
    for (const name of ROLES) running.set(name, launch(name));
    balancer = await startBalancer(home, Object.values(ports));
  });
  afterAll(async () => {
    balancer?.process.kill('SIGTERM');
    for (const child of running.values()) child.kill('SIGKILL');
    await publisher?.remove();
    await redis?.remove();
  });

  it('serves on both machines what the worker loads, behind the load balancer', async () => {
    const file = join(home, 'AAA.csv');
    writeCandleFile(file, '2025-01-02', '2025-03-31');
    await publisher.json('backfill', 'files', 'candles', file);
    for (const port of Object.values(ports)) {
      await expect.poll(() => ask(`http://127.0.0.1:${port}`, '/v1/svc/quotes/AAA')).toBe(200);
    }
    await expect.poll(() => ask(balancer.address, '/v1/svc/quotes/AAA')).toBe(200);
  });

  long('serves on while one machine is restarted, without a failed request', async () => {
    const client = startClient(`${balancer.address}/v1/svc/quotes/AAA`, { 'X-API-Key': key });
    await expect.poll(() => client.count('200')).toBeGreaterThan(20);
    const restarted = running.get('api-1') as ChildProcess;
    restarted.kill('SIGTERM');
    const [code] = await once(restarted, 'exit');
    expect(code).toBe(0);
    const before = client.count('200');
    running.set('api-1', launch('api-1'));
    await expect.poll(() => ask(`http://127.0.0.1:${ports['api-1']}`, '/readyz')).toBe(200);
    await expect.poll(() => client.count('200')).toBeGreaterThan(before + 20);
    expect(await client.stop()).toEqual(['200']);
  });

  it('serves on while the worker and one machine are gone, and hides metrics', async () => {
    for (const name of ['worker-1', 'api-2']) running.get(name)?.kill('SIGKILL');
    const statuses = new Set<number>();
    for (let i = 0; i < 50; i++) statuses.add(await ask(balancer.address, '/v1/svc/quotes/AAA'));
    expect([...statuses]).toEqual([200]);
    expect(await ask(balancer.address, '/metrics')).toBe(404);
  });

  it('stops within its grace, each with exit code 0', async () => {
    for (const name of ['api-1', 'schedule', 'worker-2']) {
      const child = running.get(name) as ChildProcess;
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      expect([name, code]).toEqual([name, 0]);
    }
  });
});
