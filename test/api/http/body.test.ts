import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { useFixtureServer } from '../support/fixture-server.ts';
import type { Reply } from '../support/test-server.ts';

const KEYS = '/v1/svc/developer/keys';

const fixture = useFixtureServer();

function post(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return fixture.server.request(KEYS, {
    method: 'POST',
    headers: { 'X-API-Key': fixture.server.rawKey, 'Content-Type': 'application/json', ...headers },
    body,
  });
}

const good = JSON.stringify({ label: 'x', scopes: ['quotes:read'] });

describe('a body', () => {
  it.each(['application/json', 'Application/JSON', 'application/json; charset=UTF-8'])(
    'is taken as %s',
    async (type) => {
      expect((await post(good, { 'Content-Type': type })).status).toBe(201);
    },
  );

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
  ])('is refused as %s with 415', async (type) => {
    const reply = await post(good, { 'Content-Type': type });
    expect(reply.status).toBe(415);
    expect(errorSchema.parse(reply.json).error.type).toBe('invalid_request_error');
  });

  it('without a type is 415', async () => {
    const headers = { 'X-API-Key': fixture.server.rawKey };
    const body = new Uint8Array(Buffer.from(good));
    expect((await fixture.server.request(KEYS, { method: 'POST', headers, body })).status).toBe(
      415,
    );
  });

  it('that is compressed is 415', async () => {
    expect((await post(good, { 'Content-Encoding': 'gzip' })).status).toBe(415);
    expect((await post(good, { 'Content-Encoding': 'identity' })).status).toBe(201);
  });

  it('of 64 KiB is read, of a byte more it is 413, and the connection stays usable', async () => {
    const filler = (bytes: number) => good.replace('{', `{${' '.repeat(bytes - good.length)}`);
    expect((await post(filler(65_536))).status).toBe(201);
    for (const bytes of [65_537, 3_000_000]) {
      const reply = await post(filler(bytes));
      expect(reply.status).toBe(413);
      errorSchema.parse(reply.json);
    }
    expect((await post(good)).status).toBe(201);
  });

  it('in pieces without a length is bounded as well', async () => {
    const stream = (text: string) =>
      new ReadableStream({
        start(controller) {
          for (let i = 0; i < text.length; i += 9999) {
            controller.enqueue(Buffer.from(text.slice(i, i + 9999)));
          }
          controller.close();
        },
      });
    const headers = { 'X-API-Key': fixture.server.rawKey, 'Content-Type': 'application/json' };
    const ask = (text: string) =>
      fixture.server.request(KEYS, {
        ...{ method: 'POST', headers, body: stream(text), duplex: 'half' },
      } as RequestInit);
    expect((await ask(good)).status).toBe(201);
    expect((await ask(good + ' '.repeat(100_000))).status).toBe(413);
  });

  it.each([
    ['invalid UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['a byte order mark and nothing', new Uint8Array([0xef, 0xbb, 0xbf])],
    ['NaN', '{"label":NaN,"scopes":["all"]}'],
    ['deep nesting', '['.repeat(60_000)],
  ])('of %s is 400', async (_what, body) => {
    expect((await post(body)).status).toBe(400);
  });
});
