/** A thread that counts as fast as it can, for tests of what threads share. */

import { parentPort, workerData } from 'node:worker_threads';
import type { ValidKey } from '../../../../src/store/sqlite/keys/key-record.ts';
import type { CountMemory } from '../../../../src/store/sqlite/usage/count-memory.ts';
import { createRequestCounts } from '../../../../src/store/sqlite/usage/request-counts.ts';
import { createUsageRows } from '../../../../src/store/sqlite/usage/usage-rows.ts';

export interface CountThreadData {
  memory: CountMemory;
  requestCount: number;
  /** How many keys are counted for in turn, numbered from 1. */
  keyCount: number;
  window: number;
  atMs: number;
}

const { memory, requestCount, keyCount, window, atMs } = workerData as CountThreadData;
const counts = createRequestCounts(memory);
const rows = createUsageRows(memory);
const keys = Array.from({ length: keyCount }, (_, i) => ({ number: i + 1 }) as ValidKey);
const counted = new Int32Array(requestCount);
for (let i = 0; i < requestCount; i++) {
  const key = keys[i % keyCount];
  counted[i] = counts.countRequest(key, window);
  const isError = i % 10 === 0;
  rows.add({ key, atMs, endpoint: '/svc/symbols', method: 'GET', isError, tokens: 3 });
}
parentPort?.postMessage(counted);
