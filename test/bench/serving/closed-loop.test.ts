/** The loop over plain sockets, against real servers. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { countFromText } from '../../../bench/command/serving/bench.ts';
import { closedLoop } from '../../../bench/command/serving/closed-loop.ts';

let server: Server;

async function listen(handler: Parameters<typeof createServer>[1]): Promise<string> {
  server = createServer(handler as never);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => server?.close());

describe('the closed loop', () => {
  it.each([0, 5, 1_000_000])('counts responses of %i bytes', async (length) => {
    let requests = 0;
    const address = await listen((request, response) => {
      expect(request.headers['x-api-key']).toBe('k');
      requests++;
      response.writeHead(200, { 'Content-Length': length }).end(Buffer.alloc(length));
    });
    const target = { address, paths: ['/a'], headers: { 'X-API-Key': 'k' } };
    // A load without time sends one request on each connection.
    const loaded = await closedLoop(target, 3, 0);
    expect([loaded.requests, requests]).toEqual([3, 3]);
  });

  it('fails for another status', async () => {
    const address = await listen((_, response) => response.writeHead(404).end('no'));
    const target = { address, paths: ['/a'], headers: {} };
    await expect(closedLoop(target, 1, 0)).rejects.toThrow('HTTP/1.1 404');
  });

  it('fails without a length', async () => {
    const address = await listen((_, response) => {
      response.write('a');
      response.end('b');
    });
    const target = { address, paths: ['/a'], headers: {} };
    await expect(closedLoop(target, 1, 0)).rejects.toThrow('a response began with');
  });
});

describe('the output of wrk', () => {
  const text = `Running 2s test @ http://127.0.0.1:1/
  1 threads and 32 connections
  39876 requests in 2.10s, 12.34MB read
Requests/sec:  18988.57
`;

  it('has requests and time', () => {
    expect(countFromText(text)).toEqual({ requests: 39_876, ms: 2100 });
  });

  it.each([
    `${text}  Non-2xx or 3xx responses: 7\n`,
    `${text}  Socket errors: connect 0, read 3, write 0, timeout 0\n`,
    'unable to connect',
  ])('is an error after failures', (output) => {
    expect(() => countFromText(output)).toThrow('wrk failed');
  });
});
