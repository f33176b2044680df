/** Authentication, limits, usage and the log as a request meets them, to be switched on one by one. */

import { openSync } from 'node:fs';
import { createRateLimiter, tokensLeft } from '../../src/api/access/admission.ts';
import { createAuthenticator } from '../../src/api/access/authenticate.ts';
import { createLog, gatheringDestination, maskedTarget } from '../../src/api/http/log.ts';
import { pushRateLimitHeaders } from '../../src/api/http/quota.ts';
import type { ValidKey } from '../../src/store/accounts/keys/key-record.ts';
import type { Accounts } from '../../src/store/accounts/records/contract.ts';
import { checkResult } from '../harness.ts';

const TARGET = '/v1/svc/technical/AAPL?indicators=sma,ema,rsi,macd,bollinger&limit=250';

/** Requests between which the process does what else it has to do. */
const TURN_REQUESTS = 100;

/** Every layer with all that stand before it. */
export const LAYERS = ['nothing', 'authentication', 'limits', 'usage', 'log'] as const;

interface Request {
  headers: Record<string, string>;
  lines: string[];
}

export function createLayers(accounts: Accounts) {
  const authenticate = createAuthenticator(accounts);
  const countRequest = createRateLimiter(accounts, { requests: 600, windowS: 60 });
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

/** Sends requests of all keys in turn through the first `depth` layers. */
export async function sendRequests(
  pass: ReturnType<typeof createLayers>,
  rawKeys: readonly Uint8Array[],
  depth: number,
  requestCount: number,
): Promise<void> {
  const texts = rawKeys.map((rawKey) => Buffer.from(rawKey));
  for (let i = 0; i < requestCount; i++) {
    // As Node gives them: fresh objects and texts for each request.
    const rawKey = texts[i % texts.length].toString('latin1');
    pass({ headers: { 'x-api-key': rawKey }, lines: [] }, depth);
    if (i % TURN_REQUESTS === 0) await new Promise(setImmediate);
  }
}
