import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../../src/api/http/error-types.ts';
import { createdKeySchema, keyPageSchema } from '../../../../src/api/routes/keys/schema.ts';
import { SCOPE_NAMES } from '../../../../src/store/accounts/keys/scopes.ts';
import { as, sender, useFixtureServer } from '../../support/fixture-server.ts';

const KEYS = '/v1/svc/developer/keys';

const fixture = useFixtureServer();

const send = sender(fixture);

async function create(body: object, headers = {}) {
  const reply = await send('POST', KEYS, body, headers);
  expect(reply.status).toBe(201);
  return createdKeySchema.parse(reply.json);
}

const good = { label: 'laptop', scopes: ['quotes:read'] };

describe('POST /svc/developer/keys', () => {
  it('makes a key of the caller’s account and mode, which works at once', async () => {
    const caller = await fixture.server.newKey({ account: 'acme', mode: 'sandbox' });
    const reply = await send('POST', KEYS, good, as(caller));
    expect(reply.status).toBe(201);
    expect(reply.headers.get('Cache-Control')).toBe('no-store');
    const key = createdKeySchema.parse(reply.json);
    expect(key).toMatchObject({ label: 'laptop', scopes: ['quotes:read'] });
    expect(key.rawKey).toMatch(/^svc_test_[0-9A-Za-z]{33}$/);
    expect(key.keyPrefix).toBe(key.rawKey.slice(0, 12));
    expect(fixture.server.accounts.findKey(key.rawKey)).toMatchObject({ account: 'acme' });
    const quote = await fixture.server.request('/v1/svc/quotes/ABC', { headers: as(key.rawKey) });
    expect(quote.status).toBe(200);
    expect((await send('GET', KEYS, undefined, as(key.rawKey))).status).toBe(403);
  });

  it('gives a limit of the caller’s own to the new key, and none where it has none', async () => {
    const limitOf = async (limit: { requests: number; windowS: number } | null | undefined) => {
      const caller = await fixture.server.newKey({ limit });
      const { rawKey } = createdKeySchema.parse((await send('POST', KEYS, good, as(caller))).json);
      return fixture.server.accounts.findKey(rawKey)?.limit;
    };
    expect(await limitOf({ requests: 10, windowS: 60 })).toEqual({ requests: 10, windowS: 60 });
    expect(await limitOf(undefined)).toBeUndefined();
    expect(await limitOf(null)).toBeUndefined();
  });

  it('takes all for every scope but ingest:write and accounts:write', async () => {
    const { scopes } = await create({ label: 'x', scopes: ['all', 'news:read'] });
    expect(scopes).toEqual(
      SCOPE_NAMES.filter((scope) => !['ingest:write', 'accounts:write'].includes(scope)),
    );
  });

  it.each([
    [['quotes:read', 'news:read'], 'news:read'],
    [['all'], 'fundamentals:read'],
    [['accounts:write'], 'accounts:write'],
  ])('refuses scopes %j that the caller lacks with 403', async (scopes, missing) => {
    const caller = await fixture.server.newKey({ scopes: ['quotes:read', 'developer:write'] });
    const reply = await send('POST', KEYS, { ...good, scopes }, as(caller));
    expect(reply.status).toBe(403);
    const { error } = errorSchema.parse(reply.json);
    expect(error).toMatchObject({ type: 'permission_error' });
    expect(error.message).toContain(`"${missing}"`);
  });

  it.each([
    ['an unknown scope', { ...good, scopes: ['quotes:read', 'quotes:write'] }, 'scopes.1'],
    ['a scope twice as often as there are', { ...good, scopes: Array(99).fill('all') }, 'scopes'],
    ['no scope', { ...good, scopes: [] }, 'scopes'],
    ['scopes as text', { ...good, scopes: 'all' }, 'scopes'],
    ['no scopes', { label: 'x' }, 'scopes'],
    ['no label', { scopes: ['all'] }, 'label'],
    ['an empty label', { ...good, label: '' }, 'label'],
    ['a long label', { ...good, label: 'x'.repeat(101) }, 'label'],
    ['a label with a line break', { ...good, label: 'a\nb' }, 'label'],
    ['a number as label', { ...good, label: 1 }, 'label'],
    ['an unknown field', { ...good, mode: 'live' }, 'mode'],
    ['a prototype', '{"label":"x","scopes":["all"],"__proto__":{}}', '__proto__'],
    ['null', 'null', 'body'],
    ['a list', [], 'body'],
    ['no JSON', '{', 'body'],
    ['nothing', '', 'body'],
  ])('refuses %s with 400 and names it', async (_what, body, name) => {
    const reply = await send('POST', KEYS, body);
    expect(reply.status).toBe(400);
    const { error } = errorSchema.parse(reply.json);
    expect(error.type).toBe('invalid_request_error');
    expect(error.message).toMatch(new RegExp(`^"?${name}"? `));
  });
});

