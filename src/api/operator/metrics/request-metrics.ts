/** Requests by route, method and status class: how many, and how long they took. */

import { assert } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import type { RequestContext } from '../../http/request-context.ts';
import { family, type MetricFamily, type MetricValue } from './family.ts';
import {
  COUNTED_METHODS,
  LATENCY_BOUNDS_S,
  type MetricMemory,
  SERIES_WORDS,
  STATUS_CLASSES,
  seriesStart,
  type ThreadWord,
  threadWord,
} from './metric-memory.ts';

export interface RequestMetrics {
  /** Number of a path template, by which an context names it. */
  routeNumber(template: string): number;
  /** Once a request; some tens of nanoseconds. */
  count(context: RequestContext, status: number, durationMs: number): void;
  /** Of all threads. */
  families(): MetricFamily[];
}

/** Of what no route takes. */
export const NO_ROUTE = 0;

const NAME = 'tapeworks_http_request_duration_seconds';

const METHOD_NUMBERS: ReadonlyMap<string, number> = new Map(
  COUNTED_METHODS.map((method, number) => [method, number]),
);
const OTHER_METHOD = COUNTED_METHODS.indexOf('other');
const LIMITED_KEYS = threadWord('limitedKeys');
const LIMITED_ADDRESSES = threadWord('limitedAddresses');
const FAILED_AUTHENTICATIONS = threadWord('failedAuthentications');

/** @param own Which part of the memory this thread writes. */
export function createRequestMetrics(memory: MetricMemory, own: number): RequestMetrics {
  const parts = memory.map((part) => new Float64Array(part));
  const words = parts[own];
  const routes = ['(none)'];

  return {
    routeNumber(template) {
      const known = routes.indexOf(template);
      if (known >= 0) return known;
      assert(routes.length < limits.metrics.routesMax, 'there is room to count every route');
      return routes.push(template) - 1;
    },
    count({ route, method, key }, status, durationMs) {
      if (status === 401) words[FAILED_AUTHENTICATIONS]++;
      if (status === 429) words[key ? LIMITED_KEYS : LIMITED_ADDRESSES]++;
      const statusClass = Math.min(5, Math.max(2, Math.floor(status / 100))) - 2;
      const start = seriesStart(route, METHOD_NUMBERS.get(method) ?? OTHER_METHOD, statusClass);
      const durationS = durationMs / 1000;
      let bucket = 0;
      while (bucket < LATENCY_BOUNDS_S.length && durationS > LATENCY_BOUNDS_S[bucket]) bucket++;
      words[start + bucket]++;
      words[start + SERIES_WORDS - 1] += durationS;
    },
    families() {
      const sumOf = (word: number) => parts.reduce((sum, part) => sum + part[word], 0);
      const refused = (word: ThreadWord, labels = {}) => ({
        value: sumOf(threadWord(word)),
        labels,
      });
      return [
        family(
          'histogram',
          NAME,
          'Requests by route, method and status class, from their first byte to their answer.',
          routes.flatMap((route, number) => routeValues(route, number, sumOf)),
        ),
        family('counter', 'tapeworks_http_limited_total', 'Requests that were answered 429.', [
          refused('limitedKeys', { by: 'key' }),
          refused('limitedAddresses', { by: 'address' }),
        ]),
        family(
          'counter',
          'tapeworks_http_failed_authentications_total',
          'Requests that were answered 401.',
          [refused('failedAuthentications')],
        ),
      ];
    },
  };
}

/** Histograms of the series of a route that have any requests. */
function routeValues(
  route: string,
  number: number,
  sumOf: (word: number) => number,
): MetricValue[] {
  return COUNTED_METHODS.flatMap((method, methodNumber) =>
    STATUS_CLASSES.flatMap((statusClass, classNumber) => {
      const start = seriesStart(number, methodNumber, classNumber);
      const labels = { route, method, status: `${statusClass}xx` };
      return histogramValues(labels, start, sumOf);
    }),
  );
}

function histogramValues(
  labels: Record<string, string>,
  start: number,
  sumOf: (word: number) => number,
): MetricValue[] {
  const values: MetricValue[] = [];
  let count = 0;
  for (let bucket = 0; bucket <= LATENCY_BOUNDS_S.length; bucket++) {
    count += sumOf(start + bucket);
    const le = bucket < LATENCY_BOUNDS_S.length ? String(LATENCY_BOUNDS_S[bucket]) : '+Inf';
    values.push({ value: count, labels: { ...labels, le }, metricName: `${NAME}_bucket` });
  }
  if (count === 0) return [];
  const sum = sumOf(start + SERIES_WORDS - 1);
  return [
    ...values,
    { value: sum, labels, metricName: `${NAME}_sum` },
    { value: count, labels, metricName: `${NAME}_count` },
  ];
}
