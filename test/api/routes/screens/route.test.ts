import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../../src/api/http/error-types.ts';
import { screenPageSchema, screenSchema } from '../../../../src/api/routes/screens/schema.ts';
import { createdWebhookSchema } from '../../../../src/api/routes/webhooks/schema.ts';
import { limits } from '../../../../src/base/limits.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import type { Reply } from '../../support/test-server.ts';

const SCREENS = '/v1/svc/screens';
const fixture = useFixtureServer();

function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return fixture.server.request(path, {
    method,
    headers: { 'X-API-Key': fixture.server.rawKey, ...type, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
}

const as = (rawKey: string) => ({ 'X-API-Key': rawKey });
const good = { name: 'Large', query: 'price_min=10&sort=volume&order=asc' };

async function save(body: object = good, headers = {}) {
  const reply = await send('POST', SCREENS, body, headers);
  expect([reply.status, reply.text]).toEqual([201, expect.anything()]);
  return screenSchema.parse(reply.json);
}

function messageOf({ json }: Reply): string {
  return errorSchema.parse(json).error.message;
}

describe('POST /svc/screens', () => {
  it('saves a query under a name', async () => {
    const screen = await save();
    const createdAt = new Date(fixture.server.clock.nowMs).toISOString();
    expect(screen).toEqual({ id: screen.id, ...good, createdAt });
    const again = await send('GET', `${SCREENS}/${screen.id}`);
    expect([again.status, again.json]).toEqual([200, screen]);
    expect(again.headers.get('Cache-Control')).toBe('no-store');
  });

  it('saves one screen for a repeated Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'screen-1' };
    expect(await save(good, headers)).toEqual(await save(good, headers));
  });

  it.each([
    ['no name', { query: good.query }, 'name '],
    ['an empty name', { ...good, name: '' }, 'name '],
    ['a name with a line break', { ...good, name: 'a\nb' }, 'name '],
    ['no query', { name: 'x' }, 'query '],
    ['an empty query', { ...good, query: '' }, 'query '],
    ['a long query', { ...good, query: 'x'.repeat(8193) }, 'query '],
    ['an unknown parameter', { ...good, query: 'prise_min=1' }, 'query is invalid: "prise_min"'],
    ['a wrong filter', { ...good, query: 'price_min=x' }, 'query is invalid: price_min must be'],
    ['the limit of a page', { ...good, query: 'limit=5' }, 'query is invalid: "limit"'],
    ['a cursor', { ...good, query: 'cursor=x' }, 'query is invalid: "cursor"'],
    ['a format', { ...good, query: 'format=csv' }, 'query is invalid: "format"'],
    ['an unknown field', { ...good, colour: 'red' }, '"colour" '],
  ])('refuses %s with 400 and names it', async (_what, body, start) => {
    const reply = await send('POST', SCREENS, body);
    expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining(start)]);
    expect(messageOf(reply).startsWith(start)).toBe(true);
  });

  it('needs the scope screens:write', async () => {
    const headers = as(fixture.server.newKey({ scopes: ['fundamentals:read'] }));
    const reply = await send('POST', SCREENS, good, headers);
    expect([reply.status, messageOf(reply)]).toEqual([
      403,
      'API key lacks the scope "screens:write" that this path needs',
    ]);
    const { id } = await save();
    expect((await send('DELETE', `${SCREENS}/${id}`, undefined, headers)).status).toBe(403);
    expect((await send('GET', `${SCREENS}/${id}`, undefined, headers)).status).toBe(200);
  });

  it('saves a bounded number of an account in a mode', async () => {
    const { accounts, newKey } = fixture.server;
    const headers = as(newKey({ account: 'many' }));
    const { perAccountMax } = limits.savedScreen;
    for (let i = 0; i < perAccountMax; i++) {
      accounts.createScreen({ account: 'many', mode: 'sandbox', ...good });
    }
    const reply = await send('POST', SCREENS, good, headers);
    expect([reply.status, messageOf(reply)]).toEqual([
      400,
      `account has ${perAccountMax} saved screens in sandbox mode: delete some first`,
    ]);
  });
});

