/** One of several threads that send requests through the layers at once, and count together. */

import { parentPort, workerData } from 'node:worker_threads';
import { openAccounts } from '../../src/store/accounts/admission/sqlite-accounts.ts';
import type { CountMemory } from '../../src/store/accounts/usage/count-memory.ts';
import type { UsageCount } from '../../src/store/accounts/usage/usage-counts.ts';
import { createLayers, sendRequests } from './overhead-layers.ts';

export interface OverheadThreadData {
  accountsPath: string;
  memory: CountMemory;
  rawKeys: Uint8Array[];
}

/** Number of layers, and number of requests that a thread sends. */
export type OverheadTask = [depth: number, requestCount: number];

/** Messages of a thread: the end of a task, or usage that it has counted. */
export type OverheadReply = 'done' | readonly UsageCount[];

const { accountsPath, memory, rawKeys } = workerData as OverheadThreadData;
const post = (counts: readonly UsageCount[]) => parentPort?.postMessage(counts);
const accounts = openAccounts(accountsPath, Date.now, { memory, post });
const pass = createLayers(accounts);
parentPort?.on('message', async ([depth, requestCount]: OverheadTask) => {
  await sendRequests(pass, rawKeys, depth, requestCount);
  accounts.flush();
  parentPort?.postMessage('done' satisfies OverheadReply);
});
