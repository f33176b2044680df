/**
 * Children that were never added, because the command died that added them, or whose landing is
 * gone: dead jobs like others, to be seen and run again.
 */

import type { FailedJob } from '../contract/reports.ts';
import { type RunHead, taskFromId } from '../contract/run.ts';
import type { StagedRun } from '../contract/staging.ts';
import { failureText, jobOptions, type Queues } from './queues.ts';

/**
 * Adds those of a published plan's dead jobs that are no jobs that have failed. A worker fails
 * them, without asking a vendor: nothing else can.
 *
 * @param run What was to be added; without it they can only be asked for anew.
 * @returns all the dead, with what is known of them.
 */
export async function addLostFetches(
  fetch: Queues['fetch'],
  { mode, source }: RunHead,
  deadJobs: readonly FailedJob[],
  run: StagedRun | undefined,
): Promise<FailedJob[]> {
  const known: FailedJob[] = [];
  for (const dead of deadJobs) {
    const child = run?.children[taskFromId(dead.id).index];
    const job = await fetch.getJob(dead.id);
    if (!child || (job && (job.data?.isLost || (await job.isFailed())))) {
      known.push(dead);
      continue;
    }
    // Done, as far as Redis knows.
    await job?.remove();
    const { title, slice } = child;
    const text = failureText(dead);
    await fetch.add(
      source,
      { mode, slice, failed: { tries: 0, text }, isLost: true },
      jobOptions(dead.id, 'quotes'),
    );
    known.push({ ...dead, title });
  }
  return known;
}