describe('GET /svc/screens', () => {
  it('lists the screens of the account and mode, newest first, over pages', async () => {
    const headers = as(fixture.server.newKey({ account: 'lister' }));
    const saved: unknown[] = [];
    for (const name of ['a', 'b', 'c']) saved.unshift(await save({ ...good, name }, headers));
    const list = async (query: string, own = headers) =>
      screenPageSchema.parse((await send('GET', `${SCREENS}?${query}`, undefined, own)).json);
    const first = await list('limit=2');
    expect([first.data, first.total]).toEqual([saved.slice(0, 2), 3]);
    const second = await list(`limit=2&cursor=${first.cursor}`);
    expect([second.data, second.has_more]).toEqual([saved.slice(2), false]);
    const live = as(fixture.server.newKey({ account: 'lister', mode: 'live' }));
    expect((await list('', live)).data).toEqual([]);
  });
});

describe('a saved screen', () => {
  it('is unknown to other accounts and modes, and once it is deleted', async () => {
    const { newKey } = fixture.server;
    const { id } = await save();
    const path = `${SCREENS}/${id}`;
    for (const key of [newKey({ account: 'other' }), newKey({ mode: 'live' })]) {
      for (const method of ['GET', 'DELETE']) {
        const reply = await send(method, path, undefined, as(key));
        expect([reply.status, messageOf(reply)]).toEqual([
          404,
          expect.stringMatching(/^No saved screen "scr_[0-9a-f]+" in (live|sandbox) mode$/),
        ]);
      }
    }
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('DELETE', path)).status).toBe(404);
    expect((await send('GET', path)).status).toBe(404);
  });
});

describe('a webhook of a saved screen', () => {
  const hook = { url: 'https://example.com/hook', events: ['screener.matched'] };

  it('has its query, and keeps it when the screen is deleted', async () => {
    const screen = await save();
    const reply = await send('POST', '/v1/svc/webhooks', { ...hook, screen: screen.id });
    expect(reply.status).toBe(201);
    const webhook = createdWebhookSchema.parse(reply.json);
    expect(webhook).toMatchObject({ screener: good.query, screen: screen.id });
    const path = `/v1/svc/webhooks/${webhook.id}`;
    const shown = (await send('GET', path)).json;
    expect(shown).toMatchObject({ screener: good.query, screen: screen.id });
    await send('DELETE', `${SCREENS}/${screen.id}`);
    const left = (await send('GET', path)).json;
    expect(left).toMatchObject({ screener: good.query });
    expect(left).not.toHaveProperty('screen');
    const [found] = fixture.server.accounts
      .screenerWebhooks('sandbox')
      .filter(({ id }) => id === webhook.id);
    expect(found).toMatchObject({ screen: null, screener: { query: good.query } });
  });

  it.each([
    ['an unknown screen', { ...hook, screen: 'scr_none' }, 'screen must be the id of a saved'],
    ['an empty id', { ...hook, screen: '' }, 'screen must be the id of a saved screen'],
    [
      'a screen and a screener',
      { ...hook, screen: 'scr_none', screener: 'price_min=1' },
      'screen must not be set with screener',
    ],
    [
      'a screen without its event',
      { ...hook, events: ['data.ready'], screen: 'scr_none' },
      'screen must not be set without the event screener.matched',
    ],
    ['neither', hook, 'screener or screen is required with the event screener.matched'],
  ])('refuses %s with 400', async (_what, body, message) => {
    const reply = await send('POST', '/v1/svc/webhooks', body);
    expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining(message)]);
  });

  it('can not name the screen of another account', async () => {
    const { id } = await save();
    const headers = as(fixture.server.newKey({ account: 'stranger' }));
    const reply = await send('POST', '/v1/svc/webhooks', { ...hook, screen: id }, headers);
    expect(reply.status).toBe(400);
  });
});
