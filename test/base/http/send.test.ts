/** Requests to servers that close, reset, fall silent, or close a kept connection. */

import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Agents,
  closeAgents,
  createAgents,
  discard,
  type SendOptions,
  send,
} from '../../../src/base/http/send.ts';

const BODY = Buffer.alloc(256 * 1024, 'a');
const LENGTH = `Content-Length: ${BODY.length}`;

describe('a request', () => {
  let server: Server;
  let url: URL;
  let agents: Agents;
  let sockets: Socket[];
  /** Called with each request of each connection. */
  let answer: (socket: Socket, nth: number) => void;

  beforeEach(async () => {
    agents = createAgents();
    sockets = [];
    let requests = 0;
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', () => answer(socket, requests++));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}/`);
  });
  afterEach(() => {
    closeAgents(agents);
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const get = (options: Partial<SendOptions> = {}) =>
    send(url, { agents, signal: new AbortController().signal, ...options });

  function head(...lines: string[]): string {
    return `${['HTTP/1.1 200 OK', ...lines].join('\r\n')}\r\n\r\n`;
  }

  async function read(pieces: AsyncIterable<Buffer>): Promise<number> {
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += piece.length;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return bytes;
  }

  // undici 6 ended the process here: it asserted that no reader lags behind at the end.
  it.each([[[LENGTH]], [[]]])(
    'gives a slow reader all of a response whose connection closes: %j',
    async (framing) => {
      answer = (socket) => {
        socket.write(head(...framing, 'Connection: close'));
        socket.end(BODY);
      };
      expect(await get().then(read)).toBe(BODY.length);
    },
  );

  it.each([
    ['closes', (socket: Socket) => socket.end()],
    ['is reset', (socket: Socket) => socket.resetAndDestroy()],
  ])('fails the slow reader of a response whose connection %s early', async (_how, close) => {
    answer = (socket) => {
      socket.write(head(LENGTH, 'Connection: close'));
      socket.write(BODY.subarray(1), () => close(socket));
    };
    await expect(get().then(read)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('is sent again where the server closed its kept connection', async () => {
    answer = (socket, nth) => {
      if (nth === 1) socket.resetAndDestroy();
      else socket.write(head('Content-Length: 1') + nth);
    };
    const texts: string[] = [];
    for (let request = 0; request < 2; request++) {
      for await (const piece of await get()) texts.push(String(piece));
    }
    expect(texts).toEqual(['0', '2']);
    expect(sockets).toHaveLength(2);
  });

  it('is not sent again where a new connection was reset', async () => {
    answer = (socket) => socket.resetAndDestroy();
    await expect(get()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(sockets).toHaveLength(1);
  });

  it('ends where no connection comes', async () => {
    closeAgents(agents);
    agents = createAgents({ lookup: () => undefined });
    url.hostname = 'slow.test';
    await expect(get({ connectMs: 20 })).rejects.toThrow('no connection within 0.02 s');
  });

  it('ends where no response comes', async () => {
    answer = () => undefined;
    await expect(get({ headersMs: 50 })).rejects.toThrow('no response within 0.05 s');
  });

  it('ends where a body falls silent', async () => {
    answer = (socket) => socket.write(`${head(LENGTH)}some`);
    await expect(get({ idleMs: 50 }).then(read)).rejects.toThrow('no data within 0.05 s');
  });

  it('ends with the reason of its signal, before and during its response', async () => {
    const stop = new AbortController();
    answer = (socket) => socket.write(`${head(LENGTH)}some`);
    const response = await get({ signal: stop.signal });
    const reading = read(response);
    stop.abort(new Error('stopped by the user'));
    await expect(reading).rejects.toThrow('stopped by the user');
    await expect(get({ signal: stop.signal })).rejects.toThrow('stopped by the user');
  });

  it('uses a connection again once its response is discarded, unless that is long', async () => {
    answer = (socket) => socket.write(Buffer.concat([Buffer.from(head(LENGTH)), BODY]));
    await discard(await get(), BODY.length);
    await discard(await get(), 1000);
    expect(sockets).toHaveLength(1);
    await discard(await get(), BODY.length);
    expect(sockets).toHaveLength(2);
  });
});
