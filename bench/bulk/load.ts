/** Takes long answers one after the other and says what they cost the server. */

import { connect } from 'node:net';
import type { ServerProcess } from '../command/serving/child.ts';
import { readable, tableFromRows, timingFromSamples } from '../harness.ts';
import type { BulkReady, ServerState } from './server.ts';

/** Medians of one answer. */
export interface Measured {
  ms: number;
  cpuMs: number;
  /** With its framing by HTTP. */
  bytes: number;
  /** Longest time that the server's event loop was late. */
  delayMs: number;
  /** Largest resident size of the server. */
  rssBytes: number;
}

/** Medians over rounds in which each answer is taken once, one after the other. */
export async function takeInterleaved(
  server: ServerProcess<BulkReady>,
  answers: Record<string, { address: string; path: string }>,
  rounds: number,
): Promise<Record<string, Measured>> {
  const { bareAddress, rawKey } = server.ready;
  const samples: Record<string, Measured[]> = {};
  for (let round = -1; round < rounds; round++) {
    for (const [name, { address, path }] of Object.entries(answers)) {
      await serverState(bareAddress);
      const [beforeUs, startMs] = [await server.cpuUs(), performance.now()];
      const bytes = await downloadedBytes(address, path, rawKey);
      const ms = performance.now() - startMs;
      const cpuMs = ((await server.cpuUs()) - beforeUs) / 1000;
      const { maxDelayMs: delayMs, maxRssBytes: rssBytes } = await serverState(bareAddress);
      if (round < 0) samples[name] = [];
      else samples[name].push({ ms, cpuMs, bytes, delayMs, rssBytes });
    }
  }
  const medians = Object.entries(samples).map(([name, measured]) => {
    const median = (field: keyof Measured) =>
      timingFromSamples(measured.map((one) => one[field])).medianMs;
    return [
      name,
      {
        ms: median('ms'),
        cpuMs: median('cpuMs'),
        bytes: median('bytes'),
        delayMs: median('delayMs'),
        rssBytes: median('rssBytes'),
      },
    ] as const;
  });
  return Object.fromEntries(medians);
}

/** Prints a row per answer. */
export function printMeasured(results: Readonly<Record<string, Measured>>): void {
  const header = ['', 'MB', 'ms', 'GB/s', 'server CPU ms', 'late by, ms', 'resident MB'];
  const rows = Object.entries(results).map(([name, result]) => rowOf(name, result));
  console.log(tableFromRows(header, rows));
  console.log(
    "\nlate by: the longest time that other requests had to wait; resident: the server's memory\n",
  );
}

function rowOf(name: string, { ms, cpuMs, bytes, delayMs, rssBytes }: Measured): string[] {
  const megabytes = bytes / 1e6;
  return [
    name,
    readable(megabytes),
    readable(ms),
    readable(megabytes / ms),
    readable(cpuMs),
    readable(delayMs),
    readable(rssBytes / 1e6),
  ];
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

async function serverState(bareAddress: string): Promise<ServerState> {
  return (await (await fetch(`${bareAddress}/state`)).json()) as ServerState;
}
