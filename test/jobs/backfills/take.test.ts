import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uploadFolder } from '../../../jobs/backfills/order.ts';
import { takeBackfills } from '../../../jobs/backfills/take.ts';
import { openRunner } from '../../../jobs/runner/open-runner.ts';
import { settingsFromEnv } from '../../../src/base/config/config.ts';
import { accountsPath, modePaths } from '../../../src/base/config/data-dir.ts';
import { queryMarket } from '../../../src/store/duckdb/connection/query.ts';
import { openAccounts } from '../../../src/store/sqlite/accounts.ts';
import type {
  Backfill,
  BackfillOrder,
} from '../../../src/store/sqlite/backfills/backfill-record.ts';
import type { Accounts } from '../../../src/store/sqlite/contract.ts';
import { type CliFolder, createCliFolder, QUICK_CLI } from '../../cli/support/run-cli.ts';
import { type RunningRedis, startRedis } from '../../support/redis-server.ts';
import { redisServer } from '../../support/tools.ts';
import { startTiingo, type TiingoServer } from '../runner/tiingo-server.ts';

const ORDER: BackfillOrder = {
  ...{ source: 'tiingo', dataset: 'candles', symbols: ['AA', 'AB'] },
  ...{ from: '2024-01-01', to: '2024-01-06', accept: false, file: null },
};
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

  it('say which source gave a symbol, and what the sources before it said', async () => {
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

  it('fail in the words of the source', async () => {
    vendor.fail('AA', [403]);
    const id = await add({ symbols: ['AA'] });
    await take();
    const { state, error } = await ended(id);
    expect([state, error]).toEqual(['failed', expect.stringMatching(/Tiingo.*trouble with AA/)]);
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

  it('of a killed process are resumed, and nothing is fetched twice', async () => {
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

  /** Adds a backfill of a file, and returns its folder. */
  async function upload(id: string, name: string, content: string): Promise<string> {
    const path = uploadFolder(folder.dataDir, id);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, name), content);
    const file = { name, bytes: content.length };
    await add({ source: 'files', symbols: null, from: null, to: null, file }, 'a', id);
    return path;
  }

  it('load an uploaded file, and remove it', async () => {
    const id = 'bf_0123456789abcdef0123456789abcd';
    const path = await upload(id, 'ZZ.csv', BARS);
    await take();
    const { state, result } = await ended(id);
    expect([state, result]).toMatchObject([
      'done',
      { accepted: 1, refused: 1, refusedByReason: [{ count: 1 }] },
    ]);
    expect(existsSync(path)).toBe(false);
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
    const id = 'bf_0123456789abcdef0123456789abce';
    await upload(id, name, content);
    await take();
    const { state, error } = await ended(id);
    expect([state, error]).toEqual(['failed', expect.stringContaining(part)]);
    expect(error).not.toMatch(/uploads|--|bf_/);
  });
});

describe.skipIf(!redisServer)('backfills with Redis', () => {
  let redis: RunningRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.remove());
  beforeEach(async () => {
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
    await open({ TAPEWORKS_REDIS_URL: redis.url });
  });
  afterEach(close);

  function startWorker(): ChildProcess {
    const child = folder.spawn('worker');
    child.stdout?.resume();
    child.stderr?.resume();
    children.push(child);
    return child;
  }

  it('are taken by the worker of the store, and resumed by the next one', async () => {
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
  });
});
