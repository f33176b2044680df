/** Finds jobs that this version cannot run, before it takes them. */

import type { Job } from 'bullmq';
import { checkDelivery, checkFetch, checkLoad, isKnown } from './payloads.ts';
import type { Queues } from './queues.ts';

const UNFINISHED = ['active', 'waiting-children', 'wait', 'prioritized', 'delayed'] as const;

/** Jobs read at a time, so that a run of many tasks needs little memory. */
const PAGE = 1000;

/** Reads all unfinished jobs. @throws as BullMQ if Redis is away. */
export async function foreignJobs(
  queues: Queues,
): Promise<{ unfinished: number; foreign: string[] }> {
  const { fetch, load, maintenance, webhooks } = queues;
  let unfinished = 0;
  const foreign: string[] = [];
  const checks = [
    [fetch, checkFetch],
    [load, checkLoad],
    [maintenance, checkLoad],
    [webhooks, checkDelivery],
  ] as const;
  for (const [queue, check] of checks) {
    for (const state of UNFINISHED) {
      for (let start = 0; ; start += PAGE) {
        const jobs: Job[] = await queue.getJobs([state], start, start + PAGE - 1);
        // A job that ended meanwhile is missing in its place.
        for (const job of jobs) {
          if (!job) continue;
          unfinished++;
          const { id } = job;
          if (!isKnown(job, check)) foreign.push(`${queue.name} ${id}`);
        }
        if (jobs.length < PAGE) break;
      }
    }
  }
  return { unfinished, foreign };
}
