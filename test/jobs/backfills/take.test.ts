import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest';
import { uploadFolder } from '../../../jobs/backfills/order.ts';
import { takeBackfills } from '../../../jobs/backfills/take.ts';
import { openReader } from '../../../jobs/runner/open-reader.ts';
import { openRunner } from '../../../jobs/runner/open-runner.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { accountsPath, modePaths, uploadsPath } from '../../../src/base/config/data-dir.ts';
import { limits } from '../../../src/base/limits.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import type {
  Backfill,
  BackfillOrder,
} from '../../../src/store/accounts/backfills/backfill-record.ts';
import { newBackfillId } from '../../../src/store/accounts/backfills/backfill-store.ts';
import type { Accounts } from '../../../src/store/accounts/records/contract.ts';
import { queryMarket } from '../../../src/store/duckdb/connection/query.ts';
import { shareUpload } from '../../../src/store/shared/shared-segments.ts';
import { type CliFolder, createCliFolder, QUICK_CLI } from '../../cli/support/run-cli.ts';
import { isLong } from '../../faults/scale.ts';
import { freshFolder, sharedFolder } from '../../support/folders.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { long } from '../../support/store-runs.ts';
import { redisServer } from '../../support/tools.ts';
import { useLimits } from '../../support/use-limits.ts';
import { startTiingo, type TiingoServer } from '../runner/tiingo-server.ts';

const ORDER: BackfillOrder = {
  ...{ source: 'tiingo', dataset: 'candles', symbols: ['AA', 'AB'] },
  ...{ from: '2024-01-01', to: '2024-01-06', accept: false, file: null },
};
/** Rows of which more than the allowed share is refused, so that a check holds the load. */
const DOUBTFUL = [
  'symbol,date,open,high,low,close,volume',
  ...Array.from({ length: 200 }, (_, i) => `D${i},2024-01-02,1,2,1,2,10`),
  ...Array.from({ length: 10 }, (_, i) => `D${i},2024-01-03,-1,2,1,2,10`),
].join('\n');
const MANY = Array.from({ length: 30 }, (_, i) => `S${i + 10}`);
const CHILD = fileURLToPath(new URL('take-child.ts', import.meta.url));

let vendor: TiingoServer;
let folder: CliFolder;
let accounts: Accounts;
let taking: { stop: AbortController; ended: Promise<void> } | undefined;
const children: ChildProcess[] = [];

async function open(env: Record<string, string> = {}) {
  vendor = await startTiingo();
  folder = createCliFolder({ ...vendor.env, ...env }, QUICK_CLI);
  accounts = openAccounts(accountsPath(folder.dataDir));
  for (const id of ['a', 'b']) await accounts.createAccount({ id, label: id, plan: undefined });
}

async function close() {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await stopTaking();
  await accounts.close();
  await folder.remove();
  await vendor.close();
}

const settings = (env = {}) =>
  settingsFromEnv({ ...vendor.env, ...env, TAPEWORKS_DATA_DIR: folder.dataDir });

async function take() {
  const stop = new AbortController();
  const runner = await openRunner(settings());
  const deps = { settings: settings(), runner, accounts, clock: Date.now, note: () => {} };
  const ended = takeBackfills({ ...deps, signal: stop.signal }).finally(() => runner.close());
  taking = { stop, ended };
}

async function stopTaking() {
  taking?.stop.abort(new Error('the test has ended'));
  await taking?.ended;
  taking = undefined;
}

const add = async (order: Partial<BackfillOrder> = {}, account = 'a', id?: string) =>
  (await accounts.createBackfill({ id, account, mode: 'live', order: { ...ORDER, ...order } })).id;

const found = async (id: string): Promise<Backfill> =>
  ((await accounts.findBackfill('a', 'live', id)) ??
    (await accounts.findBackfill('b', 'live', id))) as Backfill;

async function ended(id: string): Promise<Backfill> {
  for (;;) {
    const backfill = await found(id);
    if (backfill.endedAt !== null) return backfill;
    await delay(20);
  }
}

/** Stores a file as the API does, and requests its load. */
function upload(name: string, text: string): Promise<string> {
  const id = newBackfillId();
  mkdirSync(uploadFolder(folder.dataDir, id), { recursive: true });
  writeFileSync(join(uploadFolder(folder.dataDir, id), name), text);
  const file = { name, bytes: text.length };
  return add({ source: 'files', symbols: null, from: null, to: null, file }, 'a', id);
}

