/** Jobs in a real Redis that another program wrote, or a person, and a worker that meets them. */

import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Queue } from 'bullmq';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connectRedis } from '../../../jobs/redis/connection.ts';
import { deliverByJobs } from '../../../jobs/redis/delivery-jobs.ts';
import { queueReader } from '../../../jobs/redis/queue-reader.ts';
import { openQueues, type QueueName, type Queues } from '../../../jobs/redis/queues.ts';
import { openRedisRunner, type RedisRunner } from '../../../jobs/redis/redis-runner.ts';
import type { JobLine } from '../../../jobs/redis/take-jobs.ts';
import { runWorker } from '../../../jobs/redis/worker.ts';
import { runRequest } from '../../../jobs/runner/run-request.ts';
import { type Settings, settingsFromEnv } from '../../../src/base/config/config.ts';
import { accountsPath } from '../../../src/base/config/data-dir.ts';
import { createJobsBoard } from '../../../src/cli/server/jobs-board.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import type { Accounts } from '../../../src/store/accounts/records/contract.ts';
import { sharedFolder } from '../../support/folders.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';

const SLICE = { symbols: ['A'] };
const LOAD = {
  ...{ mode: 'live', source: 'files', verb: 'backfill files', priority: 'backfill' },
  ...{ createdMs: 1_700_000_000_000, childCount: 0 },
};

