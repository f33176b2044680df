/** Metrics of jobs for `/metrics`, with and without Redis. */

import type { JobFigures } from '../../../jobs/contract/reader.ts';
import { family, type MetricFamily } from '../../api/operator/metrics/family.ts';
import type { RunReport } from '../../base/operator/report.ts';
import type { DeliveryFigures } from '../../store/accounts/webhooks/delivery-figures.ts';

/** Builds the metrics of jobs; undefined figures mean that the queue cannot be read. */
export function jobFamilies(figures: JobFigures | undefined, nowMs: number): MetricFamily[] {
  const { jobs, next, ended } = figures ?? { jobs: [], next: [], ended: [] };
  const gauge = (name: string, help: string, values: MetricFamily['values']) =>
    family('gauge', `tapeworks_${name}`, help, values);
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
    ...RUN_GAUGES.map(([name, help, value]) =>
      gauge(
        `plan_${name}`,
        help,
        ended.map((run) => ({
          value: value(run, nowMs),
          labels: { mode: run.mode, source: run.source },
        })),
      ),
    ),
  ];
}

const msOf = (time: string | null) => (time === null ? 0 : Date.parse(time));

/** Metrics of a source's newest run. */
const RUN_GAUGES: [name: string, help: string, value: (run: RunReport, nowMs: number) => number][] =
  [
    [
      'age_seconds',
      "Time since a source's newest plan ended.",
      ({ endedAt }, nowMs) => (nowMs - msOf(endedAt)) / 1000,
    ],
    [
      'duration_seconds',
      'How long that plan took, from its making to its publish.',
      ({ createdAt, endedAt }) => (msOf(endedAt) - msOf(createdAt)) / 1000,
    ],
    [
      'failed',
      'Whether that plan was given up, apart from faults of its input.',
      ({ state, isInputFault }) => Number(state === 'failed' && !isInputFault),
    ],
    [
      'input_fault',
      'Whether that plan was given up because of its input.',
      ({ isInputFault }) => Number(isInputFault),
    ],
    ['rows', 'Rows that it loaded.', ({ accepted }) => accepted ?? 0],
    ['rejected_rows', 'Rows that it refused.', ({ refused }) => refused ?? 0],
    ['dead_jobs', 'Its jobs that were given up.', ({ tasks }) => tasks.failed],
  ];

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