const storedBars = async () =>
  (await queryMarket(modePaths(folder.dataDir, 'live'), 'SELECT count(*)::INT AS n FROM candles'))
    .rows;

describe('backfills without Redis', () => {
  beforeEach(() => open());
  afterEach(close);

  it('are loaded and published, with counts of their rows', async () => {
    const id = await add();
    await take();
    expect(await ended(id)).toMatchObject({
      state: 'done',
      error: null,
      result: {
        ...{ accepted: 8, refused: 0, refusedByReason: [], skipped: [], failures: [] },
        loaded: [
          {
            ...{ dataset: 'candles', interval: '1d', rows: 8, symbols: 2 },
            ...{ from: '2024-01-02', to: '2024-01-05', lastSymbol: expect.any(String) },
          },
        ],
      },
    });
    expect(await storedBars()).toEqual([{ n: 8 }]);
  });

  long('say which source gave a symbol, and what the sources before it said', async () => {
    const id = await add({ source: 'any', symbols: ['AA'] });
    await take();
    const { state, result } = await ended(id);
    expect([state, result?.sources]).toEqual([
      'done',
      [
        {
          ...{ symbol: 'AA', source: 'tiingo', isUpToDate: false },
          tried: [
            { source: 'alpaca', outcome: 'not configured', message: expect.any(String) },
            { source: 'massive', outcome: 'not configured', message: expect.any(String) },
          ],
        },
      ],
    ]);
  });

  it('fail where a setting is missing, and name it', async () => {
    const id = await add({ source: 'alpaca' });
    await take();
    expect(await ended(id)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('TAPEWORKS_ALPACA_KEY'),
    });
  });

  it('of several accounts take turns', async () => {
    vendor.hold('AA');
    const ids = [await add({ symbols: ['AA'] }), await add({ symbols: ['AB'] })];
    const other = await add({ symbols: ['AC'] }, 'b');
    await take();
    await vendor.untilAsked('AA');
    const states = await Promise.all(ids.map(async (id) => (await found(id)).state));
    expect(states).toEqual(['running', 'waiting']);
    vendor.release('AA');
    await Promise.all([...ids, other].map(ended));
    expect(vendor.asked()).toEqual(['AA', 'AC', 'AB']);
  });

  // Simulated nights kill it at a push, and `redis-flow` real processes.
  long('of a killed process are resumed, and nothing is fetched twice', async () => {
    vendor.hold('S39');
    const id = await add({ symbols: MANY });
    const env = { ...process.env, ...vendor.env, TAPEWORKS_DATA_DIR: folder.dataDir };
    const child = fork(CHILD, [], { env, execArgv: [] });
    children.push(child);
    await vendor.untilAsked('S39');
    // The first two tasks, of ten symbols each, are done then.
    while (((await found(id)).progress?.done ?? 0) < 2) await delay(20);
    child.kill('SIGKILL');
    expect((await found(id)).state).toBe('running');
    vendor.release('S39');
    await take();
    expect(await ended(id)).toMatchObject({ state: 'done', result: { accepted: 120 } });
    const early = vendor.asked().filter((symbol) => symbol < 'S30');
    expect(early.sort()).toEqual(MANY.slice(0, 20));
  });

  it('whose run had ended when the process was killed are not run again', async () => {
    const id = await add();
    await take();
    await ended(id);
    await stopTaking();
    const asked = vendor.asked();
    // As the row was before its last write.
    using file = new DatabaseSync(accountsPath(folder.dataDir));
    file.exec("UPDATE backfills SET state = 'running', ended_at = NULL, result = NULL");
    await take();
    expect(await ended(id)).toMatchObject({ state: 'done', result: { accepted: 8 } });
    expect(vendor.asked().length).toBe(asked.length);
  });

  const BARS = 'date,open,high,low,close,volume\n2024-01-02,1,2,1,2,10\n2024-01-03,5,2,1,2,10\n';

  long('load an uploaded file, and remove it', async () => {
    const id = await upload('ZZ.csv', BARS);
    await take();
    const { state, result } = await ended(id);
    expect([state, result]).toMatchObject([
      'done',
      { accepted: 1, refused: 1, refusedByReason: [{ count: 1 }] },
    ]);
    await expect.poll(() => readdirSync(uploadsPath(folder.dataDir))).toEqual([]);
    // The refused rows, and their counts.
    expect(readdirSync(modePaths(folder.dataDir, 'live').quarantine)).toHaveLength(2);
    await stopTaking();
    // The store can be built again without the file.
    const rebuilt = await folder.run('rebuild', '--json');
    expect([rebuilt.code, await storedBars()]).toEqual([0, [{ n: 1 }]]);
  });

  it.each([
    ['is no table', 'x.csv', 'hello\n', 'x.csv'],
    ['has no ticker', 'my bars.csv', BARS, 'say whose candles it holds with the field symbol (my'],
  ])('whose file %s fail, and name the file and the field alone', async (_what, ...given) => {
    const [name, content, part] = given;
    const id = await upload(name, content);
    await take();
    const { state, error } = await ended(id);
    expect([state, error]).toEqual(['failed', expect.stringContaining(part)]);
    expect(error).not.toMatch(/uploads|--|bf_/);
  });

  it('fail in the words of the source, and follow the run that retries them', async () => {
    vendor.fail('AA', [403]);
    const id = await add({ symbols: ['AA'] });
    await take();
    const { state, error } = await ended(id);
    expect([state, error]).toEqual(['failed', expect.stringMatching(/Tiingo.*trouble with AA/)]);
    expect((await folder.run('jobs', 'retry', '--all')).code).toBe(0);
    const done = { state: 'done', error: null, result: { accepted: 4, failures: [] } };
    await expect.poll(() => found(id)).toMatchObject(done);
  });

  long(
    'of a file with held symbols load the others, and these when a retry accepts them',
    async () => {
      const { rowsMin } = limits.sanity;
      Object.assign(limits.sanity, { rowsMin: 200 });
      onTestFinished(() => void Object.assign(limits.sanity, { rowsMin }));
      const id = await upload('doubtful.csv', DOUBTFUL);
      await take();
      const held = await ended(id);
      expect(held).toMatchObject({
        state: 'failed',
        error: expect.stringContaining('held by a sanity check'),
      });
      expect(held.error).not.toMatch(/--|quarantine/);
      // 9 of the 10 with a refused row, so that less than 1 % of the others' rows are refused.
      expect(await storedBars()).toEqual([{ n: 191 }]);
      expect((await folder.run('jobs', 'retry', '--all', '--accept')).code).toBe(0);
      const done = { state: 'done', result: { accepted: 9, refused: 9 } };
      await expect.poll(() => found(id)).toMatchObject(done);
      expect(await storedBars()).toEqual([{ n: 200 }]);
      await expect.poll(() => existsSync(uploadFolder(folder.dataDir, id))).toBe(false);
    },
  );

  it('are cancelled between tasks, and keep what they have fetched', async () => {
    vendor.hold('S39');
    const id = await add({ symbols: MANY });
    await take();
    await vendor.untilAsked('S39');
    while (((await found(id)).progress?.done ?? 0) < 2) await delay(20);
    expect(await accounts.cancelBackfill('a', 'live', id)).toBe(true);
    // Of the third task all but the symbol that the vendor holds.
    const result = { accepted: 4 * 29, failures: [], skipped: [] };
    expect(await ended(id)).toMatchObject({ state: 'cancelled', error: null, result });
    expect(await storedBars()).toEqual([{ n: 4 * 29 }]);
    expect(await accounts.cancelBackfill('a', 'live', id)).toBe(false);
  });

  it('are cancelled before their run begins', async () => {
    const id = await add();
    await accounts.beginBackfill(id);
    await accounts.cancelBackfill('a', 'live', id);
    await take();
    expect(await ended(id)).toMatchObject({ state: 'cancelled', result: null, error: null });
    expect(vendor.asked()).toEqual([]);
  });

  describe('and their files', () => {
    useLimits(limits.backfills, { sweepMs: 50, failedFilesMax: 2 });

    it('are removed while it runs: of interrupted uploads, and of old failed ones', async () => {
      await take();
      const failed = await Promise.all(
        ['a.csv', 'b.csv', 'c.csv'].map((name) => upload(name, 'a')),
      );
      await Promise.all(failed.map(ended));
      const cut = newBackfillId();
      const arriving = newBackfillId();
      for (const id of [cut, arriving]) mkdirSync(uploadFolder(folder.dataDir, id));
      const hoursAgo = Date.now() / 1000 - 2 * 3600;
      for (const id of [cut, failed[1]]) {
        utimesSync(uploadFolder(folder.dataDir, id), hoursAgo, hoursAgo);
      }
      const kept = [arriving, failed[0], failed[2]].sort();
      await expect.poll(() => readdirSync(uploadsPath(folder.dataDir)).sort()).toEqual(kept);
    });
  });
});

