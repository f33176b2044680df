import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { openReader } from '../../jobs/runner/open-reader.ts';
import { openRunner } from '../../jobs/runner/open-runner.ts';
import { runRequest } from '../../jobs/runner/run-request.ts';
import { settingsFromEnv } from '../../src/base/config/config.ts';
import { accountsPath, modePaths } from '../../src/base/config/data-dir.ts';
import { sessionsBetween } from '../../src/base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../src/base/time/dates.ts';
import { openAccounts } from '../../src/store/accounts/admission/sqlite-accounts.ts';
import { createCliFolder, QUICK_CLI } from '../cli/support/run-cli.ts';
import { freePort, startRedis } from '../support/redis-server.ts';
import { redisServer } from '../support/tools.ts';
import { inFreshFolder, ledgerOf } from './children/run.ts';
import { isLong, scaled, seededRandom, tell } from './scale.ts';
import { askAllTheTime } from './support/asking-client.ts';
import { type Part, powerCutRedis, processPart } from './support/killed-parts.ts';
import { logicalHash } from './support/logical-hash.ts';
import { closeOf, type SmallMarket, STOCKS, startSmallMarket } from './support/small-market.ts';

const FIRST = '1984-06-01';
/** Long after the others, and there before them: its price is the quote all the time. */
const NEWEST = '2026-06-30';
const CHILDREN = scaled(12, 10_000);
const firstDay = dayFromDate(FIRST);
const LAST = dateFromDay(sessionsBetween(firstDay, firstDay + 1.5 * CHILDREN + 10)[CHILDREN - 1]);

const BACKFILL = ['backfill', 'eodhd', '--from', FIRST, '--to', LAST];

type Env = Record<string, string>;

/** Without Redis, in this process. */
async function backfillHere(env: Env, dataDir: string, from: string, to: string) {
  const settings = settingsFromEnv({ ...env, TAPEWORKS_DATA_DIR: dataDir });
  const runner = await openRunner(settings);
  const options = { fromDay: dayFromDate(from), toDay: dayFromDate(to) };
  try {
    return await runRequest(runner, { mode: 'live', source: 'eodhd', options }, { settings });
  } finally {
    await runner.close();
  }
}

/** Lists the jobs in Redis that are not done. */
async function openJobs(env: Env, dataDir: string) {
  await using jobs = await openReader(settingsFromEnv({ ...env, TAPEWORKS_DATA_DIR: dataDir }));
  return (await jobs.jobs()).filter(({ state }) => state !== 'done');
}

async function keyOf(dataDir: string): Promise<string> {
  const accounts = openAccounts(accountsPath(dataDir));
  const key = { mode: 'live', label: 'test', scopes: ['all'], limit: null } as const;
  try {
    return (await accounts.createKey({ ...key, scopes: [...key.scopes] })).rawKey;
  } finally {
    await accounts.close();
  }
}

async function outcome(dataDir: string) {
  const paths = modePaths(dataDir, 'live');
  return { data: logicalHash(paths.serving), segments: await ledgerOf(paths) };
}

/** Runs the same flow in one process without interruption. */
async function undisturbed() {
  const market = await startSmallMarket();
  return inFreshFolder(async (dataDir) => {
    await backfillHere(market.env, dataDir, NEWEST, NEWEST);
    const report = { segments: CHILDREN, deadJobs: [] };
    expect(await backfillHere(market.env, dataDir, FIRST, LAST)).toMatchObject({ report });
    return outcome(dataDir);
  }).finally(() => market.close());
}

/** Returns the processes to kill, each with the share of tasks after which it is killed. */
function killsOf(names: readonly string[]): { share: number; name: string }[] {
  if (!isLong) {
    const short = ['worker A', 'redis', 'connections'];
    return short.map((name, i) => ({ share: (i + 1) / (short.length + 1), name }));
  }
  const random = seededRandom(6);
  const shares = Array.from({ length: 30 }, () => random() * 0.98).sort((a, b) => a - b);
  return shares.map((share) => ({ share, name: names[Math.floor(random() * names.length)] }));
}

/** Resolves when so much of the flow was fetched. */
async function untilFetched(market: SmallMarket, share: number): Promise<void> {
  while (market.asked().size < share * CHILDREN) await delay(20);
}

