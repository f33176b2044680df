/** Jobs for the operator, with and without Redis: metrics, and the page at `/jobs`. */

import type { RequestHandler } from 'express';
import type { JobRecord } from '../../../jobs/contract/runner.ts';
import type { JobFigures } from '../../../jobs/ledger/figures.ts';
import type { MetricFamily } from '../../api/operator/metrics/family.ts';
import type { Settings } from '../../base/config/config.ts';
import { accountsPlace, jobsPaths } from '../../base/config/data-dir.ts';
import { ifReachable, readAccounts } from '../../store/accounts/open.ts';
import type { AccountRecords } from '../../store/accounts/records/contract.ts';
import {
  type DeliveryFigures,
  NO_DELIVERIES,
} from '../../store/accounts/webhooks/delivery-figures.ts';
import { deliveryFamilies, jobFamilies } from './job-metrics.ts';

export interface OperatorJobs {
  families(): Promise<MetricFamily[]>;
  /** Lists jobs, newest first. */
  list(): Promise<JobRecord[]>;
  /** With Redis: opens the dashboard for everything under `/jobs`. */
  board?: () => Promise<RequestHandler>;
}

/** Opens the queues and imports their code at the first use. */
export function operatorJobs(settings: Settings): OperatorJobs {
  const { redisUrl } = settings;
  if (redisUrl === undefined) {
    return {
      families: () => familiesOf(settings, readLedger(settings)),
      async list() {
        const { listLedger } = await import('../../../jobs/ledger/listed-jobs.ts');
        return listLedger(settings);
      },
    };
  }
  const opened = opener(() => openRedis(settings, redisUrl));
  return {
    families: () =>
      familiesOf(
        settings,
        opened().then(({ read }) => read()),
      ),
    list: async () => [],
    board: async () => (await opened()).board(),
  };
}

async function familiesOf(
  { dataDir }: Settings,
  figures: Promise<JobFigures>,
): Promise<MetricFamily[]> {
  const nowMs = Date.now();
  // Both are awaited at once: a promise that fails before somebody waits for it ends the thread.
  const [known, deliveries] = await Promise.all([
    figures.catch(() => undefined),
    readDeliveries(dataDir),
  ]);
  const jobs = jobFamilies(known, nowMs);
  return deliveries ? [...jobs, ...deliveryFamilies(deliveries, nowMs)] : jobs;
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

/** Opens Redis. @throws {QueueUnavailableError} Redis does not reply. */
async function openRedis(settings: Settings, url: string) {
  const [{ openRedisRunner }, { openQueues }, { queueFigures }] = await Promise.all([
    import('../../../jobs/redis/redis-runner.ts'),
    import('../../../jobs/redis/queues.ts'),
    import('../../../jobs/redis/queue-figures.ts'),
  ]);
  const runner = await openRedisRunner(settings, url);
  const queues = openQueues(url);
  const board = opener(async () => {
    const { createJobsBoard } = await import('./jobs-board.ts');
    return createJobsBoard(queues, runner);
  });
  return { read: () => queueFigures(queues), board };
}

/** Reads the figures once, for a command; undefined if Redis does not reply. */
export async function readJobFigures(settings: Settings): Promise<JobFigures | undefined> {
  const { redisUrl } = settings;
  if (redisUrl === undefined) return readLedger(settings);
  const [{ connectRedis }, { openQueues }, { queueFigures }] = await Promise.all([
    import('../../../jobs/redis/connection.ts'),
    import('../../../jobs/redis/queues.ts'),
    import('../../../jobs/redis/queue-figures.ts'),
  ]);
  const redis = await connectRedis(redisUrl).catch(() => undefined);
  if (!redis) return undefined;
  redis.disconnect();
  const queues = openQueues(redisUrl);
  return queueFigures(queues).finally(() => queues.close());
}

async function readLedger({ dataDir }: Settings): Promise<JobFigures> {
  const { ledgerFigures } = await import('../../../jobs/ledger/figures.ts');
  const figures = ledgerFigures(jobsPaths(dataDir).ledger);
  const deliveries = await readDeliveries(dataDir);
  return deliveries ? withDeliveries(figures, deliveries) : figures;
}

/** @returns undefined if Postgres can't be reached. */
function readDeliveries(dataDir: string): Promise<DeliveryFigures | undefined> {
  const read = (accounts: AccountRecords) => accounts.deliveryFigures();
  const reading = readAccounts(accountsPlace(dataDir), read);
  return ifReachable(reading.then((figures) => figures ?? NO_DELIVERIES));
}

/** Adds deliveries to the figures: without Redis each one counts as a job. */
function withDeliveries(figures: JobFigures, deliveries: DeliveryFigures): JobFigures {
  const queue = 'webhooks';
  const { oldestDueMs } = deliveries;
  const counts = DELIVERY_STATES.map(
    (state) => ({ queue, state, count: deliveries[state] }) as const,
  );
  return {
    ...figures,
    jobs: [...figures.jobs, ...counts.filter(({ count }) => count > 0)],
    next: [
      ...figures.next,
      ...(oldestDueMs === null ? [] : [{ queue, addedMs: oldestDueMs } as const]),
    ],
  };
}

const DELIVERY_STATES = ['waiting', 'active', 'delayed', 'dead'] as const;