describe.skipIf(!redisServer)('backfills with Redis', () => {
  const segments = sharedFolder();
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());
  beforeEach(async () => {
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    await open({
      TAPEWORKS_REDIS_URL: redis.url,
      TAPEWORKS_SEGMENTS_URL: pathToFileURL(segments).href,
    });
  });
  afterEach(close);

  function startWorker(): ChildProcess {
    const child = folder.spawn('worker');
    child.stdout?.resume();
    child.stderr?.resume();
    children.push(child);
    return child;
  }

  it.runIf(isLong)(
    'are taken by the worker of the store, and resumed by the next one',
    async () => {
      vendor.hold('S39');
      const id = await add({ symbols: MANY });
      const first = startWorker();
      await vendor.untilAsked('S39');
      while (((await found(id)).progress?.done ?? 0) < 2) await delay(20);
      first.kill('SIGKILL');
      vendor.release('S39');
      startWorker();
      expect(await ended(id)).toMatchObject({ state: 'done', result: { accepted: 120 } });
      const early = vendor.asked().filter((symbol) => symbol < 'S30');
      expect(early.sort()).toEqual(MANY.slice(0, 20));
    },
  );

  it.runIf(isLong)('load a file that another machine has received, and remove it', async () => {
    const place = { kind: 'file' as const, folder: segments };
    const received = join(freshFolder(), 'received');
    const text = ['symbol,date,open,high,low,close,volume', 'UP,2024-01-02,1,2,1,2,10'].join('\n');
    writeFileSync(received, text);
    const share = async (more = {}) => {
      const id = newBackfillId();
      const sha256 = await shareUpload(place, id, received);
      const file = { name: 'up.csv', bytes: text.length, sha256, ...more };
      return add({ source: 'files', symbols: null, from: null, to: null, file }, 'a', id);
    };
    const good = await share();
    const damaged = await share({ sha256: '0'.repeat(64) });
    startWorker();
    expect(await ended(good)).toMatchObject({ state: 'done', result: { accepted: 1 } });
    const error = 'the uploaded file is gone or damaged: upload it again';
    expect(await ended(damaged)).toMatchObject({ state: 'failed', error });
    expect(await storedBars()).toEqual([{ n: 1 }]);
    await expect.poll(() => readdirSync(join(segments, 'uploads'))).toEqual([damaged]);
    expect(existsSync(uploadFolder(folder.dataDir, good))).toBe(false);
  });

  // Both are shown without Redis above.
  it.runIf(isLong)('are cancelled between tasks, and keep what they have fetched', async () => {
    // One task each of four, which is as many as a worker fetches at once.
    const first = ['S10', 'S20', 'S30', 'S40'];
    for (const symbol of first) vendor.hold(symbol);
    const id = await add({ symbols: Array.from({ length: 60 }, (_, i) => `S${i + 10}`) });
    startWorker();
    await Promise.all(first.map((symbol) => vendor.untilAsked(symbol)));
    expect(await accounts.cancelBackfill('a', 'live', id)).toBe(true);
    await using jobs = await openReader(settings({ TAPEWORKS_REDIS_URL: redis.url }));
    const waiting = async () =>
      (await jobs.jobs('waiting')).filter(({ queue }) => queue === 'fetch').length;
    await expect.poll(waiting).toBe(0);
    for (const symbol of first) vendor.release(symbol);
    const result = { accepted: 4 * 40, failures: [], skipped: [] };
    expect(await ended(id)).toMatchObject({ state: 'cancelled', error: null, result });
    expect(await storedBars()).toEqual([{ n: 4 * 40 }]);
  });

  it.runIf(isLong)('that failed follow the run that retries them', async () => {
    vendor.fail('AA', [403]);
    const id = await add({ symbols: ['AA'] });
    startWorker();
    expect((await ended(id)).state).toBe('failed');
    expect((await folder.run('jobs', 'retry', '--all')).code).toBe(0);
    const done = { state: 'done', error: null, result: { accepted: 4, failures: [] } };
    await expect.poll(() => found(id)).toMatchObject(done);
  });
});
