/** `/metrics`, `/jobs` and `/operator/…`, for the operator alone. */

import type { Admission } from '../../store/accounts/records/contract.ts';
import type { PublicRoute } from '../contract/route.ts';
import { createResponse, NO_STORE } from '../http/response.ts';
import type { OperatorCheck } from './access.ts';
import { balancerRoute } from './balancer.ts';
import { type JobsSources, jobsRoute } from './jobs-page.ts';
import { accountsFamily, dataFamilies } from './metrics/data-metrics.ts';
import type { MetricFamily } from './metrics/family.ts';
import type { MetricMemory } from './metrics/thread-metrics.ts';
import { type OperatorReports, reportRoutes } from './reports.ts';

/** Sources of metrics and jobs in a process. */
export interface OperatorSources {
  /** Counters of all threads, and the number of this one. */
  memory: MetricMemory;
  own: number;
  /** Sources of metrics, each with its own names. */
  families: MetricsSources['families'];
  /** Undefined: `/jobs` does not exist. */
  jobs?: JobsSources;
  /** Undefined: the paths below `/operator` do not exist. */
  reports?: OperatorReports;
}

export interface MetricsSources {
  dataDir: string;
  accounts: Pick<Admission, 'contactMs'>;
  /** Milliseconds since the epoch. */
  now: () => number;
  families: readonly (() => MetricFamily[] | Promise<MetricFamily[]>)[];
}

/** Returns the routes, without `/jobs` if a board serves it. */
export function operatorRoutes(
  { jobs, reports }: Pick<OperatorSources, 'jobs' | 'reports'>,
  metrics: MetricsSources,
  check: OperatorCheck,
): PublicRoute[] {
  const pages = jobs && !jobs.board ? [jobsRoute(jobs)] : [];
  const made = reports ? reportRoutes(reports) : [];
  return [metricsRoute(metrics), balancerRoute, ...pages, ...made].map((route) => ({
    ...route,
    check: ({ request }) => check(request),
  }));
}

/** `/metrics`, for Prometheus. */
function metricsRoute({ dataDir, accounts, now, families }: MetricsSources): PublicRoute {
  return {
    path: '/metrics',
    async respond() {
      // Loaded on use: most servers never get this request.
      const { AggregatorRegistry, prometheusContentType } = await import('prom-client');
      const all = await Promise.all(families.map((read) => read()));
      const known = [
        ...all.flat(),
        ...dataFamilies(dataDir, now()),
        accountsFamily(accounts.contactMs(), now()),
      ];
      const text = await AggregatorRegistry.aggregate([
        known.filter(({ values }) => values.length > 0),
      ]).metrics();
      return createResponse(200, prometheusContentType, text, NO_STORE);
    },
  };
}
