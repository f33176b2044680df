/** Load on a server of another process. */

import { setTimeout as delay } from 'node:timers/promises';
import { type Asked, type LoopOptions, startClosedLoop } from './ask.ts';
import { countLatency, type LatencyCounts, latencyAt } from './latency-histogram.ts';
import { startOpenLoop } from './open-loop.ts';

export interface LoadResult {
  requestsPerS: number;
  /** CPU time of the server per request. */
  cpuUsPerRequest: number;
  p99Ms: number;
}

export interface LoadTarget {
  address: string;
  rawKey: string;
  /** Asked in turn. */
  paths: readonly string[];
  /** Beside the key's; default: none. */
  headers?: Record<string, string>;
  cpuUs(): Promise<number>;
}

const CONNECTIONS = 32;

/**
 * @param ratePerS Requests a second over all connections; undefined: as many as possible.
 * @throws {Error} an answer was not 200.
 */
export async function load(
  { address, rawKey, paths, headers, cpuUs }: LoadTarget,
  durationS: number,
  ratePerS?: number,
): Promise<LoadResult> {
  const latencies: LatencyCounts = [];
  const failures: string[] = [];
  let asked = 0;
  let answered = 0;
  const options: LoopOptions = {
    ...{ address, rawKey, headers, connections: CONNECTIONS },
    next: () => ({ path: paths[asked++ % paths.length], check: requireOk }),
    onAnswer(latencyMs) {
      answered++;
      countLatency(latencies, latencyMs);
    },
    onFailure: (error, path) => failures.push(`${path}: ${error.message}`),
  };
  const beforeUs = await cpuUs();
  const startMs = performance.now();
  const loop = ratePerS ? startOpenLoop({ ...options, ratePerS }) : startClosedLoop(options);
  await delay(durationS * 1000);
  await loop.stop();
  const seconds = (performance.now() - startMs) / 1000;
  const usedUs = (await cpuUs()) - beforeUs;
  if (failures.length > 0) throw new Error(`${failures.length} failed, first ${failures[0]}`);
  return {
    requestsPerS: answered / seconds,
    cpuUsPerRequest: usedUs / answered,
    p99Ms: latencyAt(latencies, 0.99),
  };
}

function requireOk({ status }: Asked): void {
  if (status !== 200) throw new Error(`status ${status}`);
}
