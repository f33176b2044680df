/**
 * Deliveries as jobs, where users see them. `accounts.sqlite` alone holds what is due: each worker
 * adds a job for the time at which something is due. If Redis is away or lost the job, late
 * deliveries are made without one.
 */

import { once } from 'node:events';
import { DeliveriesFailedError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { clearInterval, setInterval, wallMs } from '../../src/base/world/clock.ts';
import type { Accounts } from '../../src/store/accounts/records/contract.ts';
import { createDeliverer, type Deliverer, type DeliveryCounts } from '../webhooks/deliver.ts';
import type { DeliveryOptions, FailedAttempt } from '../webhooks/deliver-one.ts';
import { checkDelivery } from './payloads.ts';
import { openQueues, type Retried } from './queues.ts';
import type { WorkerLog } from './take-jobs.ts';
import { startWatchedWorker } from './watched-worker.ts';

export interface DeliveryJobsOptions extends DeliveryOptions {
  accounts: DeliveryOptions['accounts'] & Pick<Accounts, 'nextDeliveryMs'>;
  url: string;
  jobLog: WorkerLog;
  signal: AbortSignal;
}

export async function deliverByJobs(options: DeliveryJobsOptions): Promise<void> {
  const { url, jobLog, signal } = options;
  const deliverer = createDeliverer(options);
  const queues = openQueues(url);
  const worker = startWatchedWorker<Retried, DeliveryCounts>({
    ...{ url, log: jobLog, queue: 'webhooks', concurrency: limits.webhook.jobsMax },
    check: checkDelivery,
    process: () => deliver(deliverer),
    about: (_, did) => ({ ...(did && { did }) }),
  });
  const feed = createFeed(options, deliverer, (atMs, nowMs) =>
    // The time is the job's id, so several workers add it once.
    queues.webhooks.add('deliver', {}, { jobId: `due-${atMs}`, delay: Math.max(0, atMs - nowMs) }),
  );
  const polling = setInterval(feed, limits.webhook.pollMs);
  if (!signal.aborted) await once(signal, 'abort');
  clearInterval(polling);
  await Promise.all([deliverer.close(limits.redis.stopMs), worker.close()]);
  await queues.close();
}

/** Makes all deliveries that are due. @throws {DeliveriesFailedError} some failed for good. */
async function deliver(deliverer: Deliverer): Promise<DeliveryCounts> {
  const { counts, givenUp } = await deliverer.deliver();
  if (givenUp.length > 0) throw new DeliveriesFailedError(givenUpText(counts, givenUp));
  return counts;
}

function givenUpText(counts: DeliveryCounts, givenUp: readonly FailedAttempt[]): string {
  const { shownMax } = limits.webhook;
  const lines = givenUp
    .slice(0, shownMax)
    .map(
      ({ event, webhook, error, attempts }) =>
        `${event} to ${webhook}: ${error} (attempt ${attempts})`,
    );
  const more = givenUp.length > shownMax ? [`and ${givenUp.length - shownMax} more`] : [];
  const sums = `delivered: ${counts.delivered}, retried: ${counts.retried}`;
  return `given up: ${[...lines, ...more].join('; ')}; ${sums}`;
}

/** Builds the function that adds a job for what is due, and makes late deliveries at once. */
function createFeed(
  { accounts, now = wallMs, log }: DeliveryJobsOptions,
  deliverer: Deliverer,
  add: (atMs: number, nowMs: number) => Promise<unknown>,
): () => Promise<void> {
  const { pollMs, lateMs } = limits.webhook;
  let addedMs = 0;
  let isFeeding = false;
  return async () => {
    if (isFeeding) return;
    isFeeding = true;
    try {
      const nowMs = now();
      const dueMs = await accounts.nextDeliveryMs();
      if (dueMs === undefined) return;
      if (dueMs <= nowMs - lateMs) deliverer.deliverDue(lateMs);
      // The active job also takes what becomes due meanwhile.
      if (dueMs <= nowMs && deliverer.isTaking()) return;
      const atMs = pollMs * Math.ceil(Math.max(dueMs, nowMs) / pollMs);
      if (atMs === addedMs) return;
      addedMs = atMs;
      // If Redis is away, the next call tries again with another id.
      add(atMs, nowMs).catch(() => undefined);
    } catch (error) {
      log.failure('deliveries', error);
    } finally {
      isFeeding = false;
    }
  };
}
