/** Resources of the API threads and their process: event-loop lag, memory, CPU. */

import {
  clearInterval,
  type ELDHistogram,
  eventLoopUtilization,
  monitorEventLoopDelay,
  setInterval,
  wallMs,
} from '../../../base/world/clock.ts';
import { process } from '../../../base/world/process.ts';
import { family, type MetricFamily } from './family.ts';
import { metricsLimits } from './limits.ts';

/** Memory of metrics, one part per thread, which all threads read; it can be sent to threads. */
export type MetricMemory = readonly SharedArrayBuffer[];

/** Gauges of a thread: in each part, their values are the first words. */
const GAUGES = [
  ['nodejs_eventloop_lag_mean_seconds', 'Event-loop lag, mean.'],
  ['nodejs_eventloop_lag_p99_seconds', 'Event-loop lag, 99th percentile.'],
  ['nodejs_eventloop_lag_max_seconds', 'Event-loop lag, maximum.'],
  ['nodejs_eventloop_utilization', 'Share of time that the event loop is busy.'],
  ['nodejs_heap_size_used_bytes', 'JavaScript heap in use.'],
  ['nodejs_heap_size_total_bytes', 'JavaScript heap.'],
  ['nodejs_external_memory_bytes', 'Memory outside of the heap.'],
  ['tapeworks_streams_open', 'Open streams of events.'],
] as const;

const HEAP_TOTAL = 5;

export const THREAD_WORDS = GAUGES.length;

const NANOS_PER_SECOND = 1e9;
const MICROS_PER_SECOND = 1e6;

/**
 * Samples this thread until it is stopped.
 *
 * @param thread Number of its part of the memory.
 * @param openStreams Count of its open streams.
 */
export function startThreadMetrics(
  memory: MetricMemory,
  thread: number,
  openStreams: () => number,
) {
  const parts = memory.map((part) => new Float64Array(part, 0, THREAD_WORDS));
  const { sampleMs, lagResolutionMs } = metricsLimits;
  const delays = monitorEventLoopDelay({ resolution: lagResolutionMs });
  delays.enable();
  let before = eventLoopUtilization();

  function sample(): void {
    const now = eventLoopUtilization();
    const { utilization } = eventLoopUtilization(now, before);
    before = now;
    const { heapUsed, heapTotal, external } = process.memoryUsage();
    // In the order of `GAUGES`.
    parts[thread].set([
      ...lagsS(delays),
      utilization,
      heapUsed,
      heapTotal,
      external,
      openStreams(),
    ]);
    delays.reset();
  }
  const timer = setInterval(sample, sampleMs).unref();
  sample();

  return {
    /** Returns the last samples of all threads, and the metrics of the process. */
    families(): MetricFamily[] {
      // A thread that has not started yet has no heap.
      const running = [...parts.entries()].filter(([, words]) => words[HEAP_TOTAL] > 0);
      const threadFamilies = GAUGES.map(([name, help], word) => {
        const values = running.map(([i, words]) => ({
          value: words[word],
          labels: { thread: String(i + 1) },
        }));
        return family('gauge', name, help, values);
      });
      return [...threadFamilies, ...processFamilies()];
    },
    stop(): void {
      clearInterval(timer);
      delays.disable();
    },
  };
}

/** Returns mean, 99th percentile and maximum of the lag; zeros before the first measurement. */
function lagsS(delays: ELDHistogram): number[] {
  if (delays.count === 0) return [0, 0, 0];
  const resolutionNs = metricsLimits.lagResolutionMs * 1e6;
  // A delay is the time between two ticks, which should be one resolution apart.
  return [delays.mean, delays.percentile(99), delays.max].map(
    (ns) => Math.max(0, ns - resolutionNs) / NANOS_PER_SECOND,
  );
}

/** Returns metrics of the process, under Prometheus' standard names. */
function processFamilies(): MetricFamily[] {
  const { user, system } = process.cpuUsage();
  const one = (type: 'counter' | 'gauge', name: string, help: string, value: number) =>
    family(type, name, help, [{ value, labels: {} }]);
  const cpu = 'process_cpu_seconds_total';
  return [
    one('counter', cpu, 'CPU time of all threads.', (user + system) / MICROS_PER_SECOND),
    one('gauge', 'process_resident_memory_bytes', 'Memory in use.', process.memoryUsage.rss()),
    one(
      'gauge',
      'process_start_time_seconds',
      'When the process started, since the epoch.',
      wallMs() / 1000 - process.uptime(),
    ),
  ];
}
