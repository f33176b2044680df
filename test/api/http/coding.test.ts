import { type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { chosenCoding } from '../../../src/api/http/coding.ts';
import { CONTENT_TYPES } from '../../../src/api/http/format.ts';
import { useFixtureServer } from '../support/fixture-server.ts';

const fixture = useFixtureServer();

const TECHNICAL = '/v1/svc/technical/ABC?indicators=sma,ema,rsi,macd,bollinger';
const BULK = '/v1/svc/candles?symbols=*&interval=1d&format=csv';
const SHORT = '/v1/svc/quotes/ABC';

interface CodedReply {
  status: number;
  headers: IncomingHttpHeaders;
  /** Body as received, still coded. */
  bytes: Buffer;
}

/** Asks without a client that takes the coding off. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET') {
  const { address, rawKey } = fixture.server;
  return new Promise<CodedReply>((resolve, reject) => {
    const options = { method, headers: { 'X-API-Key': rawKey, ...headers } };
    const asked = request(address + path, options, async (answer) => {
      const bytes = Buffer.concat(await answer.toArray());
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes });
    });
    asked.on('error', reject).end();
  });
}

const DECODED = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

describe('chosenCoding', () => {
  const json = { bodyBytes: 100_000, contentType: CONTENT_TYPES.json };
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['br; q=0.0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['*;q=0.1, br;q=0', 'gzip'],
    ['identity', undefined],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0', undefined],
    ['deflate', undefined],
    ['gzip;q=0.001', 'gzip'],
  ] as const)('reads Accept-Encoding %s as %s', (header, coding) => {
    expect(chosenCoding(json, header)).toBe(coding);
  });

  it('leaves short bodies plain', () => {
    expect(chosenCoding({ ...json, bodyBytes: 1023 }, 'gzip')).toBeUndefined();
    expect(chosenCoding({ ...json, bodyBytes: 1024 }, 'gzip')).toBe('gzip');
  });

  it('codes Arrow only for a client that refuses the plain form', () => {
    const arrow = { ...json, contentType: CONTENT_TYPES.arrow };
    expect(chosenCoding(arrow, 'gzip, deflate, br')).toBeUndefined();
    expect(chosenCoding(arrow, 'gzip, identity;q=0')).toBe('gzip');
    expect(chosenCoding(arrow, 'br, *;q=0')).toBe('br');
  });
});

const ANSWERS = {
  'indicators as JSON': TECHNICAL,
  'indicators as CSV': `${TECHNICAL}&format=csv`,
  'bulk candles as CSV': BULK,
  'style of the API reference': '/docs/swagger-ui.css',
  'API description': '/v1/openapi.json',
};

describe.each(Object.entries(ANSWERS))('%s', (_name, path) => {
  it.each(['br', 'gzip'] as const)('comes as %s, far shorter and the same', async (coding) => {
    const plain = await ask(path);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.headers.vary).toMatch(/\bAccept-Encoding\b/);
    const coded = await ask(path, { 'Accept-Encoding': coding });
    expect(coded.status).toBe(200);
    expect(coded.headers['content-encoding']).toBe(coding);
    expect(coded.headers.vary).toBe(plain.headers.vary);
    expect(coded.headers['content-type']).toBe(plain.headers['content-type']);
    expect(DECODED[coding](coded.bytes).equals(plain.bytes)).toBe(true);
    expect(coded.bytes.length).toBeLessThan(plain.bytes.length * 0.6);
    const { 'content-length': length } = coded.headers;
    if (length !== undefined) expect(Number(length)).toBe(coded.bytes.length);
  });

  it('has the headers of GET for HEAD', async () => {
    const [get, head] = [
      await ask(path, { 'Accept-Encoding': 'gzip' }),
      await ask(path, { 'Accept-Encoding': 'gzip' }, 'HEAD'),
    ];
    expect(head.bytes.length).toBe(0);
    for (const name of ['content-encoding', 'content-length', 'etag', 'vary', 'content-type']) {
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    }
  });
});

describe.each([TECHNICAL, BULK, '/docs/swagger-ui.css'])('the validator of %s', (path) => {
  it('is another for each form', async () => {
    const tags = await Promise.all(
      ['identity', 'gzip', 'br'].map(
        async (coding) => (await ask(path, { 'Accept-Encoding': coding })).headers.etag,
      ),
    );
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) expect(tag).toMatch(/^"[^"]+"$/);
  });

  it('gives 304, with the tag that the client has, for a form it may use', async () => {
    const plain = (await ask(path)).headers.etag ?? '';
    const coded = (await ask(path, { 'Accept-Encoding': 'gzip' })).headers.etag ?? '';
    for (const [accepted, held, tag] of [
      ['gzip', coded, coded],
      ['gzip', `"other", W/${coded}`, coded],
      ['gzip', plain, plain],
      ['gzip', '*', coded],
      ['identity', plain, plain],
    ]) {
      const reply = await ask(path, { 'Accept-Encoding': accepted, 'If-None-Match': held });
      expect([held, reply.status, reply.headers.etag]).toEqual([held, 304, tag]);
      expect(reply.headers['content-encoding']).toBeUndefined();
      expect(reply.headers.vary).toMatch(/\bAccept-Encoding\b/);
    }
  });

  it('sends the whole response to a client that has a form it no longer accepts', async () => {
    const coded = (await ask(path, { 'Accept-Encoding': 'gzip' })).headers.etag ?? '';
    for (const accepted of ['identity', 'br', 'gzip;q=0']) {
      const reply = await ask(path, { 'Accept-Encoding': accepted, 'If-None-Match': coded });
      expect([accepted, reply.status]).toEqual([accepted, 200]);
    }
  });
});

it('short bodies stay plain, errors too, and do not vary', async () => {
  for (const path of [SHORT, '/v1/svc/quotes/NONE']) {
    const reply = await ask(path, { 'Accept-Encoding': 'gzip, br' });
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(reply.bytes.length).toBeLessThan(1024);
  }
  expect((await ask(SHORT)).headers.vary).not.toMatch(/Accept-Encoding/);
});

it('Arrow is coded where the client refuses the plain form', async () => {
  const path = `${TECHNICAL}&format=arrow`;
  const plain = await ask(path, { 'Accept-Encoding': 'gzip, deflate, br' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  const coded = await ask(path, { 'Accept-Encoding': 'gzip, identity;q=0' });
  expect(coded.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(coded.bytes).equals(plain.bytes)).toBe(true);
});

it('one log line of a coded stream says that it was sent to its end', async () => {
  const { log } = fixture.server;
  const linesBefore = log.length;
  await ask(BULK, { 'Accept-Encoding': 'br' });
  while (log.length === linesBefore) await new Promise(setImmediate);
  expect(log.slice(linesBefore)).toEqual([expect.objectContaining({ status: 200 })]);
  expect(log.at(-1)).not.toHaveProperty('aborted');
});
