/** Deliveries as jobs on a real Redis; time is real. */

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deliverByJobs } from '../../../jobs/redis/delivery-jobs.ts';
import { queueReader } from '../../../jobs/redis/queue-reader.ts';
import { openQueues, type Queues } from '../../../jobs/redis/queues.ts';
import type { JobLine } from '../../../jobs/redis/take-jobs.ts';
import { limits } from '../../../src/base/limits.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import type { Accounts } from '../../../src/store/accounts/records/contract.ts';
import { freshFolder } from '../../support/folders.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { long } from '../../support/store-runs.ts';
import { redisServer } from '../../support/tools.ts';
import { useLimits } from '../../support/use-limits.ts';
import { newsEvent } from '../webhooks/delivery-fixture.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

describe.skipIf(!redisServer)('deliveries as jobs', () => {
  let redis: RunningRedis;
  let queues: Queues;
  let receiver: Receiver;
  let folder: string;
  let accounts: Accounts;
  let lines: JobLine[];
  let running: { stop: AbortController; ended: Promise<void> }[];

  // A close that hangs is not waited for, and a second attempt comes soon. Jobs have all the time
  // that a loaded machine takes.
  useLimits(limits.redis, { stopMs: 500 });
  useLimits(limits.webhook, { waitsS: [0, 1, 300], lateMs: 600_000 });

  beforeEach(async () => {
    redis = await startRedis();
    queues = openQueues(redis.url);
    receiver = await startReceiver();
    folder = freshFolder();
    accounts = openAccounts(join(folder, 'accounts.sqlite'));
    await accounts.createKey({ mode: 'live', label: 'x', scopes: ['all'] });
    lines = [];
    running = [];
  });
  afterEach(async () => {
    for (const { stop } of running) stop.abort();
    await Promise.all(running.map(({ ended }) => ended));
    await accounts.close();
    await Promise.all([receiver.close(), queues.close()]);
    await redis.remove();
  });

  function startWorker(): void {
    const stop = new AbortController();
    const ended = deliverByJobs({
      ...{ accounts, url: redis.url, settings: { webhookPrivate: true }, signal: stop.signal },
      log: { delivery: () => undefined, failure: () => undefined },
      jobLog: {
        job: (line) => void lines.push(line),
        unforeseen: () => undefined,
        note: () => undefined,
      },
    });
    running.push({ stop, ended });
  }

  const newWebhook = () =>
    accounts.createWebhook({
      ...{ account: 'default', mode: 'live', events: ['news.published'] },
      url: `http://127.0.0.1:${receiver.port}/hook`,
    });
  const addNews = (first: number, count: number) =>
    accounts.addEvents(
      'live',
      Array.from({ length: count }, (_, i) => newsEvent(first + i)),
    );
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const sumOf = (name: string) => lines.reduce((sum, { did = {} }) => sum + (did[name] ?? 0), 0);

  it('bring every event, by two workers too, and say how many', async () => {
    await newWebhook();
    startWorker();
    startWorker();
    await addNews(0, 40);
    await receiver.until(40);
    await until(() => sumOf('delivered') === 40);
    expect(new Set(receiver.got.map(({ event }) => event.id)).size).toBe(40);
    expect(lines.every(({ queue, outcome }) => queue === 'webhooks' && outcome === 'done')).toBe(
      true,
    );
    // It is told of before Redis has it as done, and one that finds nothing may end meanwhile.
    await until(async () => {
      const done = await queues.webhooks.getCompleted();
      const delivered = done.reduce((sum, { returnvalue }) => sum + returnvalue.delivered, 0);
      const { jobs } = await queueReader(queues).figures();
      const counted = jobs.find(({ queue, state }) => queue === 'webhooks' && state === 'done');
      return delivered === 40 && counted?.count === done.length;
    });
  });

  it('wait in the queue for the time of the next attempt', async () => {
    const { id } = await newWebhook();
    receiver.answer = async (response) => response.writeHead(500).end();
    startWorker();
    await addNews(0, 1);
    await until(() => sumOf('retried') === 1);
    const [next] = (await accounts.listDeliveryPart(id, { limit: 1 })).rows;
    const dueMs = Date.parse(String(next.nextAttemptAt));
    const { pollMs } = limits.webhook;
    const wanted = `due-${pollMs * Math.ceil(dueMs / pollMs)}`;
    // Beside one for the end of the lease, where the attempt took long.
    await until(async () =>
      (await queues.webhooks.getDelayed()).some(({ id: jobId }) => jobId === wanted),
    );
    receiver.answer = (response) => response.writeHead(204).end();
    await until(() => sumOf('delivered') === 1);
    expect(receiver.got).toHaveLength(2);
  });

  it('fail with the reason where a delivery has failed for good', async () => {
    const { id } = await newWebhook();
    receiver.answer = async (response) => response.writeHead(410).end();
    startWorker();
    await addNews(0, 1);
    await until(() => lines.some(({ outcome }) => outcome === 'dead'));
    await until(async () => (await queues.webhooks.getFailedCount()) === 1);
    const [dead] = await queueReader(queues).jobs('dead');
    expect(dead).toMatchObject({ queue: 'webhooks', kind: 'refused', mode: null });
    expect(dead.reason).toBe(
      `given up: ${newsEvent(0).id} to ${id}: answered 410 (attempt 1); delivered: 0, retried: 0`,
    );
  });

  describe('without Redis', () => {
    useLimits(limits.webhook, { lateMs: 1000 });

    it('are not needed: what is due is delivered a little late, and by jobs again later', async () => {
      await newWebhook();
      startWorker();
      await addNews(0, 1);
      await receiver.until(1);
      await redis.kill();
      await addNews(1, 3);
      await receiver.until(4);
      await redis.start();
      const before = sumOf('delivered');
      let count = 4;
      // A loaded machine delivers some of them late.
      await until(async () => {
        await addNews(count++, 1);
        await receiver.until(count);
        return sumOf('delivered') > before;
      });
      expect(new Set(receiver.got.map(({ event }) => event.id)).size).toBe(count);
    });
  });

  long('go on while other receivers hang', async () => {
    const hanging = await newWebhook();
    receiver.answer = async (response, { path }) => {
      if (path === '/good') response.writeHead(204).end();
    };
    startWorker();
    await addNews(0, 8);
    await until(() => receiver.got.length >= 4);
    await accounts.createWebhook({
      ...{ account: 'default', mode: 'live', events: ['news.published'] },
      url: `http://127.0.0.1:${receiver.port}/good`,
    });
    await addNews(8, 20);
    await until(() => receiver.got.filter(({ path }) => path === '/good').length === 20);
    const { rows } = await accounts.listDeliveryPart(hanging.id, { limit: 100 });
    expect(rows.every(({ status }) => status === 'pending')).toBe(true);
    await accounts.deleteWebhook('default', 'live', hanging.id);
    receiver.answer = (response) => response.writeHead(204).end();
  });
});