describe('GET /svc/developer/keys', () => {
  const listed = async (rawKey: string, query = '') => {
    fixture.server.writeCounts();
    const reply = await send('GET', KEYS + query, undefined, as(rawKey));
    expect(reply.status).toBe(200);
    return keyPageSchema.parse(reply.json);
  };

  it('lists keys of the account and mode newest first, revoked ones too, without secrets', async () => {
    const rawKey = await fixture.server.newKey({ account: 'lists', label: 'first' });
    await fixture.server.newKey({ account: 'lists', mode: 'live' });
    await fixture.server.newKey({ account: 'stranger' });
    const second = await create({ ...good, label: 'second' }, as(rawKey));
    await send('DELETE', `${KEYS}/${second.id}`, undefined, as(rawKey));
    const page = await listed(rawKey);
    expect(page.data.map(({ label }) => label)).toEqual(['second', 'first']);
    expect(page).toMatchObject({ total: 2, has_more: false, cursor: null });
    const { rawKey: _secret, ...shown } = second;
    expect(page.data[0]).toEqual({
      ...shown,
      lastUsedAt: null,
      revokedAt: new Date(fixture.server.clock.nowMs).toISOString(),
    });
    expect(page.data[1].lastUsedAt).toBe(new Date(fixture.server.clock.nowMs).toISOString());
    expect(JSON.stringify(page)).not.toContain(rawKey);
  });

  it('goes on by cursors, which are of the account and mode', async () => {
    const rawKey = await fixture.server.newKey({ account: 'walks', label: '0' });
    for (const label of ['1', '2', '3', '4'])
      await fixture.server.newKey({ account: 'walks', label });
    const first = await listed(rawKey, '?limit=2');
    expect(first.data.map(({ label }) => label)).toEqual(['4', '3']);
    await fixture.server.newKey({ account: 'walks', label: 'new' });
    const second = await listed(rawKey, `?limit=2&cursor=${first.cursor}`);
    expect(second.data.map(({ label }) => label)).toEqual(['2', '1']);
    const third = await listed(rawKey, `?limit=2&cursor=${second.cursor}`);
    expect(third.data.map(({ label }) => label)).toEqual(['0']);
    expect(third).toMatchObject({ total: 6, cursor: null });
    for (const key of [{ account: 'walks', mode: 'live' as const }, { account: 'other' }]) {
      const query = `?cursor=${first.cursor}`;
      const reply = await send(
        'GET',
        KEYS + query,
        undefined,
        as(await fixture.server.newKey(key)),
      );
      expect(reply.status).toBe(400);
    }
  });

  it('shows when a key expires', async () => {
    const { accounts } = fixture.server;
    await accounts.createAccount({ id: 'ends', label: 'x', plan: { keyDays: 1 } });
    const rawKey = await fixture.server.newKey({ account: 'ends' });
    const expiresAt = new Date(fixture.server.clock.nowMs + 86_400_000).toISOString();
    expect((await listed(rawKey)).data[0].expiresAt).toBe(expiresAt);
  });
});

describe('DELETE /svc/developer/keys/{keyId}', () => {
  it('revokes a key, within a second for every request, and again without effect', async () => {
    const key = await create(good);
    for (let i = 0; i < 2; i++) {
      const reply = await send('DELETE', `${KEYS}/${key.id}`);
      expect([reply.status, reply.text]).toEqual([204, '']);
    }
    fixture.server.clock.nowMs += 1000;
    const reply = await send('GET', '/v1/svc/quotes/ABC', undefined, as(key.rawKey));
    expect(reply.status).toBe(401);
  });

  it('responds to a foreign id exactly as to an unknown one', async () => {
    const caller = await fixture.server.newKey({ account: 'mine' });
    const { accounts } = fixture.server;
    const foreign = [
      { mode: 'sandbox', account: 'stranger' },
      { mode: 'live', account: 'mine' },
    ] as const;
    const ids: string[] = [];
    for (const key of foreign) {
      ids.push((await accounts.createKey({ ...key, label: 'x', scopes: ['all'] })).id);
    }
    const unknown = `key_${'x'.repeat(20)}`;
    const replies = await Promise.all(
      [unknown, ...ids].map(async (id) => {
        const reply = await send('DELETE', `${KEYS}/${id}`, undefined, as(caller));
        const { error } = errorSchema.parse(reply.json);
        return [reply.status, error.type, error.message.replace(id, '{id}')];
      }),
    );
    expect(replies).toEqual(
      Array(3).fill([404, 'not_found_error', 'No key "{id}" in sandbox mode']),
    );
    expect((await accounts.listKeys('stranger')).every(({ revokedAt }) => revokedAt === null)).toBe(
      true,
    );
  });
});

describe('a key with an end', () => {
  it('is 401 from then on', async () => {
    const { accounts, clock } = fixture.server;
    await accounts.createAccount({ id: 'short', label: 'x', plan: { keyDays: 1 } });
    const rawKey = await fixture.server.newKey({ account: 'short' });
    const status = async () =>
      (await send('GET', '/v1/svc/quotes/ABC', undefined, as(rawKey))).status;
    expect(await status()).toBe(200);
    clock.nowMs += 86_399_999;
    expect(await status()).toBe(200);
    clock.nowMs += 1;
    const reply = await send('GET', '/v1/svc/quotes/ABC', undefined, as(rawKey));
    expect(reply.status).toBe(401);
    expect(errorSchema.parse(reply.json).error.message).toBe('API key has expired');
  });
});
