/** Puts failed jobs of `jobs.sqlite` back in the queue. */

import type { Settings } from '../../src/base/config/config.ts';
import { workPaths } from '../../src/base/config/data-dir.ts';
import { type Accept, type RunHead, retryRun, taskId } from '../contract/run.ts';
import { readShared, writeShared } from '../contract/staging.ts';
import type { JobLedger } from './ledger.ts';
import { reopenBackfills } from './reopen-backfills.ts';

export interface RequeueOptions {
  settings: Settings;
  /** Owner of the runs from now on. */
  owner: string;
  /** Loads without sanity checks, or without those of some symbols. */
  accept: Accept;
  nowMs: number;
  /** Starts a run that has been requeued. The next one may fail, for example on a full disk. */
  start?: (id: string) => void;
}

/**
 * Requeues failed loads, and makes a run of its own of the failed tasks of a run that is done.
 *
 * @param ids Failed loads or tasks; a run that is done stands for all its failed tasks.
 * @returns ids of the runs that wait for their owner.
 */
export async function requeueFailed(
  ledger: JobLedger,
  ids: readonly string[] | 'all',
  { settings, owner, accept, nowMs, start }: RequeueOptions,
): Promise<string[]> {
  const isMeant = (id: string) => ids === 'all' || ids.includes(id);
  const requeued: RunHead[] = [];
  const add = (head: RunHead) => {
    start?.(head.id);
    requeued.push(head);
  };
  for (const { head } of ledger.runs('dead')) {
    if (!isMeant(head.id)) continue;
    if (ledger.requeueLoad(head.id, owner, accept)) add(head);
  }
  for (const { head } of ledger.runs('done')) {
    const isTaskMeant = (index: number) => isMeant(head.id) || isMeant(taskId(head, index));
    const failed = ledger
      .tasks(head.id)
      .filter(({ index, state }) => state === 'dead' && isTaskMeant(index));
    if (failed.length === 0) continue;
    const paths = workPaths(settings, head.mode);
    const shared = await readShared(paths, head.id);
    const run = { ...retryRun(head, failed, shared, nowMs), accept };
    await writeShared(paths, run.id, shared);
    const indexes = failed.map(({ index }) => index);
    if (ledger.write(run, owner, { plan: head.id, indexes })) add(run);
  }
  await reopenBackfills(settings, requeued);
  return requeued.map(({ id }) => id);
}
