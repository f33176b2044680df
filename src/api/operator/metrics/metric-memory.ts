/**
 * Where threads count what they do: a part of memory each, which only that thread writes and every
 * thread reads. So counting needs no lock, one answer covers all threads, one that hangs is still
 * seen, and one that is started anew counts on.
 */

import { limits } from '../../../base/limits/limits.ts';
import { ROUTE_METHODS } from '../../http/methods.ts';

/** Upper bounds in seconds; what takes longer is counted beyond the last. */
export const LATENCY_BOUNDS_S = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
];

/** Methods of series; `other` is any that no route is made for. */
export const COUNTED_METHODS = [...ROUTE_METHODS, 'HEAD', 'OPTIONS', 'other'] as const;

/** Status classes of series: 2xx to 5xx. */
export const STATUS_CLASSES = [2, 3, 4, 5] as const;

/** What each thread says of itself, a word each. */
export const THREAD_WORDS = [
  'limitedKeys',
  'limitedAddresses',
  'failedAuthentications',
  'lagMeanS',
  'lagP99S',
  'lagMaxS',
  'utilization',
  'heapUsedBytes',
  'heapTotalBytes',
  'externalBytes',
] as const;

export type ThreadWord = (typeof THREAD_WORDS)[number];

/** Words of a series: one for each bound, one for what is slower, and the sum in seconds. */
export const SERIES_WORDS = LATENCY_BOUNDS_S.length + 2;

const SERIES_PER_ROUTE = COUNTED_METHODS.length * STATUS_CLASSES.length;

/** The parts, one a thread; a message can carry them. */
export type MetricMemory = readonly SharedArrayBuffer[];

/** Some 400 kB a thread; the system gives memory to those pages only that are written to. */
export function newMetricMemory(threadCount: number): MetricMemory {
  const words = seriesStart(limits.metrics.routesMax, 0, 0);
  const bytes = words * Float64Array.BYTES_PER_ELEMENT;
  return Array.from({ length: threadCount }, () => new SharedArrayBuffer(bytes));
}

/** The first word of a series in a part; method and status class by their places above. */
export function seriesStart(route: number, method: number, statusClass: number): number {
  const series = route * SERIES_PER_ROUTE + method * STATUS_CLASSES.length + statusClass;
  return THREAD_WORDS.length + series * SERIES_WORDS;
}

export function threadWord(word: ThreadWord): number {
  return THREAD_WORDS.indexOf(word);
}
