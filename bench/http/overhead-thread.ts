/** One of several threads that send requests through the layers at once, and count together. */

import { parentPort, workerData } from 'node:worker_threads';
import { openAccounts } from '../../src/store/sqlite/accounts.ts';
import type { CountMemory } from '../../src/store/sqlite/usage/count-memory.ts';
import { createLayers, sendRequests } from './overhead-layers.ts';

export interface OverheadThreadData {
  accountsPath: string;
  memory: CountMemory;
  rawKeys: Uint8Array[];
}

/** What a thread is asked: how many layers, how many requests. It answers when it is done. */
export type OverheadTask = [depth: number, requestCount: number];

const { accountsPath, memory, rawKeys } = workerData as OverheadThreadData;
const accounts = openAccounts(accountsPath, Date.now, { memory, isWriter: false });
const pass = createLayers(accounts);
parentPort?.on('message', async ([depth, requestCount]: OverheadTask) => {
  await sendRequests(pass, rawKeys, depth, requestCount);
  parentPort?.postMessage('done');
});
