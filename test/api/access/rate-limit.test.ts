import { describe, expect, it } from 'vitest';
import { createRateLimiter } from '../../../src/api/access/admission.ts';
import { pushRateLimitHeaders, retryAfterS } from '../../../src/api/http/quota.ts';
import type { RateLimit } from '../../../src/base/config/values.ts';
import type { ValidKey } from '../../../src/store/sqlite/keys/key-record.ts';
import { newCountMemory } from '../../../src/store/sqlite/usage/count-memory.ts';
import { createRequestCounts } from '../../../src/store/sqlite/usage/request-counts.ts';

function key(number: number, limit?: ValidKey['limit']): ValidKey {
  return {
    id: `key_${number}`,
    number,
    account: 'default',
    accountNumber: 1,
    mode: 'live',
    scopes: new Set(),
    limit,
    ownLimit: limit,
    tokensPerDay: undefined,
    isSuspended: false,
    expiresMs: Number.POSITIVE_INFINITY,
  };
}

/** A limiter over counts of its own. */
const createLimiter = (standard: RateLimit) =>
  createRateLimiter(createRequestCounts(newCountMemory()), standard);

const WINDOW_START_MS = 1_767_614_400_000;

describe('createRateLimiter', () => {
  it('counts down in windows that start at multiples of their length', () => {
    const count = createLimiter({ requests: 2, windowS: 60 });
    const quotas = [0, 1000, 59_999, 60_000].map((ms) => count(key(1), WINDOW_START_MS + ms));
    expect(quotas.map((quota) => quota.remaining)).toEqual([1, 0, -1, 1]);
    expect(quotas.map((quota) => quota.resetS - WINDOW_START_MS / 1000)).toEqual([60, 60, 60, 120]);
  });

  it('counts keys apart', () => {
    const count = createLimiter({ requests: 1, windowS: 60 });
    expect(count(key(1), WINDOW_START_MS).remaining).toBe(0);
    expect(count(key(2), WINDOW_START_MS).remaining).toBe(0);
  });

  it('prefers the limit of the key', () => {
    const count = createLimiter({ requests: 1, windowS: 60 });
    const quota = count(key(1, { requests: 10, windowS: 7 }), WINDOW_START_MS);
    expect(quota).toMatchObject({ requests: 10, remaining: 9 });
    expect(quota.resetS % 7).toBe(0);
  });
});

it('pushRateLimitHeaders never shows less than zero', () => {
  const lines: string[] = [];
  pushRateLimitHeaders(lines, { requests: 5, windowS: 60, remaining: -3, resetS: 60 });
  expect(lines).toEqual([
    'X-SVC-RateLimit-Limit',
    '5',
    'X-SVC-RateLimit-Remaining',
    '0',
    'X-SVC-RateLimit-Reset',
    '60',
  ]);
});

it('retryAfterS is whole seconds, at least 1, after which the next window has begun', () => {
  const quota = { requests: 1, windowS: 60, remaining: -1, resetS: 60 };
  expect([0, 1, 58_500, 59_999].map((ms) => retryAfterS(quota, ms))).toEqual([60, 60, 2, 1]);
});
