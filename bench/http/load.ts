/** Load on a server of another process. */

import autocannon from 'autocannon';
import { medianOf } from '../harness.ts';

export interface LoadResult {
  requestsPerS: number;
  /** CPU time of the server per request. */
  cpuUsPerRequest: number;
  p99Ms: number;
}

export interface LoadTarget {
  address: string;
  rawKey: string;
  /** Asked in turn, each connection starting at another place. */
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
  const requests = paths.map((path) => ({ path, headers: { 'X-API-Key': rawKey, ...headers } }));
  let connection = 0;
  const beforeUs = await cpuUs();
  const result = await autocannon({
    url: address,
    connections: CONNECTIONS,
    duration: durationS,
    // It looks whether it is over only when it samples.
    sampleInt: Math.min(1000, durationS * 1000),
    overallRate: ratePerS,
    requests: requests.slice(0, 1),
    setupClient(client) {
      const first = Math.floor((connection++ * requests.length) / CONNECTIONS);
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
    },
  });
  const usedUs = (await cpuUs()) - beforeUs;
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers were not 200, ${result.errors} requests failed`);
  }
  return {
    requestsPerS: result.requests.total / result.duration,
    cpuUsPerRequest: usedUs / result.requests.total,
    p99Ms: result.latency.p99,
  };
}

/** Medians over rounds in which each target is loaded once, one after the other. */
export async function loadInterleaved<Name extends string>(
  targets: Record<Name, LoadTarget>,
  { rounds, durationS, warmupS }: { rounds: number; durationS: number; warmupS: number },
): Promise<Record<Name, LoadResult>> {
  const names = Object.keys(targets) as Name[];
  const results = new Map<Name, LoadResult[]>(names.map((name) => [name, []]));
  if (warmupS > 0) for (const name of names) await load(targets[name], warmupS);
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results.get(name)?.push(await load(targets[name], durationS));
  }
  const medians = names.map((name) => {
    const runs = results.get(name) ?? [];
    const of = (field: keyof LoadResult) => medianOf(runs.map((run) => run[field]));
    const result: LoadResult = {
      requestsPerS: of('requestsPerS'),
      cpuUsPerRequest: of('cpuUsPerRequest'),
      p99Ms: of('p99Ms'),
    };
    return [name, result] as const;
  });
  return Object.fromEntries(medians) as Record<Name, LoadResult>;
}
