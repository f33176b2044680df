/** Load on a server of another process. */

import autocannon from 'autocannon';

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
  cpuUs(): Promise<number>;
}

const CONNECTIONS = 32;

/**
 * @param ratePerS Requests a second over all connections; undefined: as many as possible.
 * @throws {Error} an answer was not 200.
 */
export async function load(
  { address, rawKey, paths, cpuUs }: LoadTarget,
  durationS: number,
  ratePerS?: number,
): Promise<LoadResult> {
  const requests = paths.map((path) => ({ path, headers: { 'X-API-Key': rawKey } }));
  let connection = 0;
  const beforeUs = await cpuUs();
  const result = await autocannon({
    url: address,
    connections: CONNECTIONS,
    duration: durationS,
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
