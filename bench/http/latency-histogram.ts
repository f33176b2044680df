/** Counts of latencies in steps of 1 %, which can be added and sent as JSON. */

const STEPS_PER_OCTAVE = 64;

/** Latencies in microseconds: entry i counts those near 2^(i / 64). */
export type LatencyCounts = number[];

export function countLatency(counts: LatencyCounts, latencyMs: number): void {
  const step = Math.round(STEPS_PER_OCTAVE * Math.log2(Math.max(1, latencyMs * 1000)));
  while (counts.length <= step) counts.push(0);
  counts[step]++;
}

export function addedCounts(all: readonly LatencyCounts[]): LatencyCounts {
  const sum: LatencyCounts = [];
  for (const counts of all) {
    for (const [step, count] of counts.entries()) sum[step] = (sum[step] ?? 0) + count;
  }
  return sum;
}

/** @returns milliseconds, NaN without any latency. */
export function latencyAt(counts: LatencyCounts, share: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let left = Math.ceil(share * total);
  const step = counts.findIndex((count) => {
    left -= count;
    return left <= 0 && count > 0;
  });
  return step < 0 ? Number.NaN : 2 ** (step / STEPS_PER_OCTAVE) / 1000;
}
