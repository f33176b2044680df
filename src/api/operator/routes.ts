/** What is for the operator alone: `/metrics` and `/jobs`. */

import type { PublicRoute } from '../http/route.ts';
import type { OperatorCheck } from './access.ts';
import { type JobsSources, jobsRoute } from './jobs-page.ts';
import type { MetricMemory } from './metrics/metric-memory.ts';
import { type MetricsSources, metricsRoute } from './metrics/metrics.ts';

/** What is measured and shown in a process that has more than one app. */
export interface OperatorSources {
  /** Where requests are counted, and which part of it is the app's. */
  memory: MetricMemory;
  own: number;
  /** Each gives metrics of its own names. */
  families: MetricsSources['families'];
  /** Undefined: there is no `/jobs`. */
  jobs?: JobsSources;
}

/** Without `/jobs` where a board answers it. */
export function operatorRoutes(
  jobs: JobsSources | undefined,
  metrics: MetricsSources,
  check: OperatorCheck,
): PublicRoute[] {
  const pages = jobs && !jobs.board ? [jobsRoute(jobs)] : [];
  return [metricsRoute(metrics), ...pages].map((route) => ({
    ...route,
    check: ({ request }) => check(request),
  }));
}
