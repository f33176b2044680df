/**
 * Requests by route, method and status class: count and duration.
 *
 * Each thread counts in its own part of a memory that all threads read. So counting needs no lock,
 * `/metrics` on any thread covers all of them, also one that hangs, and the counters go on when a
 * crashed thread is restarted.
 */

import { assert } from '../../../base/errors.ts';
import { ROUTE_METHODS } from '../../http/methods.ts';
import type { Measure } from '../../http/send.ts';
import { family, type MetricFamily, type MetricValue } from './family.ts';
import { metricsLimits } from './limits.ts';
import { type MetricMemory, THREAD_WORDS } from './thread-metrics.ts';

/** Upper bounds of the buckets in seconds. */
const BOUNDS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Methods of series; `other` is any method without a route. */
const METHODS = [...ROUTE_METHODS, 'HEAD', 'OPTIONS', 'other'] as const;
const METHOD_NUMBERS = new Map<string, number>(METHODS.map((method, number) => [method, number]));
const OTHER_METHOD = METHODS.indexOf('other');

const STATUS_CLASSES = [2, 3, 4, 5];

/** The words after those of the thread count refused requests; then come the series. */
const LIMITED_KEYS = THREAD_WORDS;
const LIMITED_ADDRESSES = THREAD_WORDS + 1;
const FAILED_AUTHENTICATIONS = THREAD_WORDS + 2;
const FIRST_SERIES = THREAD_WORDS + 3;

/** Words of a series: one per bucket, one for slower requests, and the sum in seconds. */
const SERIES_WORDS = BOUNDS_S.length + 2;
const ROUTE_WORDS = METHODS.length * STATUS_CLASSES.length * SERIES_WORDS;

/** Returns the first word of a series; method and status class are indexes into the lists above. */
function seriesStart(route: number, method: number, statusClass: number): number {
  const series = method * STATUS_CLASSES.length + statusClass;
  return FIRST_SERIES + route * ROUTE_WORDS + series * SERIES_WORDS;
}

/** Allocates about 400 kB per thread; the system backs only the pages that are written to. */
export function newMetricMemory(threadCount: number): MetricMemory {
  const bytes = seriesStart(metricsLimits.routesMax, 0, 0) * Float64Array.BYTES_PER_ELEMENT;
  return Array.from({ length: threadCount }, () => new SharedArrayBuffer(bytes));
}

/** @param thread Number of this thread, whose part it writes. */
export function createRequestMetrics(memory: MetricMemory, thread: number) {
  const parts = memory.map((part) => new Float64Array(part));
  const words = parts[thread];
  // Number 0 counts requests without a route.
  const routes = ['(none)'];
  const sumOf = (word: number) => parts.reduce((sum, part) => sum + part[word], 0);

  /** Counts a request; takes some tens of nanoseconds. */
  const count: Measure = ({ route, method, key }, status, durationMs) => {
    if (status === 401) words[FAILED_AUTHENTICATIONS]++;
    if (status === 429) words[key ? LIMITED_KEYS : LIMITED_ADDRESSES]++;
    const statusClass = Math.min(5, Math.max(2, Math.floor(status / 100))) - 2;
    const start = seriesStart(route, METHOD_NUMBERS.get(method) ?? OTHER_METHOD, statusClass);
    const durationS = durationMs / 1000;
    let bucket = 0;
    while (bucket < BOUNDS_S.length && durationS > BOUNDS_S[bucket]) bucket++;
    words[start + bucket]++;
    words[start + SERIES_WORDS - 1] += durationS;
  };

  return {
    count,
    /** Returns the number of a path template, as in `RequestContext.route`. */
    routeNumber(template: string): number {
      const known = routes.indexOf(template);
      if (known >= 0) return known;
      assert(routes.length < metricsLimits.routesMax, 'there is room to count every route');
      return routes.push(template) - 1;
    },
    /** Returns the sums of all threads. */
    families: (): MetricFamily[] => [
      family(
        'histogram',
        NAME,
        'Requests by route, method and status class, from first byte to response.',
        routes.flatMap((route, number) => routeValues(route, number, sumOf)),
      ),
      family('counter', 'tapeworks_http_limited_total', 'Requests that got 429.', [
        { value: sumOf(LIMITED_KEYS), labels: { by: 'key' } },
        { value: sumOf(LIMITED_ADDRESSES), labels: { by: 'address' } },
      ]),
      family('counter', 'tapeworks_http_failed_authentications_total', 'Requests that got 401.', [
        { value: sumOf(FAILED_AUTHENTICATIONS), labels: {} },
      ]),
    ],
  };
}

const NAME = 'tapeworks_http_request_duration_seconds';

/** Returns the histograms of the series of a route that have requests. */
function routeValues(
  route: string,
  number: number,
  sumOf: (word: number) => number,
): MetricValue[] {
  return METHODS.flatMap((method, methodNumber) =>
    STATUS_CLASSES.flatMap((statusClass, classNumber) => {
      const labels = { route, method, status: `${statusClass}xx` };
      return histogram(labels, seriesStart(number, methodNumber, classNumber), sumOf);
    }),
  );
}

function histogram(
  labels: Record<string, string>,
  start: number,
  sumOf: (word: number) => number,
): MetricValue[] {
  let count = 0;
  const buckets = [...BOUNDS_S.map(String), '+Inf'].map((le, i) => {
    count += sumOf(start + i);
    return { value: count, labels: { ...labels, le }, metricName: `${NAME}_bucket` };
  });
  if (count === 0) return [];
  const sum = sumOf(start + SERIES_WORDS - 1);
  return [
    ...buckets,
    { value: sum, labels, metricName: `${NAME}_sum` },
    { value: count, labels, metricName: `${NAME}_count` },
  ];
}
