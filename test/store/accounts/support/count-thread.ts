/** An API thread that counts as fast as it can, for tests of shared counters. */

import { parentPort, workerData } from 'node:worker_threads';
import { openAccounts } from '../../../../src/store/accounts/admission/sqlite-accounts.ts';
import type { ValidKey } from '../../../../src/store/accounts/keys/key-record.ts';
import type { CountMemory } from '../../../../src/store/accounts/usage/count-memory.ts';
import type { UsageCount } from '../../../../src/store/accounts/usage/usage-counts.ts';

export interface CountThreadData {
  path: string;
  memory: CountMemory;
  requestCount: number;
  /** Raw keys, counted in turn. */
  rawKeys: string[];
  window: number;
  atMs: number;
}

/** Usage that was counted, or at last the number that each request got from its key's counter. */
export type CountThreadReply = { usage: readonly UsageCount[] } | { numbers: Int32Array };

const { path, memory, requestCount, rawKeys, window, atMs } = workerData as CountThreadData;
const tell = (reply: CountThreadReply) => parentPort?.postMessage(reply);
const accounts = openAccounts(path, () => atMs, { memory, post: (usage) => tell({ usage }) });
const keys = rawKeys.map((rawKey) => accounts.findKey(rawKey) as ValidKey);
const numbers = new Int32Array(requestCount);
for (let i = 0; i < requestCount; i++) {
  const key = keys[i % keys.length];
  numbers[i] = accounts.countRequest(key, window);
  const isError = i % 10 === 0;
  accounts.count({ key, atMs, endpoint: '/svc/symbols', method: 'GET', isError, tokens: 3 });
  if (i % 5000 === 0) accounts.flush();
}
await accounts.close();
tell({ numbers });