async function killConnections(url: string): Promise<void> {
  const client = new Redis(url);
  for (const type of ['normal', 'pubsub']) {
    await client.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes');
  }
  client.disconnect();
}

it.skipIf(!redisServer)(
  'a flow whose workers, Redis and API are killed ends as one that was not',
  async () => {
    const beside = undisturbed();
    beside.catch(() => undefined);
    const [redis, market, port] = await Promise.all([startRedis(), startSmallMarket(), freePort()]);
    const env = {
      ...{ ...market.env, TAPEWORKS_LOG_LEVEL: 'info', TAPEWORKS_RATE_LIMIT: '1000000/1' },
      ...{ TAPEWORKS_PORT: String(port), TAPEWORKS_REDIS_URL: redis.url },
    };
    const folder = createCliFolder(env, QUICK_CLI);
    await backfillHere(market.env, folder.dataDir, NEWEST, NEWEST);
    const worker = () => processPart(() => folder.spawn('worker'), 'takes jobs to fetch, load');
    const power = powerCutRedis(redis);
    const api = processPart(() => folder.spawn('serve'), 'listens on');
    const parts: Record<string, Part> = {
      ...{ 'worker A': worker(), 'worker B': worker(), redis: power, api },
      connections: { kill: () => killConnections(redis.url), start: async () => undefined },
    };
    const rawKey = await keyOf(folder.dataDir);
    await Promise.all(['worker A', 'worker B', 'api'].map((name) => parts[name].start()));
    let wasPublished = false;
    const client = askAllTheTime(
      STOCKS.flatMap((stock) => [`quotes/${stock}`, `symbols?search=${stock}`]).map(
        (path) => `http://127.0.0.1:${port}/v1/svc/${path}`,
      ),
      { authorization: `Bearer ${rawKey}` },
      (question, status, body) => {
        if (status !== 200) return false;
        const stock = STOCKS.findIndex((name) => question.endsWith(name));
        const answer = JSON.parse(body);
        if (question.includes('quotes')) return answer.price === closeOf(stock, NEWEST);
        const { firstBar } = answer.data[0];
        wasPublished ||= firstBar === FIRST;
        return firstBar === (wasPublished ? FIRST : NEWEST);
      },
    );
    const kills = new Map<string, number>();
    const hurt = async (name: string) => {
      kills.set(name, (kills.get(name) ?? 0) + 1);
      if (name === 'api') client.down();
      await parts[name].kill();
      await parts[name].start();
      if (name === 'api') client.up();
    };
    const startMs = performance.now();
    try {
      let isDone = false;
      const report = folder.json(...BACKFILL).finally(() => {
        isDone = true;
      });
      report.catch(() => undefined);
      for (const { share, name } of killsOf(Object.keys(parts))) {
        await Promise.race([untilFetched(market, share), report]);
        await hurt(name);
      }
      // And while it loads.
      const random = seededRandom(7);
      for (let left = scaled(0, 10); left > 0 && !isDone; left--) {
        await Promise.race([untilFetched(market, 1), report]);
        await Promise.race([delay(2000 + 8000 * random()), report]);
        await hurt(Object.keys(parts)[Math.floor(random() * 5)]);
      }
      expect(await report).toMatchObject({ deadJobs: [] });
      // The API sees what is published a moment after the report.
      await expect.poll(() => wasPublished).toBe(true);
      const { answers, refused } = await client.end();
      expect(await openJobs(env, folder.dataDir)).toEqual([]);
      const expected = await beside;
      expect(expected.segments).toHaveLength(CHILDREN + 1);
      expect(await outcome(folder.dataDir)).toEqual(expected);
      const times = [...market.asked().values()];
      expect(times).toHaveLength(CHILDREN + 1);
      tell('a flow on Redis', {
        ...Object.fromEntries([...kills].map(([name, count]) => [`kills of ${name}`, count])),
        children: CHILDREN,
        losses: 0,
        'asked more than once': times.filter((count) => count > 1).length,
        'bytes of Redis lost': power.lostBytes(),
        answers,
        'refused while down': refused,
        seconds: Math.round((performance.now() - startMs) / 1000),
      });
    } finally {
      power.end();
      for (const name of ['worker A', 'worker B', 'api']) await parts[name].kill();
      await folder.remove();
      await redis.remove();
      await market.close();
    }
  },
);
