/** Services of deploy/systemd, started and stopped as systemd does, by a user without a home. */

import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, chownSync, constants, readFileSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRunning } from '../../src/base/is-running.ts';
import { sharedFolder } from '../support/folders.ts';
import { type RunningRedis, startRedis } from '../support/redis-server.ts';
import { redisServer } from '../support/tools.ts';
import { linesOf, units } from './service-units.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const NOBODY = 65534;

/** Returns true if other users can reach the checkout. */
function isOpenToAll(path: string): boolean {
  for (let at = path; at !== parse(at).root; at = dirname(at)) {
    try {
      accessSync(at, constants.X_OK);
    } catch {
      return false;
    }
  }
  return true;
}

const dataDir = sharedFolder();
const services: ChildProcess[] = [];
beforeAll(() => {
  if (process.getuid?.() === 0) chownSync(dataDir, NOBODY, NOBODY);
});
afterAll(() => {
  for (const service of services) service.kill('SIGKILL');
});

/** Starts a unit with the little environment that systemd gives; resolves once it says `ready`. */
async function startUnit(unit: string, instance: string, ready: RegExp, redisUrl?: string) {
  const [command, ...args] = linesOf(unit, 'ExecStart')[0]
    .replaceAll('%i', instance)
    .replace(' $OPTIONS', '')
    .replaceAll('/opt/tapeworks', root)
    .replace('/usr/bin/node', process.execPath)
    .split(' ');
  const isRoot = process.getuid?.() === 0 && isOpenToAll(root);
  const service = spawn(command, args, {
    cwd: root,
    env: {
      ...{ PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin', LANG: 'C.UTF-8' },
      ...{ TAPEWORKS_DATA_DIR: dataDir, TAPEWORKS_PORT: '0', TAPEWORKS_LOG_LEVEL: 'error' },
      ...(redisUrl ? { TAPEWORKS_REDIS_URL: redisUrl } : {}),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  services.push(service);
  let said = '';
  for (const stream of [service.stdout, service.stderr]) {
    stream.on('data', (chunk) => {
      said += chunk;
    });
  }
  await expect.poll(() => said).toMatch(ready);
  return service;
}

/** Stops a service as systemd does; its children end with it. */
async function expectCleanStop(service: ChildProcess): Promise<void> {
  const pid = service.pid as number;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  service.kill('SIGTERM');
  const code = await new Promise((resolve) => service.once('close', resolve));
  expect(code).toBe(0);
  expect(children.filter((child) => child !== '' && isRunning(Number(child)))).toEqual([]);
}

describe.runIf(process.platform === 'linux')('as a user without a home', () => {
  it('start answers and stops', async () => {
    await expectCleanStop(await startUnit(units[0], '', /listens on http/i));
  });

  describe.skipIf(!redisServer)('with Redis', () => {
    let redis: RunningRedis;
    beforeAll(async () => {
      redis = await startRedis();
    });
    afterAll(() => redis.remove());

    it('serve, worker and schedule work and stop', async () => {
      const ready = { serve: /listens on http/i, worker: /takes jobs/, schedule: /schedules: / };
      for (const [verb, said] of Object.entries(ready)) {
        await expectCleanStop(await startUnit(units[1], verb, said, redis.url));
      }
    });
  });
});
