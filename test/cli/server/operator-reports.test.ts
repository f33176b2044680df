/** `/operator/…` on real servers over data of real loads, without Redis and with it. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadFolder } from '../../../jobs/backfills/order.ts';
import type { Run } from '../../../jobs/contract/run.ts';
import { openRedisRunner, type RedisRunner } from '../../../jobs/redis/redis-runner.ts';
import type { OperatorReports } from '../../../src/api/operator/reports.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { accountsPath } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import type { GapsReport, OperatorReport } from '../../../src/base/operator/report.ts';
import { createOperatorReports } from '../../../src/cli/server/operator-reports.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import { isLong } from '../../faults/scale.ts';
import { startTiingo, type TiingoServer } from '../../jobs/runner/tiingo-server.ts';
import { freshFolder } from '../../support/folders.ts';
import { startRedis } from '../../support/redis-server.ts';
import { long } from '../../support/store-runs.ts';
import { redisServer } from '../../support/tools.ts';
import { useLimits } from '../../support/use-limits.ts';
import { ask } from '../support/ask.ts';
import { askAsOperator, OPERATOR_ENV } from '../support/operator.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';
import { HELD_FILE, HOLED, loadHeld, putTroubles } from '../support/troubled-data.ts';

/** A report takes longer to make than most of what it waits for. */
const SELDOM = { interval: 400 };

const JSON_HEADERS = { 'Content-Type': 'application/json' };

let vendor: TiingoServer;
let folder: CliFolder;
let address: string;
let serverPid: number | undefined;

beforeAll(async () => {
  vendor = await startTiingo();
  folder = createCliFolder({ ...OPERATOR_ENV, ...vendor.env });
  await putTroubles(folder);
  await folder.json('files', '--mode', 'live');
  mkdirSync(uploadFolder(folder.dataDir, 'bf_1'), { recursive: true });
  writeFileSync(join(uploadFolder(folder.dataDir, 'bf_1'), 'a.csv'), 'a');
  const accounts = openAccounts(accountsPath(folder.dataDir));
  await accounts.createAccount({ id: 'a', label: 'a', plan: undefined });
  await accounts.openStreams([{ account: 'a', mode: 'live', events: ['quote.updated'] }]);
  await accounts.close();
  const server = await folder.start('serve');
  ({ address } = server.document);
  serverPid = server.process.pid;
});
afterAll(async () => {
  await folder.remove();
  await vendor.close();
});

async function reported(): Promise<OperatorReport> {
  return JSON.parse((await askAsOperator(`${address}/operator/status`)).text);
}

const post = (body: unknown) =>
  askAsOperator(`${address}/operator/retry`, {
    method: 'POST',
    headers: JSON_HEADERS,
    body: JSON.stringify(body),
  });

