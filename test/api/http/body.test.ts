import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { accountSchema } from '../../../src/api/routes/accounts/schema.ts';
import { createdKeySchema } from '../../../src/api/routes/keys/schema.ts';
import { SCOPE_NAMES } from '../../../src/store/sqlite/keys/scopes.ts';
import { useFixtureServer } from '../support/fixture-server.ts';
import type { Reply } from '../support/test-server.ts';

const KEYS = '/v1/svc/developer/keys';
const SEED = 20_260_105;

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

describe('any body', () => {
  const scope = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...SCOPE_NAMES.slice(0, -1), 'all') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  );
  const mostly = (arbitrary: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: fc.jsonValue() });
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
  const count = fc.integer({ min: 0, max: 1_000_000 });
  const extra = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue(), { maxKeys: 1 });

  const check = (
    path: string,
    bodies: fc.Arbitrary<unknown>,
    schema: { parse(value: unknown): unknown },
    rawKey: () => string,
  ) => {
    let madeCount = 0;
    const property = fc.asyncProperty(bodies, async (body) => {
      const reply = await fixture.server.request(path, {
        method: 'POST',
        headers: { 'X-API-Key': rawKey(), 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([201, 400]).toContain(reply.status);
      if (reply.status === 201) {
        madeCount++;
        schema.parse(reply.json);
      } else errorSchema.parse(reply.json);
    });
    return fc.assert(property, { seed: SEED, numRuns: 500 }).then(() => madeCount);
  };

  it('makes a key or is 400', async () => {
    const bodies = fc
      .tuple(
        fc.record({ label: mostly(text), scopes: mostly(fc.array(scope, { maxLength: 4 })) }),
        fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: extra }),
      )
      .map(([body, more]) => ({ ...body, ...more }));
    const rawKey = fixture.server.newKey({ account: 'any' });
    const madeCount = await check(KEYS, mostly(bodies), createdKeySchema, () => rawKey);
    expect(madeCount).toBeGreaterThan(100);
  });

  it('makes an account or is 400', async () => {
    const plan = fc.record(
      {
        rateLimit: mostly(fc.record({ requests: count, windowSeconds: count })),
        tokensPerDay: mostly(count),
        scopes: mostly(fc.array(fc.constantFrom(...SCOPE_NAMES), { maxLength: 3 })),
        keyExpiryDays: mostly(fc.integer({ min: 0, max: 400 })),
      },
      { requiredKeys: [] },
    );
    const bodies = fc.record(
      { label: mostly(text), plan: mostly(plan), id: mostly(fc.uuid()) },
      { requiredKeys: ['label'] },
    );
    const rawKey = fixture.server.newKey({ account: 'op', scopes: ['accounts:write'] });
    const madeCount = await check('/v1/svc/accounts', bodies, accountSchema, () => rawKey);
    expect(madeCount).toBeGreaterThan(50);
  });
});
