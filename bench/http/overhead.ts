/**
 * Cost of authentication, limits, usage and the log per request: CPU time of the whole process,
 * with the layers switched on one by one. Their timers and writes to SQLite are included. Measured
 * in one thread, and in two that count together.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { accountsPath } from '../../src/base/config/data-dir.ts';
import { openAccounts } from '../../src/store/accounts/admission/sqlite-accounts.ts';
import type { Accounts } from '../../src/store/accounts/records/contract.ts';
import { newCountMemory } from '../../src/store/accounts/usage/count-memory.ts';
import {
  benchFolder,
  benchSizeFromArgs,
  checkResult,
  machineLine,
  medianOf,
  readable,
  tableFromRows,
} from '../harness.ts';
import { createLayers, LAYERS, sendRequests } from './overhead-layers.ts';
import type { OverheadReply, OverheadTask, OverheadThreadData } from './overhead-thread.ts';

const SIZES = {
  smoke: { rounds: 1, requestCount: 2000 },
  quick: { rounds: 3, requestCount: 200_000 },
  full: { rounds: 9, requestCount: 400_000 },
};

/** Keys that ask in turn, each of an account with a quota of tokens, which costs the most. */
const KEY_COUNT = 100;
const ACCOUNT_COUNT = 10;
const THREAD_COUNT = 2;
const GOAL_US = 15;

async function newKeys(accounts: Accounts): Promise<Uint8Array[]> {
  for (let i = 0; i < ACCOUNT_COUNT; i++) {
    const plan = { tokensPerDay: 1_000_000_000 };
    await accounts.createAccount({ id: `account-${i}`, label: 'bench', plan });
  }
  const rawKeys: Uint8Array[] = [];
  for (let i = 0; i < KEY_COUNT; i++) {
    const account = `account-${i % ACCOUNT_COUNT}`;
    const key = { mode: 'live', label: 'bench', scopes: ['all'], account } as const;
    rawKeys.push(Buffer.from((await accounts.createKey(key)).rawKey));
  }
  return rawKeys;
}

/** CPU time per request in microseconds, user and system. */
async function cpuUs(requestCount: number, work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requestCount;
}

async function sendByThreads(workers: readonly Worker[], task: OverheadTask): Promise<void> {
  await Promise.all(
    workers.map((worker) => {
      worker.postMessage(task);
      return once(worker, 'done');
    }),
  );
}

function startThread(): Worker {
  const worker = new Worker(threadUrl, { workerData });
  worker.on('message', (message: OverheadReply) => {
    if (message === 'done') worker.emit('done');
    else accounts.addCounts(message);
  });
  return worker;
}

const size = benchSizeFromArgs();
const { rounds, requestCount } = SIZES[size];
const folder = benchFolder();
const path = accountsPath(folder);
const memory = newCountMemory();
const accounts = openAccounts(path, Date.now, { memory });
const rawKeys = await newKeys(accounts);
const workerData: OverheadThreadData = { accountsPath: path, memory, rawKeys };
const threadUrl = new URL('./overhead-thread.ts', import.meta.url);
const workers = Array.from({ length: THREAD_COUNT }, startThread);
try {
  const pass = createLayers(accounts);
  const alone = LAYERS.map((): number[] => []);
  const together = LAYERS.map((): number[] => []);
  const perThread = requestCount / THREAD_COUNT;
  for (let round = -1; round < rounds; round++) {
    for (const depth of LAYERS.keys()) {
      const one = () => sendRequests(pass, rawKeys, depth, requestCount);
      const all = () => sendByThreads(workers, [depth, perThread]);
      const us = [await cpuUs(requestCount, one), await cpuUs(requestCount, all)];
      // The first round warms up.
      if (round < 0) continue;
      alone[depth].push(us[0]);
      together[depth].push(us[1]);
    }
  }
  accounts.flush();
  const everything = { mode: 'live', fromDay: 0, toDay: 99_999, rowsMax: 1_000_000 } as const;
  const usage = await accounts.dailyKeyUsage(everything);
  const counted = usage.reduce((sum, { callCount }) => sum + callCount, 0);
  const expected = 2 * 2 * (rounds + 1) * requestCount;
  checkResult(counted === expected, `${counted} of ${expected} requests are counted`);

  const medians = [alone, together].map((samples) => samples.map(medianOf));
  console.log(`${KEY_COUNT} keys of ${ACCOUNT_COUNT} accounts with quotas; ${machineLine()}\n`);
  const rows = LAYERS.map((name, i) => [
    i === 0 ? name : `+ ${name}`,
    ...medians.flatMap((us) => [readable(us[i]), i === 0 ? '' : readable(us[i] - us[i - 1])]),
  ]);
  const header = ['layers', 'one thread', 'this layer', 'two threads', 'this layer'];
  console.log(`CPU µs a request\n\n${tableFromRows(header, rows)}`);
  const added = medians.map((us) => us[LAYERS.length - 1] - us[0]);
  const verdict = Math.max(...added) <= GOAL_US ? 'met' : 'missed';
  const texts = added.map(readable).join(' and ');
  console.log(`\nall layers together: ${texts} µs (goal ${GOAL_US}: ${verdict})`);
} finally {
  await Promise.all(workers.map((worker) => worker.terminate()));
  await accounts.close();
}
