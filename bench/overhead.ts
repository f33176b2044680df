/**
 * What authentication, limits, usage and the log add to a request: CPU time of the whole process
 * with the layers switched on one by one, their timers and writes to SQLite included.
 */

import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthenticator } from '../src/api/authenticate.ts';
import { tokensLeft } from '../src/api/charge.ts';
import { createLog, gatheringDestination } from '../src/api/log.ts';
import { maskedTarget } from '../src/api/masked-target.ts';
import { createRateLimiter, pushRateLimitHeaders } from '../src/api/rate-limit.ts';
import { accountsPath } from '../src/data-dir.ts';
import { type Accounts, openAccounts } from '../src/store/accounts/accounts.ts';
import type { ValidKey } from '../src/store/accounts/key-record.ts';
import { benchSizeFromArgs, checkResult, machineLine, readable, tableFromRows } from './harness.ts';

const SIZES = {
  smoke: { rounds: 1, requestCount: 2000 },
  quick: { rounds: 3, requestCount: 200_000 },
  full: { rounds: 9, requestCount: 400_000 },
};

/** Keys that ask in turn, each of an account with a quota of tokens, which costs the most. */
const KEY_COUNT = 100;
const ACCOUNT_COUNT = 10;
const TARGET = '/v1/svc/technical/AAPL?indicators=sma,ema,rsi,macd,bollinger&limit=250';

/** Requests between which the process does what else it has to do. */
const TURN_REQUESTS = 100;

const GOAL_US = 15;

/** Every layer with all that stand before it. */
const LAYERS = ['nothing', 'authentication', 'limits', 'usage', 'log'] as const;

interface Request {
  headers: Record<string, string>;
  lines: string[];
}

function createLayers(accounts: Accounts) {
  const authenticate = createAuthenticator(accounts);
  const countRequest = createRateLimiter({ requests: 600, windowS: 60 });
  const log = createLog('info', gatheringDestination(openSync('/dev/null', 'w')));
  const startMs = performance.now();
  const limit = ({ lines }: Request, key: ValidKey, nowMs: number) => {
    const quota = countRequest(key, nowMs);
    checkResult(tokensLeft(accounts, key, nowMs) > 0, 'no tokens are left');
    pushRateLimitHeaders(lines, quota);
  };
  const use = { endpoint: '/svc/technical/{symbol}', method: 'GET', isError: false, tokens: 5 };
  /** @param depth How many layers are on. */
  return (request: Request, depth: number) => {
    const nowMs = Date.now();
    if (depth < 1) return;
    const key = authenticate(request.headers, nowMs);
    if (depth < 2) return;
    limit(request, key, nowMs);
    if (depth < 3) return;
    accounts.count({ key, atMs: nowMs, ...use });
    if (depth < 4) return;
    log.request({
      requestId: 'req_0123456789ab00000001',
      method: 'GET',
      target: maskedTarget(TARGET),
      status: 200,
      isAborted: false,
      durationMs: Math.round((performance.now() - startMs) * 1000) / 1000,
      keyId: key.id,
    });
  };
}

function newKeys(accounts: Accounts): Buffer[] {
  for (let i = 0; i < ACCOUNT_COUNT; i++) {
    const plan = { tokensPerDay: 1_000_000_000 };
    accounts.createAccount({ id: `account-${i}`, label: 'bench', plan });
  }
  return Array.from({ length: KEY_COUNT }, (_unused, i) => {
    const account = `account-${i % ACCOUNT_COUNT}`;
    const key = { mode: 'live', label: 'bench', scopes: ['all'], account } as const;
    return Buffer.from(accounts.createKey(key).rawKey);
  });
}

/** CPU time per request in microseconds, user and system. */
async function measure(
  pass: ReturnType<typeof createLayers>,
  rawKeys: readonly Buffer[],
  depth: number,
  requestCount: number,
): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < requestCount; i++) {
    // As Node gives them: fresh objects and texts for each request.
    const rawKey = rawKeys[i % KEY_COUNT].toString('latin1');
    pass({ headers: { 'x-api-key': rawKey }, lines: [] }, depth);
    if (i % TURN_REQUESTS === 0) await new Promise(setImmediate);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requestCount;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

const size = benchSizeFromArgs();
const { rounds, requestCount } = SIZES[size];
const folder = mkdtempSync(join(tmpdir(), 'tapeworks-'));
const accounts = openAccounts(accountsPath(folder));
try {
  const rawKeys = newKeys(accounts);
  const pass = createLayers(accounts);
  const samples = LAYERS.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const depth of LAYERS.keys()) {
      const us = await measure(pass, rawKeys, depth, requestCount);
      // The first round warms up.
      if (round >= 0) samples[depth].push(us);
    }
  }
  accounts.flush();
  const all = { mode: 'live', fromDay: 0, toDay: 99_999, rowsMax: 1_000_000 } as const;
  const counted = accounts.dailyKeyUsage(all).reduce((sum, { callCount }) => sum + callCount, 0);
  const expected = 2 * (rounds + 1) * requestCount;
  checkResult(counted === expected, `${counted} of ${expected} requests are counted`);

  const mediansUs = samples.map(median);
  console.log(`${KEY_COUNT} keys of ${ACCOUNT_COUNT} accounts with quotas; ${machineLine()}\n`);
  const rows = LAYERS.map((name, i) => [
    i === 0 ? name : `+ ${name}`,
    readable(mediansUs[i]),
    i === 0 ? '' : readable(mediansUs[i] - mediansUs[i - 1]),
  ]);
  console.log(tableFromRows(['layers', 'CPU µs a request', 'this layer'], rows));
  const added = mediansUs[LAYERS.length - 1] - mediansUs[0];
  const verdict = added <= GOAL_US ? 'met' : 'missed';
  console.log(`\nall layers together: ${readable(added)} µs (goal ${GOAL_US}: ${verdict})`);
} finally {
  accounts.close();
  rmSync(folder, { recursive: true });
}
