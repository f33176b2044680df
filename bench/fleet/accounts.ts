/**
 * Latency that shared accounts add: quotes, new keys and revocations of a server with embedded
 * accounts, and of two with accounts in Postgres: `node bench/fleet/accounts.ts [--quick | --smoke]`.
 * `TAPEWORKS_ACCOUNTS_URL` names an empty database; without it only embedded accounts are measured.
 */

import { Agent, request } from 'undici';
import { publish } from '../../jobs/publish/publish.ts';
import { modePaths } from '../../src/base/config/data-dir.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { symbolName } from '../../src/bench/data/synthetic.ts';
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
const SYMBOLS = '/v1/svc/symbols';
const KEYS = '/v1/svc/developer/keys';
/** Requests at once, for latencies under load. */
const AT_ONCE = 16;

const size = benchSizeFromArgs();
const { rounds, quotes, keys } = SIZES[size];
const agent = new Agent({ connections: AT_ONCE, pipelining: 1 });
const stopping: (() => void)[] = [];

interface Server {
  address: string;
  rawKey: string;
}

async function start(dataDir: string, env: Record<string, string>, rawKey?: string) {
  const key = ['--mode', 'live', '--label', 'x', '--scopes', 'all', '--limit', 'none'];
  const made =
    rawKey ?? (await documentOf(launch(dataDir, ['keys', 'create', ...key], env))).rawKey;
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

async function measure(name: string, server: Server, other: Server): Promise<void> {
  const path = `/v1/svc/quotes/${SYMBOL}`;
  const quote = async () => (await checked(server, 200, path)).ms;
  for (let i = 0; i < quotes; i++) note(`a quote, ${name}`, await quote());
  const worker = async () => {
    for (let i = 0; i < quotes / AT_ONCE; i++)
      note(`a quote, ${AT_ONCE} at once, ${name}`, await quote());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
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
  for (let round = 0; round < rounds; round++) {
    await measure('embedded', embedded, embedded);
    if (shared && second) await measure('Postgres', shared, second);
  }
  const rows = [...samples].map(([name, ms]) => {
    const { medianMs, p99Ms } = timingFromSamples(ms);
    return [name, readable(medianMs), readable(p99Ms)];
  });
  if (size === 'smoke') console.log('accounts: results are right');
  else console.log(`${machineLine()}\n${tableFromRows(['milliseconds', 'p50', 'p99'], rows)}`);
  if (!shared) console.log('without TAPEWORKS_ACCOUNTS_URL: embedded accounts alone');
} finally {
  for (const stop of stopping) stop();
  await agent.close();
}