describe.skipIf(!redisServer)('a job of another program', () => {
  let redis: RunningRedis;
  const folder = sharedFolder();
  let settings: Settings;
  let queues: Queues;
  let runner: RedisRunner;
  let accounts: Accounts;
  beforeAll(async () => {
    redis = await startRedis();
    settings = settingsFromEnv({
      TAPEWORKS_DATA_DIR: join(folder, 'data'),
      TAPEWORKS_REDIS_URL: redis.url,
    });
    accounts = openAccounts(accountsPath(settings.dataDir));
    queues = openQueues(redis.url);
    runner = await openRedisRunner(settings, redis.url);
  });
  afterAll(async () => {
    await accounts.close();
    await runner.close();
    await queues.close();
    await redis.remove();
  });

  const outside = () => join('..', '..', '..', '..', '..', '..', folder, 'outside');
  /** Queue, name of the job, its id, its payload, and why it is dead. */
  const foreign = (): [QueueName, string, string, unknown, string][] => [
    ['fetch', 'rss', 'p-x-0', null, 'its payload'],
    ['fetch', 'rss', 'p-x-1', { mode: 'live' }, 'slice'],
    ['fetch', 'rss', 'p-x-2', { mode: outside(), slice: SLICE }, 'mode'],
    ['fetch', 'rss', `${outside()}-x-0`, { mode: 'live', slice: SLICE }, "the job's id"],
    ['fetch', 'rss', 'p-x-3', { mode: 'live', slice: { ...SLICE, newOption: 1 } }, '"newOption"'],
    ['fetch', 'rss', 'p-x-4', { mode: 'live', slice: { asOfUs: 'now' } }, 'slice.asOfUs'],
    ['fetch', 'morse', 'p-x-5', { mode: 'live', slice: SLICE }, '"morse" is not a source'],
    ['load', 'files', 'nothing', null, 'its payload'],
    ['load', 'files', 'newer', { ...LOAD, id: 'newer', newField: 1 }, '"newField"'],
    ['load', 'files', 'other', { ...LOAD, id: outside() }, 'id'],
    ['maintenance', 'maintenance', 'melt', { ...LOAD, id: 'melt', task: 'melt' }, 'task'],
    ['webhooks', 'deliver', 'due', [], 'its payload'],
  ];
  /** Written by no program: their payloads are no JSON. */
  const broken: [QueueName, string, string][] = [
    ['fetch', 'p-x-9', '{"mode":"live","slice":{"symb'],
    ['load', 'torn', 'null,'],
  ];

  it('is listed while it waits, then fails with its reason, and blocks no other job', async () => {
    for (const [queue, name, id, data] of foreign()) {
      await (queues[queue] as Queue).add(name, data, { jobId: id });
    }
    const client = await connectRedis(redis.url);
    for (const [queue, id, data] of broken) {
      await (queues[queue] as Queue).add('files', {}, { jobId: id });
      await client.hset(`tw:${queue}:${id}`, 'data', data);
    }
    client.disconnect();
    const waiting = await queueReader(queues).jobs('waiting');
    expect(waiting).toHaveLength(foreign().length + broken.length);
    for (const [queue, id] of broken) {
      expect(waiting.find((job) => job.id === id)).toMatchObject({
        ...{ queue, verb: 'files', reason: expect.stringContaining('damaged in Redis') },
      });
    }
    expect(await runner.isUnfinished('nothing')).toBe(false);

    const lines: JobLine[] = [];
    const stop = new AbortController();
    const log = { job: (line: JobLine) => lines.push(line), unforeseen() {}, note() {} };
    const worked = runWorker({
      ...{ settings, url: redis.url, queues: undefined, log, signal: stop.signal },
      onReady() {},
      follow: async () => {},
      deliver: (signal) =>
        deliverByJobs({
          ...{ accounts, settings, url: redis.url, jobLog: log, signal },
          log: { delivery() {}, failure() {} },
        }),
    });
    const path = join(folder, 'bars.csv');
    writeFileSync(path, 'symbol,date,open,high,low,close,volume\nA,2024-01-02,1,2,1,2,10\n');
    const question = {
      mode: 'live' as const,
      source: 'files',
      options: { dataset: 'candles', path },
    };
    const outcome = await runRequest(runner, question, { settings });
    expect(outcome).toMatchObject({ report: { accepted: 1 } });
    await vi.waitUntil(
      () =>
        lines.filter(({ outcome }) => outcome === 'dead').length ===
        foreign().length + broken.length,
      20_000,
    );
    writeFileSync(path, 'hello,world\n1,2\n');
    const refused = await runRequest(runner, question, { settings });
    expect(refused).toMatchObject({ failure: { kind: 'empty' } });
    stop.abort();
    await worked;

    const dead = await queueReader(queues).jobs('dead');
    const reasons = broken.map(([queue, id]) => [queue, '', id, '', 'damaged in Redis'] as const);
    for (const [queue, , id, , reason] of [...foreign(), ...reasons]) {
      expect(dead.find((job) => job.id === id)).toMatchObject({
        ...{ queue, kind: 'malformed', reason: expect.stringContaining(reason) },
      });
    }
    expect(existsSync(join(folder, 'outside'))).toBe(false);
    // They keep nobody from seeing the others.
    const { jobs, ended } = await queueReader(queues).figures();
    expect(jobs).toContainEqual({ queue: 'load', state: 'dead', count: 4 });
    expect(jobs).toContainEqual({ queue: 'load', state: 'input', count: 1 });
    expect(ended).toMatchObject([
      { source: 'files', state: 'failed', isInputFault: true, accepted: null },
    ]);
    // They stay as they are: the program that wrote them can still run them.
    // The one of the source is like any other.
    expect(await runner.retry('all')).toHaveLength(2);
    expect(await runner.retry(['newer', 'p-x-3'])).toEqual([]);
    expect((await queues.load.getJob('newer'))?.data).toEqual({
      ...LOAD,
      id: 'newer',
      newField: 1,
    });
  });

  it('hides no other job where nothing of it can be read', async () => {
    await (queues.webhooks as Queue).add('deliver', {}, { jobId: 'whole' });
    const fields = ['opts', 'progress', 'parent'];
    const client = await connectRedis(redis.url);
    for (const field of fields) {
      await (queues.webhooks as Queue).add('deliver', {}, { jobId: `no-${field}` });
      await client.hset(`tw:webhooks:no-${field}`, field, '{');
    }
    client.disconnect();
    const waiting = await queueReader(queues).jobs('waiting');
    expect(waiting.find(({ id }) => id === 'whole')).toMatchObject({ reason: null });
    for (const field of fields) {
      expect(waiting.find(({ id }) => id === `no-${field}`)).toMatchObject({
        ...{ queue: 'webhooks', kind: 'malformed' },
        reason: expect.stringContaining('damaged in Redis'),
      });
    }
    const { jobs, next } = await queueReader(queues).figures();
    expect(jobs).toContainEqual({ queue: 'webhooks', state: 'waiting', count: 4 });
    expect(next.map(({ queue }) => queue)).toContain('webhooks');
  });

  it('is shown by the dashboard', async () => {
    await (queues.load as Queue).add('files', null, { jobId: 'nobody' });
    const server = express().use('/jobs', createJobsBoard(queues, runner)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const queue of ['fetch', 'load', 'webhooks', 'maintenance']) {
      const path = `jobs/api/queues?activeQueue=${queue}&status=latest`;
      const response = await fetch(`http://127.0.0.1:${port}/${path}`);
      expect([queue, response.status]).toEqual([queue, 200]);
      if (queue === 'load') expect(await response.text()).toContain('nobody');
    }
    server.close();
  });
});
