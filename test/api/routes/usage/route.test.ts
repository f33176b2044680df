import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../../src/api/http/error-types.ts';
import { accountUsageSchema, usageSchema } from '../../../../src/api/routes/usage/schema.ts';
import type { NewKey } from '../../../../src/store/accounts/keys/key-record.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';

const USAGE = '/v1/svc/developer/usage/daily';
const DAY_MS = 86_400_000;

const fixture = useFixtureServer();

let accountCount = 0;

/** A key of an account that nobody has used before, and requests with it. */
async function stranger(key: Partial<NewKey> = {}) {
  const account = key.account ?? `account-${accountCount++}`;
  const rawKey = await fixture.server.newKey({ ...key, account });
  const ask = (path: string, options: RequestInit = {}) =>
    fixture.server.request(path, { ...options, headers: { 'X-API-Key': rawKey } });
  const id = fixture.server.accounts.findKey(rawKey)?.id as string;
  const usage = async (query = '') => {
    fixture.server.writeCounts();
    const reply = await ask(USAGE + query);
    expect(reply.status).toBe(200);
    return usageSchema.parse(reply.json).data;
  };
  return { account, rawKey, id, ask, usage };
}

const today = () => new Date(fixture.server.clock.nowMs).toISOString().slice(0, 10);

describe('usage', () => {
  it('counts every request of a key once, by template and method, with errors and tokens', async () => {
    const { ask, usage } = await stranger({
      scopes: ['quotes:read', 'technicals:read', 'developer:read'],
    });
    const requests: [string, RequestInit?][] = [
      ['/v1/svc/quotes/ABC'],
      ['/v1/svc/quotes/abc/'],
      ['/v1/svc/quotes/ABC?format=csv'],
      ['/v1/svc/quotes/ZZZ'],
      ['/v1/svc/quotes/ABC', { method: 'HEAD' }],
      ['/v1/svc/quotes/ABC', { method: 'OPTIONS' }],
      ['/v1/svc/quotes/ABC', { method: 'DELETE' }],
      ['/v1/svc/quotes/batch?symbols=ABC,NEW,BRK.B,abc'],
      ['/v1/svc/quotes/batch?symbols=ABC&x=1'],
      ['/v1/svc/technical/ABC'],
      ['/v1/svc/candles?symbols=ABC,NEW&format=csv'],
      ['/v1/svc/screener'],
      ['/v1/svc/symbols'],
      ['/v1/svc/nope'],
      ['/v1/svc/quotes/%ff'],
    ];
    for (const [path, options] of requests) await ask(path, options);
    const rows = (await usage()).map((row) => {
      expect(row.day).toBe(today());
      return [row.method, row.endpoint, row.callCount, row.errorCount, row.tokensUsed];
    });
    expect(rows).toEqual([
      ['GET', '(none)', 2, 2, 0],
      ['GET', '/svc/candles', 1, 0, 2],
      ['GET', '/svc/quotes/batch', 2, 1, 3],
      ['DELETE', '/svc/quotes/{symbol}', 1, 1, 0],
      ['GET', '/svc/quotes/{symbol}', 4, 1, 3],
      ['HEAD', '/svc/quotes/{symbol}', 1, 0, 1],
      ['OPTIONS', '/svc/quotes/{symbol}', 1, 0, 0],
      ['GET', '/svc/screener', 1, 1, 0],
      ['GET', '/svc/symbols', 1, 0, 1],
      ['GET', '/svc/technical/{symbol}', 1, 0, 5],
    ]);
  });

  it('counts 304 and 429 too', async () => {
    const { ask, usage, rawKey } = await stranger({ limit: { requests: 3, windowS: 60 } });
    const etag = (await ask('/v1/svc/quotes/ABC')).headers.get('ETag') as string;
    const headers = { 'X-API-Key': rawKey, 'If-None-Match': etag };
    expect((await fixture.server.request('/v1/svc/quotes/ABC', { headers })).status).toBe(304);
    expect((await ask('/v1/svc/quotes/ABC')).status).toBe(200);
    expect((await ask('/v1/svc/quotes/ABC')).status).toBe(429);
    fixture.server.clock.nowMs += 60_000;
    expect(await usage()).toMatchObject([{ callCount: 4, errorCount: 1, tokensUsed: 3 }]);
  });

  it('is of the whole bulk universe a token a symbol', async () => {
    const { ask, usage } = await stranger();
    const csv = (await ask('/v1/svc/candles?symbols=*&format=csv')).text;
    const symbols = new Set(
      csv
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0]),
    );
    expect((await usage())[0].tokensUsed).toBe(symbols.size);
  });

  it('shows an account its own, in the mode of the key', async () => {
    const one = await stranger();
    const twin = await stranger({ account: one.account });
    const live = await stranger({ account: one.account, mode: 'live' });
    const other = await stranger();
    await one.ask('/v1/svc/symbols');
    await twin.ask('/v1/svc/symbols');
    await live.ask('/v1/svc/symbols');
    const row = { day: today(), endpoint: '/svc/symbols', method: 'GET', errorCount: 0 };
    expect(await one.usage()).toEqual([{ ...row, callCount: 2, tokensUsed: 2 }]);
    expect(await live.usage()).toEqual([{ ...row, callCount: 1, tokensUsed: 1 }]);
    expect(await other.usage()).toEqual([]);
    expect(await one.usage(`?key_id=${twin.id}&endpoint=/svc/symbols`)).toMatchObject([
      { callCount: 1 },
    ]);
    for (const id of [live.id, other.id, 'key_unknown']) {
      expect(await one.usage(`?key_id=${id}`)).toEqual([]);
    }
  });

  it('covers the last 30 days, or the requested days, ascending', async () => {
    const { ask, usage } = await stranger();
    const days: string[] = [];
    for (let i = 0; i < 31; i++) {
      days.push(today());
      await ask('/v1/svc/symbols');
      fixture.server.clock.nowMs += DAY_MS;
    }
    fixture.server.clock.nowMs -= DAY_MS;
    const symbolDays = async (query = '') =>
      (await usage(`?endpoint=/svc/symbols${query}`)).map(({ day }) => day);
    expect(await symbolDays()).toEqual(days.slice(1));
    expect(await symbolDays(`&from=${days[0]}`)).toEqual(days);
    expect(await symbolDays(`&from=${days[3]}&to=${days[5]}`)).toEqual(days.slice(3, 6));
    expect(await symbolDays(`&to=${days[0]}`)).toEqual([days[0]]);
  });

  it('is CSV and Arrow as well', async () => {
    const { ask } = await stranger();
    await ask('/v1/svc/quotes/ABC');
    fixture.server.writeCounts();
    const csv = await ask(`${USAGE}?format=csv`);
    expect(csv.text).toBe(
      'day,endpoint,method,callCount,errorCount,tokensUsed\r\n' +
        `${today()},/svc/quotes/{symbol},GET,1,0,1\r\n`,
    );
    fixture.server.writeCounts();
    const table = tableFromIPC((await ask(`${USAGE}?format=arrow`)).bytes);
    expect(table.schema.fields.map(({ name }) => name)).toEqual([
      ...['day', 'endpoint', 'method', 'callCount', 'errorCount', 'tokensUsed'],
    ]);
    expect(table.numRows).toBe(2);
  });

  it('of nothing is an empty list, and a header row', async () => {
    expect(await (await stranger()).usage()).toEqual([]);
    expect((await (await stranger()).ask(`${USAGE}?format=csv`)).text).toMatch(
      /^day,.*tokensUsed\r\n$/,
    );
    expect(
      tableFromIPC((await (await stranger()).ask(`${USAGE}?format=arrow`)).bytes).numRows,
    ).toBe(0);
  });

  it.each([
    ['from=2026-02-30', 'from'],
    ['to=x', 'to'],
    ['from=2026-01-02&to=2026-01-01', 'from'],
    ['endpoint=/svc/nope', 'endpoint'],
    ['key_id=', 'key_id'],
    ['account=x', '"account"'],
    ['limit=5', '"limit"'],
    ['format=xml', 'format'],
  ])('refuses %s', async (query, name) => {
    const reply = await fixture.server.get(`${USAGE}?${query}`);
    expect(reply.status).toBe(400);
    expect(errorSchema.parse(reply.json).error.message.startsWith(name)).toBe(true);
  });
});

