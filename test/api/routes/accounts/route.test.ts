import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../../src/api/http/error-types.ts';
import { accountPageSchema, accountSchema } from '../../../../src/api/routes/accounts/schema.ts';
import { createdKeySchema, keyPageSchema } from '../../../../src/api/routes/keys/schema.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';

const ACCOUNTS = '/v1/svc/accounts';

const fixture = useFixtureServer();

let operatorKey: string | undefined;

async function operator(): Promise<string> {
  operatorKey ??= await fixture.server.newKey({
    account: 'operator',
    scopes: ['all', 'accounts:write'],
  });
  return operatorKey;
}

async function ask(
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  return fixture.server.request(path, {
    method,
    headers: { 'X-API-Key': await operator(), 'Content-Type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });
}

async function create(body: object) {
  const reply = await ask('POST', ACCOUNTS, body);
  expect(reply.status).toBe(201);
  return accountSchema.parse(reply.json);
}

const quoteStatus = async (rawKey: string) =>
  (await fixture.server.request('/v1/svc/quotes/ABC', { headers: { 'X-API-Key': rawKey } })).status;

describe('accounts', () => {
  it('are made with a plan, read, listed and changed', async () => {
    const plan = {
      rateLimit: { requests: 10, windowSeconds: 1 },
      tokensPerDay: 1000,
      scopes: ['quotes:read', 'news:read'],
      keyExpiryDays: 90,
    };
    const made = await create({ id: 'acme', label: 'Acme', plan });
    expect(made).toEqual({
      id: 'acme',
      label: 'Acme',
      plan,
      suspended: false,
      createdAt: new Date(fixture.server.clock.nowMs).toISOString(),
      suspendedAt: null,
    });
    expect((await ask('GET', `${ACCOUNTS}/acme`)).json).toEqual(made);
    const page = accountPageSchema.parse((await ask('GET', `${ACCOUNTS}?limit=1`)).json);
    expect(page.data).toEqual([made]);
    expect(page.has_more).toBe(true);
    const next = await ask('GET', `${ACCOUNTS}?limit=1&cursor=${page.cursor}`);
    expect(accountPageSchema.parse(next.json).data[0].id).not.toBe('acme');
    const change = { label: 'Acme Inc', plan: { tokensPerDay: null } };
    const changed = await ask('PATCH', `${ACCOUNTS}/acme`, change);
    expect(changed.json).toEqual({
      ...made,
      label: 'Acme Inc',
      plan: { ...plan, tokensPerDay: null },
    });
  });

  it('have no bounds unless the plan says so, and a random id', async () => {
    const { id, plan } = await create({ label: 'x' });
    expect(id).toMatch(/^acct_/);
    expect(plan).toEqual({
      rateLimit: null,
      tokensPerDay: null,
      scopes: null,
      keyExpiryDays: null,
    });
  });

  it('are made once for an Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const replies = [1, 2].map(() => ask('POST', ACCOUNTS, { label: 'once' }, headers));
    const [first] = await Promise.all(replies);
    const again = await ask('POST', ACCOUNTS, { label: 'once' }, headers);
    const made = [first, again].map(({ json }) => accountSchema.safeParse(json).data?.id);
    expect(again.status).toBe(201);
    expect(made.filter((id) => id !== undefined && id !== made[1])).toEqual([]);
  });

  it.each([
    ['POST', '', { id: 'operator', label: 'x' }, 'id'],
    ['POST', '', { id: 'a/b', label: 'x' }, 'id'],
    ['POST', '', {}, 'label'],
    ['POST', '', { label: 'x', plan: { scopes: [] } }, 'plan.scopes'],
    ['POST', '', { label: 'x', plan: { scopes: ['all'] } }, 'plan.scopes.0'],
    ['POST', '', { label: 'x', plan: { tokensPerDay: -1 } }, 'plan.tokensPerDay'],
    [
      'POST',
      '',
      { label: 'x', plan: { rateLimit: { requests: 1 } } },
      'plan.rateLimit.windowSeconds',
    ],
    ['POST', '', { label: 'x', plan: { keyExpiryDays: 0.5 } }, 'plan.keyExpiryDays'],
    ['POST', '', { label: 'x', plan: { limit: 5 } }, '"plan.limit"'],
    ['PATCH', '/default', { suspended: 'yes' }, 'suspended'],
    ['PATCH', '/default', { id: 'x' }, '"id"'],
    ['PATCH', '/operator', { suspended: true }, 'suspended'],
  ])('%s%s refuses %j', async (method, path, body, name) => {
    const reply = await ask(method, ACCOUNTS + path, body);
    expect(reply.status).toBe(400);
    expect(errorSchema.parse(reply.json).error.message.split(' ')[0]).toBe(name);
  });
});

describe('a suspended account', () => {
  it('is 403 within a second, also for its new keys, until it is free again', async () => {
    const { id } = await create({ label: 'x' });
    const rawKey = await fixture.server.newKey({ account: id });
    expect(await quoteStatus(rawKey)).toBe(200);
    const suspended = await ask('PATCH', `${ACCOUNTS}/${id}`, { suspended: true });
    expect(suspended.json).toMatchObject({ suspended: true });
    fixture.server.clock.nowMs += 1000;
    expect(await quoteStatus(rawKey)).toBe(403);
    expect(await quoteStatus(await fixture.server.newKey({ account: id }))).toBe(403);
    await ask('PATCH', `${ACCOUNTS}/${id}`, { suspended: false });
    fixture.server.clock.nowMs += 1000;
    expect(await quoteStatus(rawKey)).toBe(200);
  });
});

describe('the plan of an account', () => {
  it('takes scopes from keys that exist within a second', async () => {
    const { id } = await create({ label: 'x' });
    const rawKey = await fixture.server.newKey({ account: id });
    expect(await quoteStatus(rawKey)).toBe(200);
    await ask('PATCH', `${ACCOUNTS}/${id}`, { plan: { scopes: ['news:read'] } });
    fixture.server.clock.nowMs += 1000;
    expect(await quoteStatus(rawKey)).toBe(403);
  });

  it('limits each of its keys', async () => {
    const plan = { rateLimit: { requests: 2, windowSeconds: 60 } };
    const { id } = await create({ label: 'x', plan });
    const key = { account: id, limit: undefined };
    const keys = [await fixture.server.newKey(key), await fixture.server.newKey(key)];
    for (const rawKey of keys) {
      const statuses = [];
      for (let i = 0; i < 3; i++) statuses.push(await quoteStatus(rawKey));
      expect(statuses).toEqual([200, 200, 429]);
    }
  });
});

describe('keys of an account', () => {
  it('are made, listed and revoked by the operator, in the mode of the operator’s key', async () => {
    const { id } = await create({ label: 'x', plan: { scopes: ['quotes:read', 'news:read'] } });
    const keys = `${ACCOUNTS}/${id}/keys`;
    const key = createdKeySchema.parse(
      (await ask('POST', keys, { label: 'first', scopes: ['quotes:read'] })).json,
    );
    expect(key.rawKey).toMatch(/^svc_test_/);
    expect(await quoteStatus(key.rawKey)).toBe(200);
    const outside = await ask('POST', keys, { label: 'x', scopes: ['etf:read'] });
    expect(outside.status).toBe(400);
    expect(keyPageSchema.parse((await ask('GET', keys)).json).data.map((row) => row.id)).toEqual([
      key.id,
    ]);
    expect((await ask('DELETE', `${ACCOUNTS}/default/keys/${key.id}`)).status).toBe(404);
    expect((await ask('DELETE', `${keys}/${key.id}`)).status).toBe(204);
    fixture.server.clock.nowMs += 1000;
    expect(await quoteStatus(key.rawKey)).toBe(401);
  });

  it('have no more scopes than the operator’s own key', async () => {
    const limited = await fixture.server.newKey({ scopes: ['accounts:write', 'news:read'] });
    const body = { label: 'x', scopes: ['quotes:read'] };
    const headers = { 'X-API-Key': limited };
    expect((await ask('POST', `${ACCOUNTS}/default/keys`, body, headers)).status).toBe(403);
  });
});
