/** The HTTP client against a local server that misbehaves in every way vendors and strangers do. */

import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { VendorSettings } from '../../../src/base/config/config.ts';
import { limits } from '../../../src/base/limits.ts';
import { HttpClient, type HttpRequest } from '../../../src/ingest/http/client.ts';
import { vendor as nasdaq } from '../../../src/ingest/vendors/nasdaq/vendor.ts';
import { SEC, SEC_DATA } from '../../../src/ingest/vendors/shared/sec.ts';
import { vendor as tiingo } from '../../../src/ingest/vendors/tiingo/vendor.ts';
import { freshFolder } from '../../support/folders.ts';
import { type Answer, startVendorServer, type VendorServer } from '../support/vendor-server.ts';

const NOW_MS = Date.parse('2026-01-05T12:00:00Z');

describe('the HTTP client', () => {
  let dataDir: string;
  let server: VendorServer | undefined;
  let client: HttpClient | undefined;
  let waitsMs: number[];
  let clockMs: number;

  beforeEach(async () => {
    dataDir = freshFolder();
    waitsMs = [];
    clockMs = NOW_MS;
  });
  afterEach(async () => {
    await client?.close();
    await server?.close();
    server = undefined;
  });

  function settingsFor(url: string): VendorSettings {
    const vendorUrls = { TIINGO: url, SEC: url };
    return { dataDir, contact: undefined, vendorUrls, vendorKeys: {}, vendorLimits: {} };
  }

  function clientOf(settings: VendorSettings, signal?: AbortSignal): HttpClient {
    return new HttpClient(settings, {
      signal,
      nowMs: () => clockMs,
      random: () => 0.5,
      sleep: async (ms) => {
        waitsMs.push(ms);
        clockMs += ms;
      },
    });
  }

  /** Asks a server that answers with `answer`. */
  async function ask(answer: Answer, request: Partial<HttpRequest> = {}) {
    server = await startVendorServer(answer);
    client = clientOf(settingsFor(server.url));
    return client.get({ host: tiingo.host, path: '/daily', ...request });
  }

  const always =
    (status: number, body = '', headers: Record<string, string> = {}): Answer =>
    (_request, response: ServerResponse) =>
      response.writeHead(status, headers).end(body);

  it('gives the text and the validators of an answer', async () => {
    const answer = await ask(always(200, 'é', { etag: '"v1"', 'last-modified': 'Mon' }), {
      query: { startDate: '2026-01-02', endDate: undefined },
      headers: { authorization: 'Token k' },
    });
    expect(answer).toMatchObject({ status: 200, text: 'é', etag: '"v1"', lastModified: 'Mon' });
    expect(server?.asked[0].url.search).toBe('?startDate=2026-01-02');
    expect(server?.asked[0].headers).toMatchObject({ authorization: 'Token k' });
  });

  it('reads 304 where the caller asked with a validator', async () => {
    const answer = await ask(
      ({ headers }, response) =>
        response.writeHead(headers['if-none-match'] === '"v1"' ? 304 : 200).end(),
      { headers: { 'if-none-match': '"v1"' }, readable: [304] },
    );
    expect(answer).toMatchObject({ status: 304, text: '' });
  });

  it('unpacks gzip', async () => {
    const answer: Answer = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('rows'));
    expect(await ask(answer)).toMatchObject({ text: 'rows' });
  });

  // undici 6 ended the process here.
  it('unpacks a long answer whose connection closes', async () => {
    const text = randomBytes(512 * 1024).toString('hex');
    const headers = { 'content-encoding': 'gzip', connection: 'close' };
    const answer: Answer = (_request, response) =>
      response.writeHead(200, headers).end(gzipSync(text));
    expect((await ask(answer)).text === text).toBe(true);
  });

  it('backs off with jitter and gives the answer that comes then', async () => {
    const answer = await ask((_request, response, nth) =>
      response.writeHead(nth < 2 ? 503 : 200).end('here'),
    );
    expect(answer.text).toBe('here');
    // Half, which the random source gives here, of 500 ms and of 1 s.
    expect(waitsMs).toEqual([250, 500]);
  });

  it.each([
    ['7', 7000],
    [new Date(NOW_MS + 90_000).toUTCString(), 90_000],
    ['0', 0],
    ['soon', 250],
  ])('waits as Retry-After says: %s', async (header, waitMs) => {
    await ask((_request, response, nth) =>
      response.writeHead(nth === 0 ? 429 : 200, { 'retry-after': header }).end(),
    );
    expect(waitsMs).toEqual([waitMs]);
  });

  it('waits for the window of a limit to pass where a 429 says nothing', async () => {
    server = await startVendorServer((_request, response, nth) =>
      response.writeHead(nth === 0 ? 429 : 200).end(),
    );
    const settings = settingsFor(server.url);
    client = clientOf({ ...settings, vendorLimits: { TIINGO: { requests: 5, windowS: 60 } } });
    await client.get({ host: tiingo.host, path: '/' });
    expect(waitsMs).toEqual([60_000]);
  });

  it('gives up where Retry-After asks for longer than a run should stand still', async () => {
    const asking = ask(always(429, '', { 'retry-after': '3600' }));
    await expect(asking).rejects.toMatchObject({ name: 'RateLimitedError', retryMs: 3_600_000 });
    expect(waitsMs).toEqual([]);
  });

  it.each([
    [
      401,
      'SubscriptionNeededError',
      'the key is missing or wrong, or its plan lacks this (status 401',
    ],
    [402, 'SubscriptionNeededError', 'status 402: buy *** more'],
    [403, 'SubscriptionNeededError', 'status 403: buy *** more'],
    [404, 'UnknownSymbolError', 'Tiingo does not know "ABC"'],
    [422, 'SourceUnavailableError', '/daily answered with status 422: buy *** more'],
    [429, 'RateLimitedError', 'Tiingo limits the rate of requests'],
    [500, 'SourceUnavailableError', '/daily answered with status 500: buy *** more'],
  ])(
    'tells %d apart, in the words of the vendor and without the key',
    async (status, name, message) => {
      const body = JSON.stringify({ detail: 'buy\n sesame more' });
      const asking = ask(always(status, body), {
        symbol: 'ABC',
        query: { api_token: 'sesame' },
        secrets: ['sesame'],
      });
      const error = await asking.catch((thrown: Error) => thrown);
      expect(error).toMatchObject({ name, message: expect.stringContaining(message) });
      expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toContain('sesame');
      expect(server?.asked.length).toBe(
        status === 429 || status === 500 ? limits.http.triesMax : 1,
      );
    },
  );

  it.each([401, 403])('is blocked by a vendor that takes no keys: %d', async (status) => {
    server = await startVendorServer(always(status, 'Access Denied'));
    const settings = settingsFor(server.url);
    client = clientOf({ ...settings, vendorUrls: { NASDAQ: server.url } });
    await expect(client.get({ host: nasdaq.host, path: '/' })).rejects.toMatchObject({
      name: 'SourceBlockedError',
      message: `Nasdaq refuses to answer this machine (status ${status}: Access Denied)`,
    });
  });

  it('ends where a limit is used up for longer than a run should stand still', async () => {
    server = await startVendorServer(always(200));
    const settings = settingsFor(server.url);
    const limit = { requests: 1, windowS: 86_400 };
    client = clientOf({ ...settings, vendorLimits: { TIINGO: limit } });
    const request = { host: tiingo.host, path: '/' };
    await client.get(request);
    await expect(client.get(request)).rejects.toMatchObject({
      name: 'RateLimitedError',
      retryMs: 86_400_000,
      message: expect.stringContaining('was asked 1 times in 86400 s'),
    });
    expect(waitsMs).toEqual([]);
  });

  it('quotes a page of markup as one short line', async () => {
    const page = `<html><style>p{}</style><p>Out of <b>service</b></p>${'x'.repeat(500)}`;
    const error = await ask(always(503, page)).catch((thrown: Error) => thrown);
    expect((error as Error).message).toContain('status 503: Out of service xxx');
    expect((error as Error).message.length).toBeLessThan(400);
  });

  it.each<[string, Answer]>([
    [
      'a connection that ends early',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 1000 }).write('{');
        response.socket?.end();
      },
    ],
    [
      'a packed body that ends early',
      (_request, response) => {
        const packed = gzipSync('rows'.repeat(1000));
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed.subarray(0, -9));
      },
    ],
    ['a reset', (_request, response) => response.socket?.destroy()],
  ])('is unavailable after %s, each time it tries', async (_name, answer) => {
    await expect(ask(answer)).rejects.toMatchObject({
      name: 'SourceUnavailableError',
      message: expect.stringContaining('or its answer broke off'),
    });
    expect(server?.asked).toHaveLength(limits.http.triesMax);
  });

  it.each<[string, Answer, string]>([
    [
      'a bomb',
      (_request, response) => {
        // In members, as 1 GB at once would count as what the client has taken.
        const packed = Array(1000).fill(gzipSync(Buffer.alloc(1024 * 1024)));
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.concat(packed));
      },
      'larger than 67108864 bytes',
    ],
    [
      '200 MB announced',
      (_request, response) => {
        response.writeHead(200, { 'content-length': 200_000_000 }).write('x');
      },
      'larger than 67108864 bytes',
    ],
    [
      '200 MB',
      (_request, response) => {
        const piece = Buffer.alloc(1024 * 1024);
        const pump = () => {
          while (!response.destroyed && response.write(piece));
          response.once('drain', pump);
        };
        pump();
      },
      'larger than 67108864 bytes',
    ],
    [
      'bytes that are not UTF-8',
      (_request, response) => {
        response.end(Buffer.from([0x7b, 0xff, 0xfe]));
      },
      'not UTF-8',
    ],
    ['plain text called gzip', always(200, 'plain', { 'content-encoding': 'gzip' }), 'not gzip'],
    [
      'an encoding nobody asked for',
      always(200, 'x', { 'content-encoding': 'br' }),
      'encoded as "br"',
    ],
  ])('refuses %s at once', async (_name, answer, message) => {
    // What was let go counts until it is collected.
    const before = process.memoryUsage().arrayBuffers;
    await expect(ask(answer)).rejects.toMatchObject({
      name: 'MalformedInputError',
      message: expect.stringContaining(message),
    });
    expect(server?.asked).toHaveLength(1);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * limits.http.bodyBytesMax);
  });

  it('follows redirects on the same host, and no others', async () => {
    const answer = await ask(({ url }, response) => {
      if (url.pathname === '/moved') response.end('moved');
      else response.writeHead(302, { location: '/moved' }).end();
    });
    expect(answer.text).toBe('moved');
    await server?.close();
    await expect(
      ask(always(301, '', { location: 'http://127.0.0.1:1/elsewhere' })),
    ).rejects.toThrow('it redirects to "http://127.0.0.1:1", which is not followed');
    await server?.close();
    await expect(ask(always(302, '', { location: '/daily' }))).rejects.toThrow('not followed');
    expect(server?.asked).toHaveLength(1 + limits.http.redirectsMax);
  });

  it('does not wait for a body that only trickles', async () => {
    server = await startVendorServer((_request, response) => {
      const trickle = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(trickle));
    });
    client = new HttpClient(settingsFor(server.url), { responseMs: 100, sleep: async () => {} });
    await expect(client.get({ host: tiingo.host, path: '/' })).rejects.toMatchObject({
      name: 'SourceUnavailableError',
      message: expect.stringContaining('timeout'),
    });
  });

  it('goes through the proxy of the environment, and never to this machine itself', async () => {
    server = await startVendorServer(always(200, 'through'));
    vi.stubEnv('http_proxy', server.url);
    try {
      client = clientOf(settingsFor('http://vendor.test'));
      // The proxy answers in the vendor's stead.
      expect(await client.get({ host: tiingo.host, path: '/x' })).toMatchObject({
        text: 'through',
      });
      await client.close();
      vi.stubEnv('http_proxy', 'http://127.0.0.1:1');
      client = clientOf(settingsFor(server.url));
      expect(await client.get({ host: tiingo.host, path: '/y' })).toMatchObject({
        text: 'through',
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    server = await startVendorServer(() => stop.abort(new Error('stopped by the user')));
    client = clientOf(settingsFor(server.url), stop.signal);
    await expect(client.get({ host: tiingo.host, path: '/' })).rejects.toThrow(
      'stopped by the user',
    );
  });

  it('asks the SEC ten times a second at most, over all clients of the data folder', async () => {
    server = await startVendorServer(always(200));
    client = clientOf(settingsFor(server.url));
    const other = clientOf(settingsFor(server.url));
    const atMs: number[] = [];
    for (let request = 0; request < 25; request++) {
      await (request % 2 ? client : other).get({ host: SEC, path: '/' });
      atMs.push(clockMs - NOW_MS);
      clockMs += 7;
    }
    await other.close();
    for (const [index, ms] of atMs.slice(10).entries()) {
      expect(ms - atMs[index]).toBeGreaterThanOrEqual(1000);
    }
    expect(waitsMs.length).toBeGreaterThan(0);
  });

  it('counts hosts of one bucket together', async () => {
    server = await startVendorServer(always(403));
    client = clientOf(settingsFor(server.url));
    const elsewhere = { ...SEC_DATA, id: 'OTHER', url: 'http://localhost:1' };
    await expect(client.get({ host: SEC, path: '/' })).rejects.toThrow('limits the rate');
    await expect(client.get({ host: elsewhere, path: '/' })).rejects.toThrow(
      'the next may be sent in',
    );
  });

  it.each([403, 429])(
    'sends nothing to the SEC for ten minutes after a %d, in every client',
    async (status) => {
      server = await startVendorServer((_request, response, nth) =>
        response.writeHead(nth === 0 ? status : 200).end('Request Rate Threshold Exceeded'),
      );
      client = clientOf(settingsFor(server.url));
      const ask = (asker: HttpClient) => asker.get({ host: SEC, path: '/' });
      await expect(ask(client)).rejects.toMatchObject({
        name: 'RateLimitedError',
        message: expect.stringContaining('Threshold Exceeded'),
      });
      const other = clientOf(settingsFor(server.url));
      clockMs += 599_000;
      await expect(ask(other)).rejects.toThrow(
        'the SEC refused a request lately: the next may be sent in 1 s',
      );
      expect(server.asked).toHaveLength(1);
      clockMs += 1000;
      expect(await ask(other)).toMatchObject({ status: 200 });
      await other.close();
    },
  );
});
