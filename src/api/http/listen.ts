/** Serves an app on a port, and responds to bytes that are no HTTP request. */

import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { Settings } from '../../base/config/config.ts';
import { HttpError, TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  clearInterval,
  clearTimeout,
  setImmediate,
  setInterval,
  setTimeout,
} from '../../base/world/clock.ts';
import {
  createServer,
  type IncomingMessage,
  type Server,
  STATUS_CODES,
} from '../../base/world/network.ts';
import { errorResponse } from './error-response.ts';
import type { Log } from './log.ts';
import { createRequestIds } from './request-context.ts';
import { DATA_POLICY, SECURITY_HEADERS } from './response.ts';

export interface Listening {
  /** `http://host:port` as a client on this machine reaches it. */
  address: string;
  /** Stops accepting connections and resolves when the requests in flight have ended. */
  close(): Promise<void>;
}

const PARSE_FAILURES: Record<string, HttpError> = {
  HPE_HEADER_OVERFLOW: new HttpError(
    431,
    `request line and headers must have at most ${headerBytesMax()} bytes together`,
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, 'request must arrive within the time allowed'),
};
const NOT_HTTP = new HttpError(400, 'request must be well-formed HTTP/1.1 with a known method');

/** Bound on target and headers together, as Node counts them. */
function headerBytesMax(): number {
  return limits.request.urlBytesMax + limits.request.headerBytesMax;
}

/** Writes an error to the socket, as there is no response object, and closes the connection. */
function refuse(socket: Duplex, error: HttpError, requestId: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, contentType, headers, body, bodyBytes } = errorResponse(error, {
    requestId,
    headers: {},
  });
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${requestId}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${bodyBytes}`,
    'Connection: close',
  ];
  const more = [...SECURITY_HEADERS, ...DATA_POLICY, ...headers];
  for (let i = 0; i < more.length; i += 2) lines.push(`${more[i]}: ${more[i + 1]}`);
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

function handleRefusals(server: Server, log: Log): void {
  const nextRequestId = createRequestIds();
  const refuseLogged = (socket: Duplex, error: HttpError): void => {
    const requestId = nextRequestId();
    refuse(socket, error, requestId);
    log.refusal(requestId, error.status, error.message);
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuseLogged(socket, PARSE_FAILURES[error.code ?? ''] ?? NOT_HTTP);
  });
  server.on('connect', (_request: IncomingMessage, socket) =>
    refuseLogged(
      socket,
      new HttpError(405, 'method must not be CONNECT: this server is not a proxy'),
    ),
  );
}

export interface ListenOptions extends Pick<Settings, 'host' | 'port'> {
  /** Lets other threads listen on the same port; the kernel distributes the connections. */
  reusePort?: boolean;
  /** Default: `limits.request.headersMs`. */
  headersMs?: number;
}

/** @throws {TapeworksError} The address is in use, forbidden or not of this machine. */
export async function listen(
  app: Express,
  { host, port, reusePort = false, headersMs = limits.request.headersMs }: ListenOptions,
  log: Log,
): Promise<Listening> {
  const server = createServer({
    maxHeaderSize: headerBytesMax(),
    headersTimeout: headersMs,
    // Readers of bodies bound their time; that of a file is the longest.
    requestTimeout: headersMs + limits.backfills.fileMs,
    connectionsCheckingInterval: limits.request.lateMs,
    keepAliveTimeout: limits.request.keptMs,
    // The app responds to a missing Host itself, with the error envelope.
    requireHostHeader: false,
    // Repeated headers stay visible, joined by a comma; by default the first one would win.
    joinDuplicateHeaders: true,
  });
  server.on('request', app);
  // Unknown expectations are ignored, as HTTP allows; Node would send 417 without a body.
  server.on('checkExpectation', app);
  handleRefusals(server, log);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, host, port)));
    server.listen({ port, host, reusePort }, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
  const bound = server.address() as AddressInfo;
  return { address: addressText(bound), close: () => closeServer(server) };
}

const LISTEN_FAILURES: Record<string, string> = {
  EADDRINUSE: 'is in use: stop the other process or set TAPEWORKS_PORT',
  EADDRNOTAVAIL: 'is not an address of this machine: set TAPEWORKS_HOST',
  ENOTFOUND: 'is not a known host: set TAPEWORKS_HOST',
  EACCES: 'needs privileges that this user lacks: set TAPEWORKS_PORT',
};

/** Turns a failure to listen into a message that says what to do. */
export function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const reason = LISTEN_FAILURES[error.code ?? ''];
  return reason ? new TapeworksError(`${host}:${port} ${reason}`, { cause: error }) : error;
}

/** Returns the URL of the server; one bound to all addresses is reached by loopback. */
function addressText({ address, family, port }: AddressInfo): string {
  if (family === 'IPv6') return `http://[${address === '::' ? '::1' : address}]:${port}`;
  return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`;
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // Kept-alive connections outlive the requests in flight: their next request is the last.
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const { graceMs, idleMs } = limits.shutdown;
  const idling = setInterval(() => server.closeIdleConnections(), idleMs);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idling);
  clearTimeout(deadline);
  // Requests on closed connections still end and are counted.
  await new Promise(setImmediate);
}
