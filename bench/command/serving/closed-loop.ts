/**
 * Load at full rate over plain sockets: each connection sends its next request once it has the
 * whole response, which must have a Content-Length. It leaves the server more of the machine than an
 * HTTP client does, which makes objects of every response.
 */

import { once } from 'node:events';
import { monotonicMs } from '../../../src/base/world/clock.ts';
import { connect, type Socket } from '../../../src/base/world/sockets.ts';
import { benchLimits } from '../limits.ts';

export interface LoadTarget {
  /** `http://host:port` */
  address: string;
  /** Requested in turn. */
  paths: readonly string[];
  headers: Readonly<Record<string, string>>;
}

export interface LoadCount {
  requests: number;
  ms: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** @throws {Error} A response is not 200, has no Content-Length, or a connection ends. */
export async function closedLoop(
  { address, paths, headers }: LoadTarget,
  connections: number,
  durationMs: number,
): Promise<LoadCount> {
  const { hostname, port, host } = new URL(address);
  const lines = Object.entries({ Host: host, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const texts = paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
  );
  let sent = 0;
  const next = () => texts[sent++ % texts.length];
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const startMs = monotonicMs();
  const endMs = startMs + durationMs;
  const counts = await Promise.all(sockets.map((socket) => requestUntil(socket, next, endMs)));
  const ms = monotonicMs() - startMs;
  return { requests: counts.reduce((sum, count) => sum + count, 0), ms };
}

/** Sends requests on a connection up to a time; the last one is waited for. */
function requestUntil(socket: Socket, next: () => Buffer, endMs: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let done = 0;
  /** Bytes of the body that are still to come; undefined before the head is complete. */
  let left: number | undefined;
  let head: Buffer = Buffer.alloc(0);
  const finish = () => {
    left = undefined;
    head = Buffer.alloc(0);
    done++;
    if (monotonicMs() < endMs) socket.write(next());
    else socket.end(() => resolve(done));
  };
  socket.on('data', (bytes: Buffer) => {
    if (left !== undefined) {
      left -= bytes.length;
      if (left === 0) finish();
      return;
    }
    head = head.length === 0 ? bytes : Buffer.concat([head, bytes]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) return;
    const text = head.toString('latin1', 0, end);
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
    if (!text.startsWith('HTTP/1.1 200') || length === undefined) {
      reject(new Error(`a response began with ${JSON.stringify(text.slice(0, 80))}`));
      socket.destroy();
      return;
    }
    left = Number(length) - (head.length - end - HEAD_END.length);
    if (left === 0) finish();
  });
  socket.setTimeout(benchLimits.childMs, () => socket.destroy());
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('the server closed a connection under load')));
  socket.write(next());
  return promise;
}
