/** Garbage and refused requests by the thousand leave no memory behind. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { openSocket, raw } from '../api/support/raw-socket.ts';
import { STOCK, useContractMarket } from './contract-market.ts';

const MEBIBYTE = 1024 * 1024;
/**
 * Memory that caches and compiled code may take. One leaked kilobyte a request would be more, as
 * there are 2,500 requests.
 */
const GROWTH_MAX = 2 * MEBIBYTE;
const AT_ONCE = 100;

const fixture = useContractMarket();

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

async function heapBytes(): Promise<number> {
  // What just ended is let go by callbacks that are still to come.
  for (let round = 0; round < 3; round++) {
    await new Promise(setImmediate);
    collectGarbage();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function inBatches(count: number, ask: (number: number) => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => ask(done + i)));
    // The test's own list of what was logged is no part of the server.
    fixture.server.log.length = 0;
  }
}

/** Bytes that stay behind after `count` requests, beyond those that the first ones leave. */
async function growth(count: number, ask: (number: number) => Promise<unknown>): Promise<number> {
  await inBatches(500, ask);
  const before = await heapBytes();
  await inBatches(count, ask);
  return (await heapBytes()) - before;
}

describe('memory stays flat', () => {
  it('under requests that are refused, each another one', async () => {
    const { server } = fixture;
    const huge = 'x'.repeat(10_000);
    const refused: ((number: number) => Promise<unknown>)[] = [
      (number) => server.get(`/v1/svc/quotes/N${number}`),
      (number) => server.get(`/v1/svc/nothing/${number}`),
      (number) => server.get(`/v1/svc/technical/${STOCK}?indicators=sma:${number}x`),
      (number) => server.get(`/v1/svc/screener?cursor=${number}${huge}`),
      (number) => server.get(`/v1/svc/quotes/batch?symbols=${`A${number},`.repeat(1000)}`),
      (number) =>
        server.request(`/v1/svc/quotes/${STOCK}`, { headers: { 'X-API-Key': `k${number}` } }),
      (number) => server.request(`/v1/svc/developer/keys`, { method: 'POST', body: `${number}` }),
      (number) =>
        server.request('/v1/svc/developer/keys', {
          method: 'POST',
          headers: { 'X-API-Key': server.rawKey, 'Content-Type': 'application/json' },
          body: JSON.stringify({ label: huge.slice(0, 200 + number), scopes: [huge] }),
        }),
    ];
    const grown = await growth(2500, (number) => refused[number % refused.length](number));
    expect(grown).toBeLessThan(GROWTH_MAX);
  });

  it('under garbage on the socket', async () => {
    const { address } = fixture.server;
    const garbage = [
      (number: number) => `${number} hello\r\n\r\n`,
      (number: number) => `GET /${number} HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n`,
      (number: number) => `GET /${'y'.repeat(40_000)}${number} HTTP/1.1\r\n\r\n`,
    ];
    const grown = await growth(1500, (number) =>
      raw(address, garbage[number % garbage.length](number)),
    );
    expect(grown).toBeLessThan(GROWTH_MAX);
  });

  it('under thousands of connections that are opened and dropped', async () => {
    const { address } = fixture.server;
    const beginnings = [
      '',
      'GET',
      `GET /v1/svc/quotes/${STOCK} HTTP/1.1\r\nHost: x\r\nX-API-Key: `,
    ];
    const grown = await growth(2000, async (number) => {
      const socket = await openSocket(address);
      socket.write(beginnings[number % beginnings.length]);
      if (number % 2 === 0) socket.resetAndDestroy();
      else socket.destroy();
    });
    expect(grown).toBeLessThan(GROWTH_MAX);
  });

  it('under hundreds of long responses that are requested at once and never read', async () => {
    const { address } = fixture.server;
    const end = `HTTP/1.1\r\nHost: x\r\nX-API-Key: ${fixture.operatorKey}\r\n\r\n`;
    const requests = Array.from({ length: 300 }, (_, i) => {
      const long = i % 2 === 0 ? 'candles?symbols=*' : `technical/${STOCK}?limit=${5000 + i}`;
      return `GET /v1/svc/${long}&interval=1m ${end}`;
    });
    const before = await heapBytes();
    const greedy = await openSocket(address);
    greedy.on('error', () => greedy.destroy());
    greedy.pause();
    greedy.write(requests.join(''));
    // Others are served meanwhile.
    await inBatches(1000, () => fixture.server.get(`/v1/svc/quotes/${STOCK}`));
    const held = (await heapBytes()) - before;
    greedy.destroy();
    // All of them together have some 500 MB.
    expect(held).toBeLessThan(128 * MEBIBYTE);
  });
});

describe('connections that send a byte now and then', () => {
  it('block no other request, and end when the server does', async () => {
    const { server } = fixture;
    const slow = await Promise.all(Array.from({ length: 500 }, () => openSocket(server.address)));
    for (const socket of slow) socket.on('error', () => socket.destroy());
    for (const byte of 'GET /v1/svc/quo') {
      for (const socket of slow) socket.write(byte);
      expect((await server.get(`/v1/svc/quotes/${STOCK}`)).status).toBe(200);
    }
    for (const socket of slow) socket.destroy();
  });
});
