/** Bytes on a fresh connection, and what comes back. */

import { connect, type Socket } from 'node:net';

export function openSocket(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Writes bytes and gives everything that comes back until the server closes. */
export async function raw(address: string, bytes: string | Uint8Array): Promise<string> {
  const socket = await openSocket(address);
  const { promise, resolve } = Promise.withResolvers<string>();
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  // A server that has answered and closed may reset what it did not read.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => resolve(received));
  socket.write(bytes);
  return promise;
}

export interface RawReply {
  status: number;
  requestId: string | undefined;
  body: unknown;
}

/** The answers in what came back, one behind the other, each with a `Content-Length`. */
export function rawReplies(received: string): RawReply[] {
  const replies: RawReply[] = [];
  for (let rest = received; rest !== ''; ) {
    const headEnd = rest.indexOf('\r\n\r\n') + 4;
    const head = rest.slice(0, headEnd);
    const length = Number(/^Content-Length: (\d+)/im.exec(head)?.[1] ?? 0);
    const text = rest.slice(headEnd, headEnd + length);
    replies.push({
      status: Number(head.split(' ')[1]),
      requestId: /^X-Request-Id: (.*)$/im.exec(head)?.[1],
      body: text === '' ? undefined : JSON.parse(text),
    });
    rest = rest.slice(headEnd + length);
  }
  return replies;
}