describe('the operator’s report', () => {
  it('has the age and the rows of each dataset', async () => {
    const [live, sandbox] = (await reported()).modes;
    expect(live).toMatchObject({ mode: 'live', state: 'published', damage: null });
    expect(live.datasets).toContainEqual({
      ...{ dataset: 'candles', interval: '1d', symbols: 81, rows: 1755 },
      ...{ newestAt: '2026-10-30T20:00:00.000Z', endedEarlier: 1 },
      isStale: true,
    });
    expect(sandbox).toMatchObject({ mode: 'sandbox', state: 'empty', datasets: [] });
  });

  it('has held loads with the runs that accept them', async () => {
    const { held, runs } = await reported();
    expect(held).toMatchObject([{ mode: 'live', source: 'files' }]);
    expect(held[0].origin).toContain(HELD_FILE);
    expect(held[0].reason).toMatch(/30 of \d+ rows were rejected/);
    const run = runs.find(({ id }) => id === held[0].run);
    expect(run).toMatchObject({ state: 'failed', kind: 'doubtful' });
  });

  it('has runs with their progress and failed tasks', async () => {
    const { runs, jobs } = await reported();
    const tiingo = runs.find(({ source }) => source === 'tiingo');
    expect(tiingo).toMatchObject({ state: 'done', accepted: 4, version: 2 });
    expect(tiingo?.tasks).toEqual({ all: 1, done: 0, failed: 1 });
    expect(tiingo?.failedTasks).toMatchObject([{ title: 'T05, T15' }]);
    expect(tiingo?.failedTasks[0].reason).toContain('403');
    expect(jobs).toMatchObject({ dead: 2 });
  });

  it('counts refused rows by reason, of loads that are held too', async () => {
    const [live] = (await reported()).refused;
    expect(live).toMatchObject({ mode: 'live', rows: 35, files: 2, uncounted: 0, more: 0 });
    expect(live.reasons).toMatchObject([
      { source: 'files', reason: 'open is not above zero', rows: 35, files: 2 },
    ]);
  });

  it('has schedules with what they need, sizes of the data, keys, and checks', async () => {
    const key = await folder.key('live');
    await ask(`${address}/v1/svc/symbols`, { headers: key.headers });
    const { schedules, disk, keys, checks } = await reported();
    expect(schedules).toContainEqual(
      expect.objectContaining({ name: 'integrity', runs: true, when: '03:30, every day' }),
    );
    expect(schedules).toContainEqual(
      expect.objectContaining({ source: 'tiingo', state: 'needs TAPEWORKS_WATCHLIST' }),
    );
    const parts = disk.parts.map(({ part }) => part);
    expect(parts).toEqual(
      expect.arrayContaining(['live store', 'live Parquet files', 'uploads', 'accounts']),
    );
    expect(disk.parts.every(({ bytes }) => bytes > 0)).toBe(true);
    expect(keys?.days).toHaveLength(30);
    expect(checks.map(({ name }) => name)).toEqual(['runtime', 'clock', 'keys']);
  });

  it('has no streams among the webhooks', async () => {
    expect((await reported()).webhooks).toEqual({ webhooks: [], more: 0, givenUp: [] });
  });

  it('has no keys of vendors', async () => {
    const { text } = await askAsOperator(`${address}/operator/status`);
    expect(text).not.toContain(vendor.env.TAPEWORKS_TIINGO_KEY);
  });

  it('finds the same gaps in published bars as the command in the store', async () => {
    const { text } = await askAsOperator(`${address}/operator/gaps?mode=live`);
    const { holes, stoppedSeries, ...found }: GapsReport = JSON.parse(text);
    const { missing, stopped, symbols, bars, newestBar } = await folder.json('gaps');
    expect(found).toMatchObject({ missing, stopped, symbols, bars, newestBar });
    expect(holes).toEqual([
      { from: '2026-10-13', to: '2026-10-15', sessions: 3, symbols: 3, examples: HOLED },
    ]);
    expect(stoppedSeries).toMatchObject([{ symbol: 'T05', lastBar: '2024-01-05' }]);
  });

  // Only Linux lists the libraries of a process.
  it.skipIf(process.platform !== 'linux')('never opens DuckDB in the server', () => {
    const libraries = readFileSync(`/proc/${serverPid}/maps`, 'utf8');
    expect(libraries).toContain('node');
    expect(libraries).not.toContain('duckdb');
  });

  it('is for the operator alone, and for no page of another origin', async () => {
    for (const path of ['status', 'gaps?mode=live', 'retry']) {
      expect((await ask(`${address}/operator/${path}`)).status).toBe(401);
      const foreign = { headers: { Origin: 'https://pages.example.com' } };
      expect((await askAsOperator(`${address}/operator/${path}`, foreign)).status).toBe(404);
    }
  });

  it('names what is wrong in a request', async () => {
    const wrong = async (path: string) => (await askAsOperator(`${address}/operator/${path}`)).text;
    expect(await wrong('gaps?mode=test')).toContain('mode must be one of live, sandbox');
    expect(await wrong('status?x=1')).toContain('is not a parameter of this path');
    expect(await wrong('retry')).toContain('method must be one of POST');
    expect((await post({ jobs: [] })).text).toContain('jobs must have an id');
    expect((await post({ jobs: 'all' })).text).toContain('jobs must be a list of ids');
    expect((await post({ jobs: ['x'], accept: 1 })).text).toContain('accept must be true or false');
  });

  it('refuses a retry where no process would run it', async () => {
    expect((await reported()).canRetry).toBe(false);
    const { status, text } = await post({ jobs: ['x'] });
    expect(status).toBe(503);
    expect(text).toContain('No process runs jobs');
  });
});

