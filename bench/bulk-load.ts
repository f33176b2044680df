/** Takes long answers one after the other and says what they cost the server. */

import { connect } from 'node:net';
import type { BulkReady, ServerState } from './bulk-server.ts';
import { timingFromSamples } from './harness.ts';
import type { ServerProcess } from './http-child.ts';

/** Medians of one answer. */
export interface Measured {
  ms: number;
  cpuMs: number;
  /** With its framing by HTTP. */
  bytes: number;
  /** Longest time that the server's event loop was late. */
  delayMs: number;
}

/** Medians over rounds in which each answer is taken once, one after the other. */
export async function takeInterleaved(
  server: ServerProcess<BulkReady>,
  answers: Record<string, { address: string; path: string }>,
  rounds: number,
): Promise<Record<string, Measured>> {
  const { bareAddress, rawKey } = server.ready;
  const samples: Record<string, { ms: number[]; cpuMs: number[]; delayMs: number[] }> = {};
  const bytesOf: Record<string, number> = {};
  for (let round = -1; round < rounds; round++) {
    for (const [name, { address, path }] of Object.entries(answers)) {
      samples[name] ??= { ms: [], cpuMs: [], delayMs: [] };
      await serverState(bareAddress);
      const [beforeUs, startMs] = [await server.cpuUs(), performance.now()];
      bytesOf[name] = await downloadedBytes(address, path, rawKey);
      const elapsedMs = performance.now() - startMs;
      const usedUs = (await server.cpuUs()) - beforeUs;
      if (round < 0) continue;
      samples[name].ms.push(elapsedMs);
      samples[name].cpuMs.push(usedUs / 1000);
      samples[name].delayMs.push((await serverState(bareAddress)).maxDelayMs);
    }
  }
  const measured = Object.entries(samples).map(([name, { ms, cpuMs, delayMs }]) => {
    const median = (values: number[]) => timingFromSamples(values).medianMs;
    return [
      name,
      {
        ms: median(ms),
        cpuMs: median(cpuMs),
        bytes: bytesOf[name],
        delayMs: median(delayMs),
      },
    ] as const;
  });
  return Object.fromEntries(measured);
}

/** Bytes of an answer, its framing by HTTP included, thrown away as they come. */
function downloadedBytes(address: string, path: string, rawKey: string): Promise<number> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: {
        buffer: Buffer.alloc(1024 * 1024),
        callback(count) {
          bytes += count;
          return true;
        },
      },
    });
    socket.on('error', reject).on('close', () => resolve(bytes));
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${rawKey}\r\nConnection: close\r\n\r\n`,
    );
  });
}

export async function serverState(bareAddress: string): Promise<ServerState> {
  return (await (await fetch(`${bareAddress}/state`)).json()) as ServerState;
}
