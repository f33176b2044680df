/** Retries failed jobs for the operator. This process only requeues them; others run them. */

import { JobLedger } from '../../../jobs/ledger/ledger.ts';
import { hasKeeper, NOBODY } from '../../../jobs/ledger/owner-lock.ts';
import { requeueFailed } from '../../../jobs/ledger/requeue.ts';
import type { Settings } from '../../base/config/config.ts';
import { jobsPaths } from '../../base/config/data-dir.ts';
import { HttpError, QueueUnavailableError } from '../../base/errors.ts';
import type { RetryRequest } from '../../base/operator/report.ts';

/** Returns true if some process takes requeued jobs. With Redis, they wait for a worker. */
export function canRetry({ redisUrl, dataDir }: Settings): boolean {
  return redisUrl !== undefined || hasKeeper(jobsPaths(dataDir).owners);
}

/**
 * Puts failed jobs back in the queue.
 *
 * @returns ids of their runs.
 * @throws {HttpError} 404 if no failed job has one of the ids, 503 if no process runs jobs.
 */
export async function retryJobs(
  settings: Settings,
  { jobs, accept }: RetryRequest,
  nowMs: number,
): Promise<string[]> {
  if (!canRetry(settings)) {
    throw new HttpError(
      503,
      'No process runs jobs for this data folder: run "tapeworks start" or "tapeworks schedule"',
    );
  }
  const runs = await requeue(settings, { jobs, accept }, nowMs);
  if (runs.length > 0) return runs;
  throw new HttpError(404, `No failed job has the id "${jobs.join('" or "')}"`);
}

async function requeue(
  settings: Settings,
  { jobs, accept }: RetryRequest,
  nowMs: number,
): Promise<string[]> {
  if (settings.redisUrl === undefined) {
    using ledger = new JobLedger(jobsPaths(settings.dataDir).ledger);
    return await requeueFailed(ledger, jobs, { settings, owner: NOBODY, accept, nowMs });
  }
  const { openRedisRunner } = await import('../../../jobs/redis/redis-runner.ts');
  await using runner = await openRedisRunner(settings, settings.redisUrl).catch((error) => {
    throw error instanceof QueueUnavailableError ? new HttpError(503, error.message) : error;
  });
  return await runner.retry(jobs, { accept });
}
