/** Jobs for the operator, with and without Redis: metrics, and the page at `/jobs`. */

import type { RequestHandler } from 'express';
import type { JobReader } from '../../../jobs/contract/reader.ts';
import type { JobRecord } from '../../../jobs/contract/runner.ts';
import type { MetricFamily } from '../../api/operator/metrics/family.ts';
import type { Settings } from '../../base/config/config.ts';
import { accountsPlace } from '../../base/config/data-dir.ts';
import { QueueUnavailableError } from '../../base/errors.ts';
import { wallMs } from '../../base/world/clock.ts';
import { ifReachable, readAccounts } from '../../store/accounts/open.ts';
import type { AccountRecords } from '../../store/accounts/records/contract.ts';
import { NO_DELIVERIES } from '../../store/accounts/webhooks/delivery-figures.ts';
import { deliveryFamilies, jobFamilies } from './job-metrics.ts';

export interface OperatorJobs {
  families(): Promise<MetricFamily[]>;
  /** Lists jobs, newest first. */
  list(): Promise<JobRecord[]>;
  /** With Redis: opens the dashboard for everything under `/jobs`. */
  board?: () => Promise<RequestHandler>;
}

/** Opens the engine and imports its code at the first use. */
export function operatorJobs(settings: Settings): OperatorJobs {
  const { redisUrl } = settings;
  const reader = opener(() => openReaderOf(settings));
  const families = async () => {
    const nowMs = wallMs();
    // Awaited together: if one failed while the other was awaited alone, the thread would end.
    const [figures, deliveries] = await Promise.all([
      reader().then(
        (jobs) => jobs.figures().catch(() => undefined),
        () => undefined,
      ),
      readDeliveries(settings.dataDir),
    ]);
    const jobs = jobFamilies(figures, nowMs);
    return deliveries ? [...jobs, ...deliveryFamilies(deliveries, nowMs)] : jobs;
  };
  if (redisUrl === undefined) return { families, list: async () => (await reader()).jobs() };
  const board = opener(() => openBoard(settings, redisUrl));
  return { families, list: async () => [], board };
}

async function openReaderOf(settings: Settings): Promise<JobReader> {
  const { openReader } = await import('../../../jobs/runner/open-reader.ts');
  return openReader(settings);
}

/** Reads from the jobs once, for a command; undefined if Redis does not reply. */
export async function readJobs<T>(
  settings: Settings,
  read: (jobs: JobReader) => Promise<T>,
): Promise<T | undefined> {
  const jobs = await openReaderOf(settings).catch((error) => {
    if (!(error instanceof QueueUnavailableError)) throw error;
  });
  if (!jobs) return undefined;
  await using _ = jobs;
  return await read(jobs);
}

/** Opens once, and again after a failure. */
function opener<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined;
  return () => {
    opening ??= open().catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
}

/** Opens the dashboard. @throws {QueueUnavailableError} Redis does not reply. */
async function openBoard(settings: Settings, url: string): Promise<RequestHandler> {
  const [{ openRedisRunner }, { openQueues }, { createJobsBoard }] = await Promise.all([
    import('../../../jobs/redis/redis-runner.ts'),
    import('../../../jobs/redis/queues.ts'),
    import('./jobs-board.ts'),
  ]);
  const runner = await openRedisRunner(settings, url);
  return createJobsBoard(openQueues(url), runner);
}

/** @returns undefined if Postgres can't be reached. */
function readDeliveries(dataDir: string) {
  const read = (accounts: AccountRecords) => accounts.deliveryFigures();
  const reading = readAccounts(accountsPlace(dataDir), read);
  return ifReachable(reading.then((figures) => figures ?? NO_DELIVERIES));
}
