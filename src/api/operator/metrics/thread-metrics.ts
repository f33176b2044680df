/** What a thread and its process use: the event loop's lag, memory, CPU. */

import { type ELDHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { limits } from '../../../base/limits/limits.ts';
import { family, type MetricFamily } from './family.ts';
import { type MetricMemory, type ThreadWord, threadWord } from './metric-memory.ts';

export interface ThreadMetrics {
  /** Of all threads, as each has last said, and of the process that they share. */
  families(): MetricFamily[];
  stop(): void;
}

const NANOS_PER_SECOND = 1e9;
const MICROS_PER_SECOND = 1e6;

/** Measures this thread until it is stopped. @param own Which part of the memory it writes. */
export function startThreadMetrics(memory: MetricMemory, own: number): ThreadMetrics {
  const parts = memory.map((part) => new Float64Array(part));
  const { sampleMs, lagResolutionMs } = limits.metrics;
  const delays = monitorEventLoopDelay({ resolution: lagResolutionMs });
  delays.enable();
  let before = performance.eventLoopUtilization();

  function sample(): void {
    const write = (word: ThreadWord, value: number) => {
      parts[own][threadWord(word)] = value;
    };
    writeLag(delays, write);
    const now = performance.eventLoopUtilization();
    write('utilization', performance.eventLoopUtilization(now, before).utilization);
    before = now;
    const { heapUsed, heapTotal, external } = process.memoryUsage();
    write('heapUsedBytes', heapUsed);
    write('heapTotalBytes', heapTotal);
    write('externalBytes', external);
  }
  const timer = setInterval(sample, sampleMs).unref();
  sample();

  /** A value for each thread that has said anything: a running one has a heap. */
  const perThread = (name: string, help: string, word: ThreadWord) =>
    family(
      'gauge',
      name,
      help,
      parts
        .map((words, i) => ({ words, labels: { thread: String(i + 1) } }))
        .filter(({ words }) => words[threadWord('heapTotalBytes')] > 0)
        .map(({ words, labels }) => ({ value: words[threadWord(word)], labels })),
    );

  return {
    families: () => [
      perThread('nodejs_eventloop_lag_mean_seconds', 'Lag of the event loop, mean.', 'lagMeanS'),
      perThread('nodejs_eventloop_lag_p99_seconds', 'The same, 99th percentile.', 'lagP99S'),
      perThread('nodejs_eventloop_lag_max_seconds', 'The same, longest.', 'lagMaxS'),
      perThread('nodejs_eventloop_utilization', 'Share of time it is busy.', 'utilization'),
      perThread('nodejs_heap_size_used_bytes', 'JavaScript heap in use.', 'heapUsedBytes'),
      perThread('nodejs_heap_size_total_bytes', 'JavaScript heap.', 'heapTotalBytes'),
      perThread('nodejs_external_memory_bytes', 'Memory beside the heap.', 'externalBytes'),
      ...processFamilies(),
    ],
    stop() {
      clearInterval(timer);
      delays.disable();
    },
  };
}

/** Of the time since the last sample; nothing is measured in the first moments. */
function writeLag(delays: ELDHistogram, write: (word: ThreadWord, value: number) => void) {
  const resolutionNs = limits.metrics.lagResolutionMs * 1e6;
  // What is measured is the time between two ticks that should be one resolution apart.
  const lagS = (ns: number) => Math.max(0, ns - resolutionNs) / NANOS_PER_SECOND;
  const hasAny = delays.count > 0;
  write('lagMeanS', hasAny ? lagS(delays.mean) : 0);
  write('lagP99S', hasAny ? lagS(delays.percentile(99)) : 0);
  write('lagMaxS', hasAny ? lagS(delays.max) : 0);
  delays.reset();
}

/** Under the names that Prometheus has for all processes. */
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
      Date.now() / 1000 - process.uptime(),
    ),
  ];
}