describe('usage for the operator', () => {
  it('separates accounts and keys, as CSV too', async () => {
    const [one, two] = [await stranger(), await stranger()];
    await one.ask('/v1/svc/symbols');
    await two.ask('/v1/svc/quotes/ZZZ');
    const operator = await stranger({ scopes: ['accounts:write'] });
    fixture.server.writeCounts();
    const path = '/v1/svc/accounts/usage/daily';
    const { data } = accountUsageSchema.parse((await operator.ask(path)).json);
    const own = data.filter(({ account }) => [one.account, two.account].includes(account));
    const row = { day: today(), method: 'GET', callCount: 1 };
    expect(own).toEqual([
      {
        ...{ account: one.account, keyId: one.id, endpoint: '/svc/symbols' },
        ...{ ...row, errorCount: 0, tokensUsed: 1 },
      },
      {
        ...{ account: two.account, keyId: two.id, endpoint: '/svc/quotes/{symbol}' },
        ...{ ...row, errorCount: 1, tokensUsed: 0 },
      },
    ]);
    const csv = await operator.ask(`${path}?account=${two.account}&key_id=${two.id}&format=csv`);
    expect(csv.text).toBe(
      'account,keyId,day,endpoint,method,callCount,errorCount,tokensUsed\r\n' +
        `${two.account},${two.id},${today()},/svc/quotes/{symbol},GET,1,1,0\r\n`,
    );
    expect((await one.ask(path)).status).toBe(403);
  });
});

