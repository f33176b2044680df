/**
 * Latency that shared accounts and shared limits add: quotes, new keys and revocations of a server
 * with embedded accounts, and of two with accounts in Postgres; quotes with limits over Redis, and
 * how far two servers exceed a limit: `node bench/fleet/accounts.ts [--quick | --smoke]`.
 * `TAPEWORKS_ACCOUNTS_URL` names an empty database and `TAPEWORKS_REDIS_URL` a Redis; what is not
 * set is not measured.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { publish } from '../../jobs/publish/publish.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { symbolName } from '../command/data/synthetic.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  readable,
  tableFromRows,
  timingFromSamples,
} from '../harness.ts';
import { documentOf, launch } from '../launch.ts';
import { afterSessionMs, dailySegment, loadSegment } from '../publish/updates-market.ts';

const SIZES = {
  smoke: { rounds: 1, quotes: 20, keys: 3 },
  quick: { rounds: 2, quotes: 320, keys: 10 },
  full: { rounds: 5, quotes: 2000, keys: 20 },
};
const SYMBOL = symbolName(0);
const QUOTE = `/v1/svc/quotes/${SYMBOL}`;
const SYMBOLS = '/v1/svc/symbols';
const KEYS = '/v1/svc/developer/keys';
/** Requests at once, for latencies under load. */
const AT_ONCE = 16;
/** A limit that two servers together try to exceed. */
const LIMIT = 1000;
const LIMIT_WINDOW_S = 60;

const size = benchSizeFromArgs();
const { rounds, quotes, keys } = SIZES[size];
const agent = new Agent({ connections: AT_ONCE, pipelining: 1 });
const stopping: (() => void)[] = [];

interface Server {
  address: string;
  rawKey: string;
}

async function newKey(dataDir: string, env: Record<string, string>, limit: string) {
  const key = ['--mode', 'live', '--label', 'x', '--scopes', 'all', '--limit', limit];
  return (await documentOf(launch(dataDir, ['keys', 'create', ...key], env))).rawKey;
}

async function start(dataDir: string, env: Record<string, string>, rawKey?: string) {
  const made = rawKey ?? (await newKey(dataDir, env, 'none'));
  const settings = { ...env, TAPEWORKS_RATE_LIMIT: '100000/1' };
  const child = launch(dataDir, ['serve', '--processes', '1'], settings);
  stopping.push(() => child.kill());
  const { address } = await documentOf(child);
  return { address, rawKey: made };
}

/** Sends a request. @returns its status, body and milliseconds. */
async function send({ address, rawKey }: Server, path: string, method = 'GET', body?: object) {
  const startMs = performance.now();
  const headers = { 'x-api-key': rawKey, 'content-type': 'application/json' };
  const options = { method, headers, dispatcher: agent, body: body && JSON.stringify(body) };
  const response = await request(address + path, options as Parameters<typeof request>[1]);
  const text = await response.body.text();
  return { status: response.statusCode, text, ms: performance.now() - startMs };
}

async function checked(server: Server, status: number, ...rest: [string, string?, object?]) {
  const response = await send(server, ...rest);
  checkResult(response.status === status, `${rest[0]}: ${response.status} ${response.text}`);
  return response;
}

const samples = new Map<string, number[]>();
function note(name: string, ...ms: number[]): void {
  samples.set(name, [...(samples.get(name) ?? []), ...ms]);
}

async function measureQuotes(name: string, server: Server): Promise<void> {
  const quote = async () => (await checked(server, 200, QUOTE)).ms;
  for (let i = 0; i < quotes; i++) note(`a quote, ${name}`, await quote());
  const worker = async () => {
    for (let i = 0; i < quotes / AT_ONCE; i++)
      note(`a quote, ${AT_ONCE} at once, ${name}`, await quote());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

async function measure(name: string, server: Server, other: Server): Promise<void> {
  await measureQuotes(name, server);
  for (let i = 0; i < keys; i++) {
    const made = await checked(server, 201, KEYS, 'POST', { label: 'x', scopes: ['quotes:read'] });
    const { id, rawKey } = JSON.parse(made.text);
    note(`a new key, ${name}`, made.ms);
    const own = { ...other, rawKey };
    note(`its first use elsewhere, ${name}`, (await checked(own, 200, SYMBOLS)).ms);
    await checked(server, 204, `${KEYS}/${id}`, 'DELETE');
    const endMs = performance.now();
    while ((await send(own, SYMBOLS)).status === 200);
    note(`a revocation until it holds elsewhere, ${name}`, performance.now() - endMs);
  }
}

/** Sends to both servers until they refuse. @returns a line that says how many they admitted. */
async function excess(servers: readonly Server[], rawKey: string): Promise<string> {
  // Windows begin at multiples of their length.
  const windowMs = LIMIT_WINDOW_S * 1000;
  const leftMs = windowMs - (Date.now() % windowMs);
  if (leftMs < windowMs / 2) await delay(leftMs);
  const startMs = performance.now();
  const admitted = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, i) => {
      const own = { ...servers[i % servers.length], rawKey };
      let count = 0;
      while ((await send(own, QUOTE)).status === 200) count++;
      return count;
    }),
  );
  const count = admitted.reduce((sum, one) => sum + one, 0);
  const ms = performance.now() - startMs;
  return `a limit of ${LIMIT}, two servers: ${count} admitted in ${readable(ms)} ms`;
}

try {
  const dataDir = benchFolder();
  const paths = modePaths(dataDir, 'live');
  const nowMs = afterSessionMs(dayFromDate('2026-06-30'));
  const days = [dayFromDate('2026-06-01'), dayFromDate('2026-06-30')] as const;
  await loadSegment(paths, dailySegment([SYMBOL], ...days), nowMs);
  await publish(paths, { verb: 'bench', nowMs });
  const embedded = await start(dataDir, {});
  const url = process.env.TAPEWORKS_ACCOUNTS_URL;
  const env = { TAPEWORKS_ACCOUNTS_URL: String(url) };
  const shared = url === undefined ? undefined : await start(dataDir, env);
  const second = shared && (await start(benchFolder(), env, shared.rawKey));
  const redisUrl = process.env.TAPEWORKS_REDIS_URL;
  const redis = { TAPEWORKS_REDIS_URL: String(redisUrl) };
  const limited = [];
  if (redisUrl !== undefined) {
    const rawKey = await newKey(dataDir, {}, '1000000/60');
    for (let i = 0; i < 2; i++) limited.push(await start(dataDir, redis, rawKey));
  }
  for (let round = 0; round < rounds; round++) {
    await measure('embedded', embedded, embedded);
    if (limited.length > 0) await measureQuotes('limits over Redis', limited[0]);
    if (shared && second) await measure('Postgres', shared, second);
  }
  const rows = [...samples].map(([name, ms]) => {
    const { medianMs, p99Ms } = timingFromSamples(ms);
    return [name, readable(medianMs), readable(p99Ms)];
  });
  if (size === 'smoke') console.log('accounts: results are right');
  else console.log(`${machineLine()}\n${tableFromRows(['milliseconds', 'p50', 'p99'], rows)}`);
  if (!shared) console.log('without TAPEWORKS_ACCOUNTS_URL: embedded accounts alone');
  if (limited.length === 0) console.log('without TAPEWORKS_REDIS_URL: limits of one server');
  else console.log(await excess(limited, await newKey(dataDir, {}, `${LIMIT}/${LIMIT_WINDOW_S}`)));
} finally {
  for (const stop of stopping) stop();
  await agent.close();
}
