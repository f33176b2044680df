import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../src/api/answer-schemas.ts';
import { useFixtureServer } from './fixture-server.ts';

const QUOTE = '/v1/svc/quotes/ABC';

const fixture = useFixtureServer();

/** Writes bytes to a fresh connection and gives everything that comes back until it closes. */
function raw(text: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(fixture.server.address);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

function parsedRaw(text: string): { status: number; requestId: string | undefined; body: unknown } {
  const [head, body] = text.split('\r\n\r\n', 2);
  return {
    status: Number(head.split(' ')[1]),
    requestId: /^X-Request-Id: (.*)$/im.exec(head)?.[1],
    body: JSON.parse(body),
  };
}

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

  it('may ask for OPTIONS *', async () => {
    const end = 'Host: x\r\nConnection: close\r\n\r\n';
    expect(parsedRaw(await raw(`OPTIONS * HTTP/1.1\r\n${end}`)).status).toBe(404);
  });

  it('may carry an unknown expectation', async () => {
    const end = `Host: x\r\nExpect: cake\r\nX-API-Key: ${fixture.server.rawKey}\r\nConnection: close\r\n\r\n`;
    expect(await raw(get + end)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('leave the server as it was', async () => {
    expect((await fixture.server.get(QUOTE)).status).toBe(200);
  });
});