describe('tokens of a plan', () => {
  const withTokens = async (tokensPerDay: number, mode: NewKey['mode'] = 'sandbox') => {
    const id = `quota-${accountCount++}`;
    await fixture.server.accounts.createAccount({ id, label: id, plan: { tokensPerDay } });
    return await stranger({ account: id, mode });
  };

  it('are used by responses and reset at midnight UTC', async () => {
    fixture.server.clock.nowMs = Date.UTC(2026, 5, 1, 23, 59, 0);
    const { ask, account } = await withTokens(11);
    const technical = '/v1/svc/technical/ABC?limit=1';
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await ask(technical)).status);
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await ask(technical);
    expect(errorSchema.parse(refused.json).error).toMatchObject({
      type: 'rate_limit_error',
      message: 'The account has 1 tokens left until midnight UTC, and this request needs 5',
    });
    expect(refused.headers.get('Retry-After')).toBe('60');
    expect(refused.headers.has('X-SVC-RateLimit-Remaining')).toBe(true);
    // Errors are free, and one token is left.
    expect((await ask('/v1/svc/quotes/ZZZ')).status).toBe(404);
    expect((await ask('/v1/svc/quotes/batch?symbols=ABC,NEW')).status).toBe(429);
    expect((await ask('/v1/svc/quotes/ABC')).status).toBe(200);
    expect((await (await stranger({ account })).ask('/v1/svc/quotes/ABC')).status).toBe(429);
    fixture.server.clock.nowMs += 60_000;
    expect((await ask(technical)).status).toBe(200);
  });

  it('leave keys, usage and accounts open when they are gone', async () => {
    const { ask, usage } = await withTokens(0);
    expect((await ask('/v1/svc/quotes/ABC')).status).toBe(429);
    expect((await ask('/v1/svc/developer/keys')).status).toBe(200);
    expect(await usage('?endpoint=/svc/quotes/{symbol}')).toMatchObject([{ errorCount: 1 }]);
  });

  it('are of live and sandbox apart', async () => {
    const sandbox = await withTokens(1);
    const live = await stranger({ account: sandbox.account, mode: 'live' });
    expect((await sandbox.ask('/v1/svc/symbols')).status).toBe(200);
    expect((await sandbox.ask('/v1/svc/symbols')).status).toBe(429);
    expect((await live.ask('/v1/svc/symbols')).status).toBe(200);
    expect((await live.ask('/v1/svc/symbols')).status).toBe(429);
  });

  it('hold for bulk candles before anything is sent', async () => {
    const { ask } = await withTokens(1);
    expect((await ask('/v1/svc/candles?symbols=ABC,NEW&format=csv')).status).toBe(429);
    expect((await ask('/v1/svc/candles?symbols=ABC&format=csv')).status).toBe(200);
  });
});
