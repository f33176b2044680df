import { beforeEach, describe, expect, it } from 'vitest';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { accountsPath } from '../../../src/base/config/data-dir.ts';
import { openAccounts } from '../../../src/store/accounts/admission/sqlite-accounts.ts';
import type { NewKey } from '../../../src/store/accounts/keys/key-record.ts';
import { freshFolder } from '../../support/folders.ts';
import { useFixtureServer } from '../support/fixture-server.ts';
import { NOW_MS } from '../support/market-fixture.ts';
import { raw, rawReplies } from '../support/raw-socket.ts';
import { type Reply, startTestServer } from '../support/test-server.ts';

const QUOTE = '/v1/svc/quotes/ABC';

const fixture = useFixtureServer({ rateLimit: { requests: 5, windowS: 60 } });

function getWith(rawKey: string, path = QUOTE): Promise<Reply> {
  return fixture.server.request(path, { headers: { 'X-API-Key': rawKey } });
}

function errorOf(reply: Reply) {
  return { status: reply.status, ...errorSchema.parse(reply.json).error };
}

describe('authentication', () => {
  it('takes the key from X-API-Key or as a bearer token', async () => {
    const rawKey = await fixture.server.newKey();
    const headerSets = [
      { 'X-API-Key': rawKey },
      { Authorization: `Bearer ${rawKey}` },
      { Authorization: `bearer ${rawKey}` },
      { 'X-API-Key': rawKey, Authorization: `Bearer ${rawKey}` },
      { 'X-API-Key': rawKey, Authorization: 'Basic dXNlcjpwYXNz' },
    ];
    for (const headers of headerSets) {
      expect((await fixture.server.request(QUOTE, { headers })).status).toBe(200);
    }
  });

  it.each([
    ['no key', {}, 'missing'],
    ['an empty key', { 'X-API-Key': '' }, 'missing'],
    ['another scheme', { Authorization: 'Basic dXNlcjpwYXNz' }, 'missing'],
    [
      'svc_ without a mode',
      { 'X-API-Key': 'svc_abcdefghijklmnopqrstuvwxyz' },
      'svc_live_ or svc_test_',
    ],
    ['an unknown key', { 'X-API-Key': `svc_test_${'x'.repeat(33)}` }, 'unknown or revoked'],
  ])('answers %s with 401', async (_name, headers, message) => {
    const reply = await fixture.server.request(QUOTE, {
      headers: headers as Record<string, string>,
    });
    expect(errorOf(reply)).toMatchObject({
      status: 401,
      type: 'authentication_error',
      message: expect.stringContaining(message),
    });
    expect(reply.headers.get('WWW-Authenticate')).toMatch(/^Bearer/);
    expect(reply.headers.has('X-SVC-RateLimit-Limit')).toBe(false);
  });

  it('refuses a header with a key that comes twice, whichever is right', async () => {
    const [one, other] = [await fixture.server.newKey(), await fixture.server.newKey()];
    for (const name of ['X-API-Key: ', 'Authorization: Bearer ', 'Authorization: Basic ']) {
      for (const [first, second] of [
        [`Authorization: Bearer ${one}`, `${name}${other}`],
        [`${name}${other}`, `Authorization: Bearer ${one}`],
        [`X-API-Key: ${one}`, `X-API-Key: ${other}`],
      ]) {
        const head = `GET ${QUOTE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;
        const received = await raw(fixture.server.address, `${head}${first}\r\n${second}\r\n\r\n`);
        expect(
          rawReplies(received).map(({ status }) => status),
          `${first} ${second}`,
        ).toEqual([401]);
      }
    }
  });

  it('passes over schemes of others, which may have commas', async () => {
    const headers = {
      'X-API-Key': await fixture.server.newKey(),
      Authorization: 'Digest username="a", realm="b"',
    };
    expect((await fixture.server.request(QUOTE, { headers })).status).toBe(200);
  });

  it('refuses two different keys, both valid', async () => {
    const headers = {
      'X-API-Key': await fixture.server.newKey(),
      Authorization: `Bearer ${await fixture.server.newKey()}`,
    };
    expect((await fixture.server.request(QUOTE, { headers })).status).toBe(401);
  });

  it.each(['/v1/svc', '/v1/svc/', '/v1/svc/nope', '/v1/svc?x=1', '/v1/svc/quotes/%zz'])(
    'needs a key for %s',
    async (path) => {
      expect((await fixture.server.request(path)).status).toBe(401);
    },
  );

  it('requires a key for every form of target', async () => {
    expect((await fixture.server.request('/v1/svc/quotes/../quotes/ABC')).status).toBe(401);
    expect((await fixture.server.request('/v1/svc/quotes/ABC', { method: 'POST' })).status).toBe(
      401,
    );
    expect((await fixture.server.request('/v1/svc/quotes/ABC', { method: 'OPTIONS' })).status).toBe(
      401,
    );
  });

  it('shows the mode of the key its own data and nothing else', async () => {
    const live = await getWith(await fixture.server.newKey({ mode: 'live' }));
    expect(errorOf(live)).toMatchObject({ status: 404, message: expect.stringContaining('live') });
    expect((await getWith(await fixture.server.newKey({ mode: 'sandbox' }))).status).toBe(200);
  });
});

describe('keys made and revoked by another process', () => {
  it('work at once and stop within a second', async () => {
    const other = openAccounts(accountsPath(fixture.dataDir), () => NOW_MS);
    const key = await other.createKey({ mode: 'sandbox', label: 'x', scopes: ['all'] });
    expect((await getWith(key.rawKey)).status).toBe(200);
    await other.revokeKey(key.id);
    fixture.server.clock.nowMs += 1000;
    expect((await getWith(key.rawKey)).status).toBe(401);
    await other.close();
  });
});

describe('the rate limit', () => {
  beforeEach(() => {
    // The start of a window of any length used here.
    fixture.server.clock.nowMs = Math.ceil(fixture.server.clock.nowMs / 420_000) * 420_000;
  });

  const limited = (key: Partial<NewKey> = {}) =>
    fixture.server.newKey({ limit: undefined, ...key });

  it('shows limit, remaining and reset, and after the last request 429', async () => {
    const rawKey = await limited();
    const resetS = fixture.server.clock.nowMs / 1000 + 60;
    for (const remaining of [4, 3, 2, 1, 0]) {
      const { headers, status } = await getWith(rawKey);
      expect(status).toBe(200);
      expect(headers.get('X-SVC-RateLimit-Limit')).toBe('5');
      expect(headers.get('X-SVC-RateLimit-Remaining')).toBe(String(remaining));
      expect(headers.get('X-SVC-RateLimit-Reset')).toBe(String(resetS));
    }
    fixture.server.clock.nowMs += 20_500;
    const reply = await getWith(rawKey);
    expect(errorOf(reply)).toMatchObject({
      status: 429,
      type: 'rate_limit_error',
      message: 'Rate limit of 5 requests per 60 s reached; try again in 40 s',
    });
    expect(reply.headers.get('X-SVC-RateLimit-Remaining')).toBe('0');
    expect(reply.headers.get('Retry-After')).toBe('40');
    fixture.server.clock.nowMs += 40_000;
    expect((await getWith(rawKey)).status).toBe(200);
  });

  it('gives a key its own limit', async () => {
    const rawKey = await limited({ limit: { requests: 1, windowS: 7 } });
    expect((await getWith(rawKey)).status).toBe(200);
    expect((await getWith(rawKey)).status).toBe(429);
    fixture.server.clock.nowMs += 7000;
    expect((await getWith(rawKey)).status).toBe(200);
  });

  it('never stops a key without limit', async () => {
    const rawKey = await limited({ limit: null });
    for (let i = 0; i < 20; i++) expect((await getWith(rawKey)).status).toBe(200);
  });

  it('counts responses of every kind, 304 too', async () => {
    const rawKey = await limited();
    const first = await getWith(rawKey);
    const etag = first.headers.get('ETag') as string;
    const headers = { 'X-API-Key': rawKey, 'If-None-Match': etag };
    const unchanged = await fixture.server.request(QUOTE, { headers });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.get('X-SVC-RateLimit-Remaining')).toBe('3');
    const missing = await getWith(rawKey, '/v1/svc/nope');
    expect(missing.headers.get('X-SVC-RateLimit-Remaining')).toBe('2');
  });

  it('comes after 401 and 403 and before 400 and 404', async () => {
    const rawKey = await limited({ scopes: ['quotes:read'] });
    for (let i = 0; i < 5; i++) await getWith(rawKey);
    expect((await getWith(rawKey, '/v1/svc/technical/ABC')).status).toBe(403);
    for (const path of ['/v1/svc/quotes/ABC?x=1', '/v1/svc/nope', '/v1/svc/quotes/%zz']) {
      expect((await getWith(rawKey, path)).status).toBe(429);
    }
  });
});

it('a use of a key is on record after close', async () => {
  const folder = freshFolder();
  const other = await startTestServer(folder, NOW_MS);
  await other.get('/v1/svc/nope');
  await other.close();
  const accounts = openAccounts(accountsPath(folder));
  expect((await accounts.listKeys())[0].lastUsedAt).toBe(new Date(NOW_MS).toISOString());
  await accounts.close();
});
