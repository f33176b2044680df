import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { useFixtureServer } from '../support/fixture-server.ts';
import { openSocket, type RawReply, raw as rawOf, rawReplies } from '../support/raw-socket.ts';

const QUOTE = '/v1/svc/quotes/ABC';
const KEYS = '/v1/svc/developer/keys';

const fixture = useFixtureServer();

const raw = (bytes: string | Uint8Array) => rawOf(fixture.server.address, bytes);

function parsedRaw(received: string): RawReply {
  const [reply] = rawReplies(received);
  return reply;
}

it('keeps idle connections longer than the load balancer, which would send into a closed one', async () => {
  const { headers } = await fixture.server.get(QUOTE);
  const [, seconds] = /^timeout=(\d+)$/.exec(headers.get('Keep-Alive') ?? '') ?? [];
  const caddyfile = readFileSync(new URL('../../../deploy/Caddyfile', import.meta.url), 'utf8');
  expect(caddyfile).toContain('keepalive 60s');
  expect(Number(seconds)).toBeGreaterThan(60);
});

describe('bytes on the socket', () => {
  const get = `GET ${QUOTE} HTTP/1.1\r\n`;

  it.each([
    ['noise', 'hello there\r\n\r\n', 400],
    ['binary noise', new Uint8Array([0, 255, 1, 254, 13, 10, 13, 10]), 400],
    ['a TLS greeting', new Uint8Array([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]), 400],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a header without a colon', `${get}Host: x\r\nnonsense\r\n\r\n`, 400],
    ['two lengths', `${get}Host: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
    ['headers of 40 KiB', `${get}Host: x\r\nX-Long: ${'y'.repeat(40_960)}\r\n\r\n`, 431],
    ['a target of 40 KiB', `GET /${'y'.repeat(40_960)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['a header name with a blank', `${get}Host: x\r\nX Key: 1\r\n\r\n`, 400],
    ['a folded header', `${get}Host: x\r\nX-Key: a\r\n b: c\r\n\r\n`, 400],
    ['a NUL in a header', `${get}Host: x\r\nX-Key: \0\r\n\r\n`, 400],
    ['a NUL in the target', 'GET /v1/\0 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a blank in the target', 'GET /v1/a b HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['no version, as in 1991', 'GET /nope\r\n\r\n', 404],
    ['a version to come', `GET ${QUOTE} HTTP/3.0\r\nHost: x\r\n\r\n`, 400],
    ['the greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    [
      'a length beyond all numbers',
      `${get}Host: x\r\nContent-Length: ${'9'.repeat(30)}\r\n\r\n`,
      400,
    ],
    ['two hosts', `${get}Host: x\r\nHost: y\r\nConnection: close\r\n\r\n`, 400],
    ['one host twice', `${get}Host: x\r\nHost: x\r\nConnection: close\r\n\r\n`, 400],
    [
      'a coding before chunked',
      `${get}Host: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'two transfer codings',
      `${get}Host: x\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a negative length', `${get}Host: x\r\nContent-Length: -1\r\n\r\n`, 400],
    ['a length that is no number', `${get}Host: x\r\nContent-Length: 1e3\r\n\r\n`, 400],
    [
      'a length beside chunks',
      `${get}Host: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'chunks that are not the last coding',
      `${get}Host: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 405],
  ])('are answered with the envelope: %s', async (_name, bytes, status) => {
    const reply = parsedRaw(await raw(bytes));
    expect(reply.status).toBe(status);
    expect(errorSchema.parse(reply.body).request_id).toBe(reply.requestId);
    expect(fixture.server.log.find((line) => line.request_id === reply.requestId)).toBeDefined();
  });

  it('need a Host in HTTP/1.1', async () => {
    const reply = parsedRaw(await raw(`${get}Connection: close\r\n\r\n`));
    expect(reply.status).toBe(400);
    expect(errorSchema.parse(reply.body).error).toMatchObject({
      message: expect.stringContaining('Host'),
      docs_url: '/docs/errors/invalid_request_error',
    });
  });

  it('may be HTTP/1.0', async () => {
    const text = await raw(`GET ${QUOTE} HTTP/1.0\r\nX-API-Key: ${fixture.server.rawKey}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('are guarded when the target is a whole URL', async () => {
    const end = 'Host: x\r\nConnection: close\r\n\r\n';
    for (const target of [`http://x${QUOTE}`, `HTTP://x:1${QUOTE}?a#b`, `${QUOTE}#x`]) {
      expect(parsedRaw(await raw(`GET ${target} HTTP/1.1\r\n${end}`)).status).toBe(401);
    }
    const withKey = `GET http://x${QUOTE} HTTP/1.1\r\nX-API-Key: ${fixture.server.rawKey}\r\n${end}`;
    expect(await raw(withKey)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('may send OPTIONS *', async () => {
    const end = 'Host: x\r\nConnection: close\r\n\r\n';
    expect(parsedRaw(await raw(`OPTIONS * HTTP/1.1\r\n${end}`)).status).toBe(404);
  });

  it('may carry an unknown expectation', async () => {
    const end = `Host: x\r\nExpect: cake\r\nX-API-Key: ${fixture.server.rawKey}\r\nConnection: close\r\n\r\n`;
    expect(await raw(get + end)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('may request another protocol, which is ignored', async () => {
    const end = 'Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n';
    const text = await raw(`${get}${end}X-API-Key: ${fixture.server.rawKey}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('get responses one by one, in order, when they arrive at once', async () => {
    const asked = ['quotes/ABC', 'quotes/NONE', 'quotes/ABC?x=1', 'nothing', 'quotes/%zz'];
    const requests = Array.from({ length: 50 }, (_, i) => {
      const end = i === 49 ? 'Connection: close\r\n\r\n' : '\r\n';
      const target = `/v1/svc/${asked[i % asked.length]}`;
      return `GET ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${fixture.server.rawKey}\r\n${end}`;
    });
    const replies = rawReplies(await raw(requests.join('')));
    const statuses = [200, 404, 400, 404, 400];
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(statuses).flat());
    expect(new Set(replies.map(({ requestId }) => requestId)).size).toBe(50);
  });

  it('get responses up to the first invalid one', async () => {
    const good = `${get}Host: x\r\nX-API-Key: ${fixture.server.rawKey}\r\n\r\n`;
    const replies = rawReplies(await raw(`${good}${good}garbage\r\n\r\n${good}`));
    expect(replies.at(-1)?.status).toBe(400);
    expect(replies.length).toBeLessThanOrEqual(3);
  });

  it('leave the server as it was', async () => {
    expect((await fixture.server.get(QUOTE)).status).toBe(200);
  });
});

describe('bodies on the socket', () => {
  const post = (headers: string, body: string) =>
    `POST ${KEYS} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${fixture.server.rawKey}\r\n` +
    `Content-Type: application/json\r\nConnection: close\r\n${headers}\r\n\r\n${body}`;
  const body = '{"label":"x","scopes":["quotes:read"]}';
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n`;
  const chunked = 'Transfer-Encoding: chunked';

  it('may come in chunks', async () => {
    expect(parsedRaw(await raw(post(chunked, `${chunk}0\r\n\r\n`))).status).toBe(201);
  });

  it.each([
    ['chunks whose size is no number', chunked, `zz\r\n${body}\r\n0\r\n\r\n`],
    ['chunks of a negative size', chunked, `-1\r\n${body}\r\n0\r\n\r\n`],
    ['chunks of a size beyond all numbers', chunked, `${'f'.repeat(40)}\r\n${body}`],
    ['chunks that are longer than they say', chunked, `2\r\n${body}\r\n0\r\n\r\n`],
  ])('are refused as %s', async (_name, headers, text) => {
    const reply = parsedRaw(await raw(post(headers, text)));
    expect(reply.status).toBe(400);
    expect(errorSchema.parse(reply.body).error.type).toBe('invalid_request_error');
  });

  it.each([
    ['in chunks', chunked, chunk],
    ['with a length', `Content-Length: ${body.length + 10}`, body],
  ])('that break off %s make nothing', async (_name, headers, text) => {
    const made = async () => (await fixture.server.get(KEYS)).json as { total: number };
    const before = (await made()).total;
    const socket = await openSocket(fixture.server.address);
    socket.end(post(headers, text));
    await new Promise((resolve) => socket.resume().on('close', resolve));
    expect((await made()).total).toBe(before);
  });

  it('of ten gigabytes are refused before they come', async () => {
    const reply = parsedRaw(await raw(post('Content-Length: 10000000000', body)));
    expect(reply.status).toBe(413);
    errorSchema.parse(reply.body);
  });
});
