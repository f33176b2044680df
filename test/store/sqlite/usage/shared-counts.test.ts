import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { ValidKey } from '../../../../src/store/sqlite/keys/key-record.ts';
import {
  type CountMemory,
  newCountMemory,
} from '../../../../src/store/sqlite/usage/count-memory.ts';
import {
  createUsageRows,
  type UsageRowCounts,
} from '../../../../src/store/sqlite/usage/usage-rows.ts';
import { createWindowCounters } from '../../../../src/store/sqlite/usage/window-counters.ts';
import type { CountThreadData } from '../support/count-thread.ts';
import { START_DAY, START_MS } from '../support/open-accounts.ts';

const THREADS = 4;
const REQUESTS = 50_000;
const KEYS = 25;

async function countInThread(memory: CountMemory): Promise<Int32Array> {
  const workerData: CountThreadData = {
    memory,
    requestCount: REQUESTS,
    keyCount: KEYS,
    window: 7,
    atMs: START_MS,
  };
  const worker = new Worker(new URL('../support/count-thread.ts', import.meta.url), { workerData });
  return new Promise((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}

describe('threads that count at once', () => {
  it('give each request of a key a number of its own, and lose no use', async () => {
    const memory = newCountMemory(['/svc/symbols']);
    const rows = createUsageRows(memory);
    const taken: UsageRowCounts[] = [];
    const counting = Promise.all(Array.from({ length: THREADS }, () => countInThread(memory)));
    let isDone = false;
    counting.finally(() => {
      isDone = true;
    });
    // The writer takes out while all of them go on.
    while (!isDone) {
      taken.push(...rows.take());
      await new Promise(setImmediate);
    }
    const counted = await counting;
    taken.push(...rows.take());

    const perKey = (THREADS * REQUESTS) / KEYS;
    for (let key = 0; key < KEYS; key++) {
      const numbers = counted.flatMap((of) => [...of.filter((_, i) => i % KEYS === key)]);
      expect(new Set(numbers).size).toBe(perKey);
      expect(Math.max(...numbers)).toBe(perKey);
    }
    const sumOf = (of: 'calls' | 'errors' | 'tokens') =>
      taken.reduce((sum, row) => sum + row[of], 0);
    expect(sumOf('calls')).toBe(THREADS * REQUESTS);
    expect(sumOf('errors')).toBe((THREADS * REQUESTS) / 10);
    expect(sumOf('tokens')).toBe(3 * THREADS * REQUESTS);
    expect(new Set(taken.map(({ keyNumber }) => keyNumber)).size).toBe(KEYS);
    expect(new Set(taken.map(({ day }) => day))).toEqual(new Set([START_DAY]));
  });
});

describe('createWindowCounters', () => {
  const counters = (countBits = 32) =>
    createWindowCounters(new SharedArrayBuffer(8 * 8), countBits);

  it('begins at zero with every window, and counts cells apart', () => {
    const { add, get } = counters();
    expect([add(1, 5, 1), add(1, 5, 1), add(2, 5, 1), add(1, 6, 1)]).toEqual([1, 2, 1, 1]);
    expect([get(1, 5), get(1, 6), get(2, 5), get(3, 5)]).toEqual([undefined, 1, 1, undefined]);
  });

  it('counts who comes late in the next window, and begins anew far from it', () => {
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

describe('createUsageRows', () => {
  const key = { number: 1 } as ValidKey;
  const use = { key, endpoint: '/svc/symbols', method: 'GET', isError: false, tokens: 1 };
  const atDay = (day: number) => ({ ...use, atMs: (START_DAY + day) * 86_400_000 });

  it('has no room for an unknown endpoint', () => {
    const rows = createUsageRows(newCountMemory(['/svc/symbols']));
    expect(rows.add({ ...atDay(0), endpoint: '/svc/other' })).toBe(false);
    expect(rows.add({ ...atDay(0), method: 'NONE' })).toBe(false);
    expect(rows.take()).toEqual([]);
  });

  it('keeps days apart, and gives rows to days to come once theirs are written', () => {
    const rows = createUsageRows(newCountMemory(['/svc/symbols']));
    for (const day of [0, 1]) expect(rows.add(atDay(day))).toBe(true);
    expect(rows.add(atDay(4))).toBe(false);
    expect(rows.take().map(({ day }) => day - START_DAY)).toEqual([0, 1]);
    expect(rows.add(atDay(3))).toBe(true);
    rows.freeDays();
    expect(rows.add(atDay(4))).toBe(true);
    expect(rows.take().map(({ day }) => day - START_DAY)).toEqual([4, 3]);
  });

  it('counts again what is put back', () => {
    const rows = createUsageRows(newCountMemory(['/svc/symbols']));
    rows.add(atDay(0));
    const taken = rows.take();
    rows.add({ ...atDay(0), isError: true });
    rows.putBack(taken);
    expect(rows.take()).toMatchObject([{ calls: 2, errors: 1, tokens: 2 }]);
    expect(rows.take()).toEqual([]);
  });
});
