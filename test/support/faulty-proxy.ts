/** An HTTP proxy before one server that spoils responses on command. */

import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Fault of the next response that the rule takes. */
export type Fault =
  /** Passes the request on and drops the response. */
  | 'lose'
  /** Closes the connection before the request is passed on. */
  | 'refuse'
  /** Ends the body halfway. */
  | 'cut'
  /** Flips a bit of the body. */
  | 'flip'
  /** Flips a bit of the body of the request. */
  | 'damage'
  /** Sends nothing until the client gives up. */
  | 'hang'
  /** Sends a status of 503. */
  | 'busy';

export interface FaultyProxy {
  port: number;
  /** Requests that came, as `GET /path`. */
  seen: string[];
  /** Decides on each request; undefined: none is spoilt. */
  rule: ((line: string, headers: IncomingMessage['headers']) => Fault | undefined) | undefined;
  close(): Promise<void>;
}

interface Recorded {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

export async function startFaultyProxy(
  targetPort: number,
  host = '127.0.0.1',
): Promise<FaultyProxy> {
  const proxy: Pick<FaultyProxy, 'seen' | 'rule'> = { seen: [], rule: undefined };
  const server = createServer(async (incoming, outgoing) => {
    const line = `${incoming.method} ${incoming.url}`;
    proxy.seen.push(line);
    const fault = proxy.rule?.(line, incoming.headers);
    if (fault === 'refuse') return void incoming.socket.destroy();
    if (fault === 'hang') return;
    if (fault === 'busy') return void outgoing.writeHead(503).end();
    try {
      const response = await passed(incoming, targetPort, fault);
      send(outgoing, response, fault);
    } catch {
      incoming.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(proxy, {
    port,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function passed(incoming: IncomingMessage, port: number, fault?: Fault): Promise<Recorded> {
  const { method, url: path, headers } = incoming;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
      const pieces: Buffer[] = [];
      for await (const piece of response) pieces.push(piece);
      const { statusCode: status = 0, headers } = response;
      resolve({ status, headers, body: Buffer.concat(pieces) });
    });
    sent.on('error', reject);
    if (fault !== 'damage') return void incoming.pipe(sent);
    incoming.on('data', (piece: Buffer) => {
      piece[piece.length >> 1] ^= 1;
      sent.write(piece);
    });
    incoming.on('end', () => sent.end());
  });
}

function send(outgoing: ServerResponse, { status, headers, body }: Recorded, fault?: Fault): void {
  if (fault === 'lose') return void outgoing.socket?.destroy();
  const { 'transfer-encoding': _chunked, ...rest } = headers;
  const length = status === 204 || status === 304 ? {} : { 'content-length': body.length };
  outgoing.writeHead(status, { ...rest, ...length });
  if (fault === 'cut') {
    outgoing.write(body.subarray(0, Math.floor(body.length / 2)));
    setTimeout(() => outgoing.socket?.destroy(), 20);
    return;
  }
  const bytes = Buffer.from(body);
  if (fault === 'flip' && bytes.length > 0) bytes[bytes.length >> 1] ^= 1;
  outgoing.end(bytes);
}
