/** `/metrics`, for Prometheus. */

import { createAnswer, NO_STORE } from '../../http/response.ts';
import type { PublicRoute } from '../../http/route.ts';
import { dataFamilies } from './data-metrics.ts';
import type { MetricFamily } from './family.ts';

export interface MetricsSources {
  dataDir: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Each gives metrics of its own names. */
  families: readonly (() => MetricFamily[] | Promise<MetricFamily[]>)[];
}

export function metricsRoute({
  dataDir,
  now,
  families,
}: MetricsSources): Pick<PublicRoute, 'path' | 'answer'> {
  return {
    path: '/metrics',
    async answer() {
      // Most servers are never asked.
      const { AggregatorRegistry, prometheusContentType } = await import('prom-client');
      const all = await Promise.all(families.map((give) => give()));
      const known = [...all.flat(), ...dataFamilies(dataDir, now())];
      const text = await AggregatorRegistry.aggregate([
        known.filter(({ values }) => values.length > 0),
      ]).metrics();
      return createAnswer(200, prometheusContentType, text, NO_STORE);
    },
  };
}
