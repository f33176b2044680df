/** Latencies of moments in which the host of the machine took nothing from it. */

import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { checkResult } from '../harness.ts';
import type { LoadLoop, LoopOptions } from './ask.ts';
import { countLatency, type LatencyCounts } from './latency-histogram.ts';

/** Latencies are counted by such stretches, and left out where the host took any of it. */
export const MOMENT_MS = 100;

export interface CalmReaders {
  /**
   * Counts the calm moments of a stretch. After one of which the host took some, what was asked
   * in it is answered before the next moment counts.
   */
  window(ms: number): Promise<LatencyCounts[]>;
  stop(): Promise<void>;
}

/** @param start Begins to ask; it asks all the time, between windows too. */
export function startReaders(
  start: (told: Pick<LoopOptions, 'onAnswer' | 'onFailure'>) => LoadLoop,
): CalmReaders {
  let counts: LatencyCounts = [];
  const loop = start({
    onAnswer: (latencyMs) => countLatency(counts, latencyMs),
    onFailure: (error, path) => checkResult(false, `${path}: ${error.message}`),
  });
  return {
    async window(ms) {
      const calm: LatencyCounts[] = [];
      let isSettled = false;
      for (let waitedMs = 0; waitedMs < ms; waitedMs += MOMENT_MS) {
        counts = [];
        const beforeMs = stolenMs();
        await delay(MOMENT_MS);
        const isCalm = stolenMs() === beforeMs;
        if (isCalm && isSettled) calm.push(counts);
        isSettled = isCalm;
      }
      return calm;
    },
    stop: () => loop.stop(),
  };
}

/** The median of the moments; 0 without any. */
export function answersPerS(moments: readonly LatencyCounts[]): number {
  const counts = moments.map((moment) => moment.reduce((sum, count) => sum + count, 0));
  const median = counts.sort((a, b) => a - b)[counts.length >> 1] ?? 0;
  return (median * 1000) / MOMENT_MS;
}

/**
 * Milliseconds since start, summed over the processors, in which this machine wanted to run and its
 * host ran something else, in steps of 10; 0 where the system does not tell.
 */
function stolenMs(): number {
  try {
    const [, , , , , , , , steal = '0'] = readFileSync('/proc/stat', 'utf8')
      .split('\n')[0]
      .split(/ +/);
    return Number(steal) * 10;
  } catch {
    return 0;
  }
}
