/** Metrics of jobs for `/metrics`, with and without Redis. */

import type { JobFigures } from '../../../jobs/ledger/figures.ts';
import { family, type MetricFamily } from '../../api/operator/metrics/family.ts';
import type { DeliveryFigures } from '../../store/sqlite/webhooks/delivery-figures.ts';

/**
 * Builds the metrics of jobs.
 *
 * @param figures Undefined if the queue cannot be read.
 */
export function jobFamilies(figures: JobFigures | undefined, nowMs: number): MetricFamily[] {
  const { jobs, next, ended } = figures ?? { jobs: [], next: [], ended: [] };
  const gauge = (name: string, help: string, values: MetricFamily['values']) =>
    family('gauge', `tapeworks_${name}`, help, values);
  const ofPlans = (value: (plan: JobFigures['ended'][number]) => number) =>
    ended.map((plan) => ({
      value: value(plan),
      labels: { mode: plan.mode, source: plan.source },
    }));
  return [
    gauge('jobs_up', 'Whether the queue of jobs could be read.', [
      { value: Number(figures !== undefined), labels: {} },
    ]),
    gauge(
      'jobs',
      'Jobs by queue and state; those that ended for as long as they are kept.',
      jobs.map(({ queue, state, count }) => ({ value: count, labels: { queue, state } })),
    ),
    gauge(
      'jobs_next_wait_seconds',
      'Time since the job that is next in a queue was added.',
      next.map(({ queue, addedMs }) => ({ value: (nowMs - addedMs) / 1000, labels: { queue } })),
    ),
    gauge(
      'plan_age_seconds',
      "Time since a source's newest plan ended.",
      ofPlans(({ endedMs }) => (nowMs - endedMs) / 1000),
    ),
    gauge(
      'plan_duration_seconds',
      'How long that plan took, from its making to its publish.',
      ofPlans(({ tookMs }) => tookMs / 1000),
    ),
    gauge(
      'plan_failed',
      'Whether that plan was given up.',
      ofPlans(({ isDead }) => Number(isDead)),
    ),
    gauge(
      'plan_rows',
      'Rows that it loaded.',
      ofPlans(({ rows }) => rows),
    ),
    gauge(
      'plan_rejected_rows',
      'Rows that it refused.',
      ofPlans(({ rejected }) => rejected),
    ),
    gauge(
      'plan_dead_jobs',
      'Its jobs that were given up.',
      ofPlans(({ deadJobs }) => deadJobs),
    ),
  ];
}

/** Builds the metrics of webhooks. With Redis one job stands for all due deliveries. */
export function deliveryFamilies(
  { oldestDueMs, ...counts }: DeliveryFigures,
  nowMs: number,
): MetricFamily[] {
  const waitS = oldestDueMs === null ? 0 : (nowMs - oldestDueMs) / 1000;
  return [
    family(
      'gauge',
      'tapeworks_webhook_deliveries',
      'Deliveries by state; those that were given up for a week.',
      Object.entries(counts).map(([state, value]) => ({ value, labels: { state } })),
    ),
    family(
      'gauge',
      'tapeworks_webhook_wait_seconds',
      'Time since the delivery that waits longest was due.',
      [{ value: waitS, labels: {} }],
    ),
  ];
}
