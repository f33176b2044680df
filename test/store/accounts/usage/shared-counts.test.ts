import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { openAccounts } from '../../../../src/store/accounts/admission/sqlite-accounts.ts';
import type { ValidKey } from '../../../../src/store/accounts/keys/key-record.ts';
import { newCountMemory } from '../../../../src/store/accounts/usage/count-memory.ts';
import { createWindowCounters } from '../../../../src/store/accounts/usage/window-counters.ts';
import type { CountThreadData, CountThreadReply } from '../support/count-thread.ts';
import { START_DAY, START_MS, useAccounts } from '../support/use-accounts.ts';

const THREADS = 3;
const REQUESTS = 10_000;
const KEYS = 25;
const fixture = useAccounts();

it('threads number the requests of a key and lose no use', async () => {
  const memory = newCountMemory();
  const accounts = openAccounts(fixture.place.path, () => START_MS, { memory });
  const rawKeys: string[] = [];
  for (let i = 0; i < KEYS; i++) {
    const key = { mode: 'live', label: 'x', scopes: ['all'] } as const;
    rawKeys.push((await accounts.createKey(key)).rawKey);
  }
  const shared = { path: fixture.place.path, memory, rawKeys, window: 7, atMs: START_MS };
  const workerData: CountThreadData = { ...shared, requestCount: REQUESTS };
  const countInThread = () =>
    new Promise<Int32Array>((resolve, reject) => {
      const url = new URL('../support/count-thread.ts', import.meta.url);
      const worker = new Worker(url, { workerData });
      worker.on('error', reject);
      worker.on('message', (reply: CountThreadReply) => {
        if ('numbers' in reply) resolve(reply.numbers);
        else accounts.addCounts(reply.usage);
      });
    });
  const numbers = await Promise.all(Array.from({ length: THREADS }, countInThread));

  const perKey = (THREADS * REQUESTS) / KEYS;
  for (let key = 0; key < KEYS; key++) {
    const ofKey = numbers.flatMap((of) => [...of.filter((_, i) => i % KEYS === key)]);
    expect(new Set(ofKey).size).toBe(perKey);
    expect(Math.max(...ofKey)).toBe(perKey);
  }
  const one = accounts.findKey(rawKeys[0]) as ValidKey;
  const tokensUsed = 3 * THREADS * REQUESTS;
  expect(accounts.tokensUsed(one, START_MS)).toBe(tokensUsed);
  accounts.flush();
  expect(accounts.tokensUsed(one, START_MS)).toBe(tokensUsed);
  const days = { account: 'default', mode: 'live', fromDay: 0, toDay: 99_999, rowsMax: 9 } as const;
  expect(await accounts.dailyUsage(days)).toEqual([
    {
      ...{ day: START_DAY, endpoint: '/svc/symbols', method: 'GET' },
      ...{ callCount: THREADS * REQUESTS, errorCount: (THREADS * REQUESTS) / 10, tokensUsed },
    },
  ]);
  await accounts.close();
});

describe('createWindowCounters', () => {
  const counters = (countBits = 32) =>
    createWindowCounters(new SharedArrayBuffer(8 * 8), countBits);

  it('begins at zero with every window, and counts cells apart', () => {
    const { add, get } = counters();
    expect([add(1, 5, 1), add(1, 5, 1), add(2, 5, 1), add(1, 6, 1)]).toEqual([1, 2, 1, 1]);
    expect([get(1, 5), get(1, 6), get(2, 5), get(3, 5)]).toEqual([undefined, 1, 1, undefined]);
  });

  it('counts late requests in the next window, and starts again far from it', () => {
    const { add } = counters();
    expect([add(0, 6, 1), add(0, 5, 1), add(0, 6, 1)]).toEqual([1, 2, 3]);
    // A key's windows became longer, so that their numbers fell.
    expect(add(0, 3, 1)).toBe(1);
  });

  it('stops at the largest count and at zero', () => {
    const { add, put, get } = counters(4);
    expect([add(0, 1, 14), add(0, 1, 5)]).toEqual([14, 15]);
    expect(add(0, 1, -20)).toBe(0);
    put(0, 2, 3);
    expect(get(0, 2)).toBe(3);
  });
});
