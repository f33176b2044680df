/** Servers with Redis: limits that they share, and `/jobs` as bull-board, with dead jobs to run again. */

import { UnrecoverableError, Worker } from 'bullmq';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Run } from '../../../jobs/contract/run.ts';
import { connectionOptions, KEY_PREFIX } from '../../../jobs/redis/connection.ts';
import { openQueues, type Queues } from '../../../jobs/redis/queues.ts';
import type { RedisRunner } from '../../../jobs/redis/redis-runner.ts';
import { openRedisRunner } from '../../../jobs/redis/redis-runner.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { parseMetrics } from '../../api/support/prometheus-text.ts';
import { launchBrowser } from '../../support/browser.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { long } from '../../support/store-runs.ts';
import { chromium, redisServer } from '../../support/tools.ts';
import { ask } from '../support/ask.ts';
import { askAsOperator, OPERATOR_ENV, OPERATOR_HEADERS } from '../support/operator.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

const VENDOR_KEY = 'tiingo-key-that-nobody-may-see';

const plan: Run = {
  ...{ id: 'board1', source: 'tiingo', mode: 'live', verb: 'backfill tiingo' },
  ...{ priority: 'backfill', createdMs: Date.now(), childCount: 2, shared: {} },
  tasks: ['AAPL', 'MSFT'].map((title) => ({ title, slice: { symbols: [title] } })),
};