// `page/operations` retries a failed task at a push.
describe.runIf(isLong)('a retry, where schedules run', () => {
  beforeAll(() => folder.start('schedule'));

  async function settled(id: string): Promise<OperatorReport['runs'][number]> {
    const found = async () => (await reported()).runs.find((run) => run.id === id);
    await expect.poll(async () => (await found())?.state, SELDOM).toMatch(/done|failed/);
    return (await found())!;
  }

  it('of an unknown job is refused', async () => {
    expect((await reported()).canRetry).toBe(true);
    const { status, text } = await post({ jobs: ['nothing1'] });
    expect(status).toBe(404);
    expect(JSON.parse(text).error.message).toBe('No failed job has the id "nothing1"');
  });

  long('of a failed task fetches it again and publishes it', async () => {
    const { runs } = await reported();
    const failed = runs.find(({ source }) => source === 'tiingo')!;
    const { status, text } = await post({ jobs: [failed.id] });
    expect(status).toBe(202);
    const [id] = JSON.parse(text).runs;
    expect(await settled(id)).toMatchObject({ state: 'done', accepted: 4, failedTasks: [] });
    const { symbols } = await folder.json('gaps');
    expect(symbols).toBe(82);
  });

  it('of a held load is held again, and loads it if it is accepted', async () => {
    const [{ run }] = (await reported()).held;
    await post({ jobs: [run] });
    expect(await settled(run!)).toMatchObject({ state: 'failed', kind: 'doubtful' });
    await post({ jobs: [run], accept: true });
    expect(await settled(run!)).toMatchObject({ state: 'done', accepted: 1200, refused: 30 });
    const { held, modes } = await reported();
    expect(held).toEqual([]);
    expect(modes[0].datasets[0].newestAt).toBe('2026-11-20T21:00:00.000Z');
  });
});

// `cli/server/jobs-board` reads jobs of Redis at a push, and `redis-flow` has workers.
describe.skipIf(!redisServer || !isLong)('the report with Redis', () => {
  useLimits(limits.operatorReport, { responseMs: 600_000 });

  const run: Run = {
    ...{ id: 'report1', source: 'tiingo', mode: 'live', verb: 'backfill tiingo' },
    ...{ priority: 'backfill', createdMs: Date.now(), childCount: 2, shared: {} },
    tasks: ['T25', 'T35'].map((title) => ({ title, slice: { symbols: [title] } })),
  };
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let env: Record<string, string>;
  let queued: CliFolder;
  let runner: RedisRunner;
  let reports: OperatorReports;
  beforeAll(async () => {
    redis = await startRedis();
    env = { ...vendor.env, TAPEWORKS_FILES: 'off', TAPEWORKS_REDIS_URL: redis.url };
    queued = createCliFolder(env);
    const settings = settingsFromEnv({ ...env, TAPEWORKS_DATA_DIR: queued.dataDir });
    runner = await openRedisRunner(settings, redis.url);
    await runner.enqueue(run);
    reports = createOperatorReports(settings);
  });
  afterAll(async () => {
    await queued.remove();
    await runner.close();
    await redis.remove();
  });

  const made = async (): Promise<OperatorReport> => JSON.parse(await reports.status());

  it('has a run that waits for workers, then its failed task, which a retry fetches', async () => {
    const before = await made();
    expect(before.canRetry).toBe(true);
    expect(before.runs).toMatchObject([{ id: 'report1', tasks: { all: 2, done: 0, failed: 0 } }]);
    vendor.fail('T35', [403]);
    await queued.start('worker');
    const state = async () => (await made()).runs.map((one) => one.state);
    await expect.poll(state, SELDOM).toEqual(['done']);
    const [done] = (await made()).runs;
    expect(done).toMatchObject({ accepted: 4, tasks: { all: 2, done: 1, failed: 1 } });
    await reports.retry({ jobs: [done.id], accept: false });
    await expect.poll(state, SELDOM).toEqual(['done', 'done']);
    expect((await made()).runs[0]).toMatchObject({ accepted: 4, failedTasks: [] });
  });

  long('names no run for a load that was held before Redis was used', async () => {
    delete env.TAPEWORKS_REDIS_URL;
    await loadHeld(queued);
    env.TAPEWORKS_REDIS_URL = redis.url;
    const { held, runs } = await made();
    expect(held).toMatchObject([{ source: 'files', run: null }]);
    expect(runs.map(({ source }) => source)).not.toContain('files');
  });

  it.runIf(isLong)(
    'has a held load of a local file, which the store’s worker loads if it is accepted',
    async () => {
      await loadHeld(queued);
      const [{ run, reason }] = (await made()).held;
      expect(reason).toMatch(/30 of \d+ rows were rejected/);
      await reports.retry({ jobs: [run!], accept: true });
      const found = async () => (await made()).runs.find(({ id }) => id === run);
      await expect
        .poll(found, SELDOM)
        .toMatchObject({ state: 'done', accepted: 1200, refused: 30 });
      expect((await made()).held).toEqual([]);
    },
  );
});

describe('a thread of reports that ends', () => {
  useLimits(limits.operatorReport, { heapMegabytes: 12 });

  it('is no error of the request: it gets 503, and may be sent again', async () => {
    const dataDir = freshFolder();
    const reports = createOperatorReports({ ...settingsFromEnv({}), dataDir });
    await expect(reports.status()).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/^The thread of reports has ended \(.*memory.*\): try again/),
    });
  });
});
