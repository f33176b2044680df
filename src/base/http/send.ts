/** Sends HTTP requests with Node's own client, with separate bounds on each part of the wait. */

import { addAbortListener } from 'node:events';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { clearTimeout, setTimeout } from '../world/clock.ts';
import { http, https } from '../world/network.ts';

export interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
  agents: Agents;
  body?: string | AsyncIterable<Uint8Array>;
  /** Aborting ends the request, or its response, with the signal's reason. */
  signal: AbortSignal;
  /** Time until a connection is there; default unbounded. */
  connectMs?: number;
  /** Time until the head of the response is there; default unbounded. */
  headersMs?: number;
  /** Time in which nothing is sent or received. */
  idleMs?: number;
}

/** Connections by protocol. */
export interface Agents {
  http: http.Agent;
  https: http.Agent;
}

export interface AgentsOptions {
  /** Connections to one host at once; default unbounded. */
  maxSockets?: number;
  /** Proxies by the protocol of a request, as `HTTP_PROXY` and `HTTPS_PROXY` name them. */
  proxyEnv?: { HTTP_PROXY?: string; HTTPS_PROXY?: string };
  lookup?: LookupFunction;
  ca?: string;
}

/** Creates agents that keep connections for the next request. */
export function createAgents(options: AgentsOptions = {}): Agents {
  const kept = { ...options, keepAlive: true };
  return { http: new http.Agent(kept), https: new https.Agent(kept) };
}

export function closeAgents(agents: Agents): void {
  agents.http.destroy();
  agents.https.destroy();
}

/**
 * Sends a request and waits for the head of its response, whatever its status. The reader must
 * consume or destroy the response. A response that ends early fails its reader.
 */
export function send(url: URL, options: SendOptions): Promise<http.IncomingMessage> {
  const { method, headers, agents, body, signal, connectMs, headersMs, idleMs } = options;
  const { request, agent } =
    url.protocol === 'https:'
      ? { request: https.request, agent: agents.https }
      : { request: http.request, agent: agents.http };
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    let response: http.IncomingMessage | undefined;
    const sent = request(url, { method, headers, agent, timeout: idleMs });
    const end = (error: Error) => (response ?? sent).destroy(error);
    const aborting = addAbortListener(signal, () => end(signal.reason));
    const timers = [
      timer(connectMs, 'no connection', end),
      timer(headersMs, 'no response', end),
    ] as const;
    sent.on('socket', (socket) => {
      if (!socket.connecting) clearTimeout(timers[0]);
      else socket.once('connect', () => clearTimeout(timers[0]));
    });
    sent.on('timeout', () => {
      // Bytes that wait for their reader are no silence of the server.
      if (!response?.readableLength) end(tooLong('no data', idleMs));
    });
    sent.on('response', (received) => {
      response = received;
      clearTimeout(timers[1]);
      resolve(received);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed a kept connection at the moment of its next use.
      const isStale = sent.reusedSocket && error.code === 'ECONNRESET';
      if (isStale && typeof body !== 'object' && !signal.aborted) resolve(send(url, options));
      else reject(error);
    });
    sent.on('close', () => {
      aborting[Symbol.dispose]();
      for (const one of timers) clearTimeout(one);
    });
    if (typeof body === 'object') pipeline(Readable.from(body), sent).catch(reject);
    else sent.end(body);
  });
}

function timer(ms: number | undefined, what: string, end: (error: Error) => void) {
  return ms === undefined ? undefined : setTimeout(() => end(tooLong(what, ms)), ms);
}

function tooLong(what: string, ms = 0): Error {
  return new Error(`${what} within ${ms / 1000} s`);
}

/** Reads and drops the rest of a response, so that its connection can be used again. */
export async function discard(response: Readable, bytesMax: number): Promise<void> {
  let bytes = 0;
  for await (const piece of response) {
    bytes += piece.length;
    if (bytes > bytesMax) return;
  }
}