describe.skipIf(!redisServer)('a server with Redis', () => {
  let redis: RunningRedis;
  let folder: CliFolder;
  let queues: Queues;
  let runner: RedisRunner;
  let address: string;
  let board: string;

  beforeAll(async () => {
    redis = await startRedis();
    const env = {
      ...OPERATOR_ENV,
      TAPEWORKS_REDIS_URL: redis.url,
      TAPEWORKS_TIINGO_KEY: VENDOR_KEY,
    };
    folder = createCliFolder(env);
    runner = await openRedisRunner(
      settingsFromEnv({ ...env, TAPEWORKS_DATA_DIR: folder.dataDir }),
      redis.url,
    );
    queues = openQueues(redis.url);
    await runner.enqueue(plan);
    ({ address } = (await folder.start('serve')).document);
    board = `${address}/jobs`;
  });
  afterAll(async () => {
    await folder.remove();
    await runner.close();
    await queues.close();
    await redis.remove();
  });

  it('metrics count the jobs of the queues', async () => {
    const families = parseMetrics((await askAsOperator(`${address}/metrics`)).text);
    const jobs = (queue: string, state: string) =>
      families.get('tapeworks_jobs')?.value('', { queue, state });
    expect(families.get('tapeworks_jobs_up')?.value('', {})).toBe(1);
    expect(jobs('fetch', 'waiting')).toBe(2);
    expect(jobs('fetch', 'dead')).toBe(0);
    expect(jobs('load', 'waiting')).toBe(1);
    const next = families.get('tapeworks_jobs_next_wait_seconds');
    expect(next?.value('', { queue: 'fetch' })).toBeGreaterThan(0);
  });

  it('metrics count what is asked of the dashboard', async () => {
    const asked = async () => {
      const families = parseMetrics((await askAsOperator(`${address}/metrics`)).text);
      const labels = { route: '/jobs', method: 'GET', status: '2xx' };
      const name = 'tapeworks_http_request_duration_seconds';
      return families.get(name)?.value('_count', labels) ?? 0;
    };
    const before = await asked();
    const { status, headers } = await askAsOperator(`${board}/api/queues`);
    expect([status, headers['x-request-id']]).toEqual([200, expect.stringMatching(/./)]);
    while ((await asked()) < before + 1) await new Promise((done) => setTimeout(done, 20));
  });

  it('shows the queue of webhooks', async () => {
    const { text } = await askAsOperator(`${board}/api/queues`);
    const names = JSON.parse(text).queues.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(['fetch', 'load', 'maintenance', 'webhooks']);
    const families = parseMetrics((await askAsOperator(`${address}/metrics`)).text);
    const dead = { queue: 'webhooks', state: 'dead' };
    expect(families.get('tapeworks_jobs')?.value('', dead)).toBe(0);
    expect(families.get('tapeworks_webhook_deliveries')?.value('', { state: 'waiting' })).toBe(0);
  });

  it('is for who has the token alone, each of its paths', async () => {
    for (const path of ['', '/', '/api/queues', '/static/favicon.ico']) {
      expect((await ask(board + path)).status).toBe(401);
    }
    const foreign = { method: 'PUT', headers: { Origin: 'https://pages.example.com' } };
    expect((await askAsOperator(`${board}/api/queues/fetch/retry/failed`, foreign)).status).toBe(
      404,
    );
  });

  it('shows jobs without keys of vendors, and no page can remove one', async () => {
    const { status, text } = await askAsOperator(
      `${board}/api/queues?activeQueue=fetch&jobsPerPage=10`,
    );
    expect(status).toBe(200);
    expect(text).toContain('board1');
    expect(text).not.toContain(VENDOR_KEY);
    for (const path of ['fetch/empty', 'fetch/obliterate', 'fetch/pause', 'pause']) {
      expect((await askAsOperator(`${board}/api/queues/${path}`, { method: 'PUT' })).status).toBe(
        405,
      );
    }
    expect((await queues.fetch.getJobCounts('prioritized')).prioritized).toBe(2);
  });

  it('retries a failed job as the command line does', async () => {
    const options = { connection: connectionOptions(redis.url, 'worker'), prefix: KEY_PREFIX };
    const fetches = new Worker(
      'fetch',
      () => Promise.reject(new UnrecoverableError('other: no')),
      options,
    );
    const told = { accepted: 7, rejected: 1, deadJobs: [] };
    const loads = new Worker('load', async () => told, options);
    await new Promise((resolve) => loads.on('completed', resolve));
    await Promise.all([fetches.close(), loads.close()]);
    const [dead] = await queues.fetch.getFailed();
    const put = (path: string) => askAsOperator(`${board}/api/queues/${path}`, { method: 'PUT' });
    expect((await put(`fetch/${dead.id}/retry/failed`)).status).toBe(204);
    // A plan of its own, which is loaded when its one child is settled.
    expect(await queues.fetch.getFailedCount()).toBe(1);
    const [again] = await queues.load.getJobs(['waiting-children']);
    expect(again.data).toMatchObject({ source: 'tiingo', childCount: 1 });
    expect((await put('fetch/retry/failed')).status).toBe(204);
    expect(await queues.fetch.getFailedCount()).toBe(0);
    const families = parseMetrics((await askAsOperator(`${address}/metrics`)).text);
    const ofPlan = { mode: 'live', source: 'tiingo' };
    expect(families.get('tapeworks_plan_rows')?.value('', ofPlan)).toBe(7);
    expect(families.get('tapeworks_plan_failed')?.value('', ofPlan)).toBe(0);
  });

  it.skipIf(!chromium)(
    'works in a browser without the network',
    async () => {
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage({ extraHTTPHeaders: OPERATOR_HEADERS });
        const failures: string[] = [];
        page.on('pageerror', (error) => failures.push(String(error)));
        await page.goto(`${board}/queue/load`);
        await page.getByText('backfill tiingo').first().waitFor();
        expect(failures).toEqual([]);
      } finally {
        await browser.close();
      }
    },
    60_000,
  );

  // `api/access/fleet-counts` has machines that count in one Redis.
  long(
    'two servers admit no more requests of a key than its limit, but for those of a moment',
    async () => {
      const most = 40;
      const { rawKey } = await folder.json(
        ...['keys', 'create', '--mode', 'test', '--label', 'x', '--scopes', 'all'],
        ...['--limit', `${most}/86400`],
      );
      const other: string = (await folder.start('serve')).document.address;
      const statusOf = async (from: string) =>
        (await ask(`${from}/v1/svc/symbols`, { headers: { 'X-API-Key': rawKey } })).status;
      for (let i = 0; i < most; i++) expect(await statusOf(address)).toBe(200);
      expect(await statusOf(address)).toBe(429);
      // Its first response can be too early to know of the other server's requests.
      await expect.poll(() => statusOf(other), { interval: 100 }).toBe(429);
      expect(await statusOf(other)).toBe(429);
    },
  );

  it('metrics say so while Redis is away', async () => {
    await redis.kill();
    const { status, text } = await askAsOperator(`${address}/metrics`);
    expect(status).toBe(200);
    const families = parseMetrics(text);
    expect(families.get('tapeworks_jobs_up')?.value('', {})).toBe(0);
    expect(families.has('tapeworks_jobs')).toBe(false);
    expect(families.has('process_cpu_seconds_total')).toBe(true);
  });
});
