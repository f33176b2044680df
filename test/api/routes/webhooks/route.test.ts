import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../../src/api/http/error-types.ts';
import {
  createdWebhookSchema,
  deliveryPageSchema,
  webhookPageSchema,
  webhookSchema,
} from '../../../../src/api/routes/webhooks/schema.ts';
import { EVENT_TYPE_NAMES } from '../../../../src/store/accounts/webhooks/event-record.ts';
import { deliverySchema } from '../../../../src/store/accounts/webhooks/webhook-record.ts';
import { as, sender, useFixtureServer } from '../../support/fixture-server.ts';

const WEBHOOKS = '/v1/svc/webhooks';

const fixture = useFixtureServer();

const send = sender(fixture, WEBHOOKS);

const good = { url: 'https://example.com/hook', events: ['news.published'] };

async function create(body: object = good, headers = {}) {
  const reply = await send('POST', '', body, headers);
  expect(reply.status).toBe(201);
  return createdWebhookSchema.parse(reply.json);
}

const nowIso = () => new Date(fixture.server.clock.nowMs).toISOString();

describe('POST /svc/webhooks', () => {
  it('makes a webhook and shows its secret', async () => {
    const reply = await send('POST', '', good);
    expect(reply.status).toBe(201);
    expect(reply.headers.get('Cache-Control')).toBe('no-store');
    const { id, secret, ...shown } = createdWebhookSchema.parse(reply.json);
    expect(shown).toEqual({
      ...good,
      symbols: null,
      description: null,
      active: true,
      createdAt: nowIso(),
    });
    expect(Object.keys(reply.json as object)).toEqual([
      ...['id', 'url', 'events', 'symbols', 'description', 'active', 'createdAt', 'secret'],
    ]);
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    const again = webhookSchema.parse((await send('GET', `/${id}`)).json);
    expect(again).toEqual({ id, ...shown });
  });

  it('takes symbols in any spelling, each event once, and a screener', async () => {
    const webhook = await create({
      ...good,
      events: [...EVENT_TYPE_NAMES, 'news.published'].slice(0, 11),
      symbols: ['brk-b', 'BRK.B', 'aapl'],
      description: 'two\u2019s company',
      screener: 'price_min=10&sector=Technology',
    });
    expect(webhook).toMatchObject({
      events: EVENT_TYPE_NAMES,
      symbols: ['BRK.B', 'AAPL'],
      description: 'two\u2019s company',
      screener: 'price_min=10&sector=Technology',
    });
    const { accounts } = fixture.server;
    expect(await accounts.screenerWebhooks('live')).toEqual([]);
    expect(await accounts.screenerWebhooks('sandbox')).toMatchObject([
      {
        id: webhook.id,
        matched: undefined,
        screener: {
          filters: [
            { kind: 'range', name: 'price', min: 10, max: Number.POSITIVE_INFINITY },
            { kind: 'text', name: 'sector', accepted: ['technology'] },
          ],
        },
      },
    ]);
  });

  const matched = { ...good, events: ['screener.matched'] };
  it.each([
    ['no address', { events: good.events }, 'url'],
    ['a number as address', { ...good, url: 1 }, 'url'],
    ['http', { ...good, url: 'http://example.com/' }, 'url'],
    ['this machine', { ...good, url: 'https://localhost/' }, 'url'],
    ['a private network', { ...good, url: 'https://0xa000001/' }, 'url'],
    ['credentials', { ...good, url: 'https://a:b@example.com/' }, 'url'],
    ['no events', { url: good.url }, 'events'],
    ['an empty list of events', { ...good, events: [] }, 'events'],
    ['an unknown event', { ...good, events: ['news.published', 'news.deleted'] }, 'events.1'],
    ['an event as text', { ...good, events: 'news.published' }, 'events'],
    ['no symbols', { ...good, symbols: [] }, 'symbols'],
    ['what is no symbol', { ...good, symbols: ['AAPL', 'not a symbol'] }, 'symbols.1'],
    ['a cryptocurrency', { ...good, symbols: ['AAPL', 'BTC-USD'] }, 'symbols.1'],
    ['too many symbols', { ...good, symbols: Array(101).fill('A') }, 'symbols'],
    ['a long description', { ...good, description: 'x'.repeat(501) }, 'description'],
    ['a description that turns its direction', { ...good, description: 'a\u202eb' }, 'description'],
    ['a description with a line break', { ...good, description: 'a\nb' }, 'description'],
    ['a screener that nothing asks for', { ...good, screener: 'price_min=1' }, 'screener'],
    ['no screener', matched, 'screener'],
    ['an empty screener', { ...matched, screener: '' }, 'screener'],
    ['an unknown filter', { ...matched, screener: 'price=1' }, 'screener'],
    ['a wrong filter', { ...matched, screener: 'price_min=x' }, 'screener'],
    ['filters that contradict', { ...matched, screener: 'price_min=2&price_max=1' }, 'screener'],
    ['a page of a screener', { ...matched, screener: 'price_min=2&limit=5' }, 'screener'],
    ['an unknown field', { ...good, active: false }, 'active'],
    ['a secret of one’s own', { ...good, secret: 'whsec_x' }, 'secret'],
  ])('refuses %s with 400 and names it', async (_what, body, name) => {
    const reply = await send('POST', '', body);
    expect(reply.status).toBe(400);
    const { error } = errorSchema.parse(reply.json);
    expect(error.type).toBe('invalid_request_error');
    expect(error.message).toMatch(new RegExp(`^"?${name}"? `));
  });

  it('is 403 if the plan of the account lacks the scope of an event', async () => {
    const { accounts, newKey } = fixture.server;
    const plan = { scopes: ['webhooks:write', 'quotes:read'] as const };
    await accounts.createAccount({ id: 'small', label: 'x', plan: { scopes: [...plan.scopes] } });
    const headers = as(await newKey({ account: 'small' }));
    const reply = await send(
      'POST',
      '',
      { ...good, events: ['data.ready', 'news.published'] },
      headers,
    );
    expect(reply.status).toBe(403);
    expect(errorSchema.parse(reply.json).error.message).toContain('"news:read"');
    await create({ ...good, events: ['data.ready', 'quote.updated'] }, headers);
  });

  it('makes at most 100 of an account in a mode', async () => {
    const headers = as(await fixture.server.newKey({ account: 'many' }));
    for (let i = 0; i < 100; i++) await create(good, headers);
    const reply = await send('POST', '', good, headers);
    expect([reply.status, errorSchema.parse(reply.json).error.message]).toEqual([
      400,
      'account has 100 webhooks in sandbox mode: delete some first',
    ]);
    await create(good, as(await fixture.server.newKey({ account: 'many', mode: 'live' })));
  });

  it('makes nothing new for a repeat with the same Idempotency-Key', async () => {
    const rawKey = await fixture.server.newKey({ account: 'once' });
    const headers = { ...as(rawKey), 'Idempotency-Key': 'a' };
    const first = await create(good, headers);
    const repeat = await send('POST', '', good, headers);
    expect(repeat.headers.get('Idempotent-Replayed')).toBe('true');
    expect(repeat.json).toEqual(first);
    const other = await send('POST', '', { ...good, symbols: ['AAPL'] }, headers);
    expect([other.status, errorSchema.parse(other.json).error.type]).toEqual([
      409,
      'idempotency_error',
    ]);
    const page = webhookPageSchema.parse((await send('GET', '', undefined, headers)).json);
    expect(page.total).toBe(1);
    const bare = first.secret.slice('whsec_'.length);
    for (const name of ['accounts.sqlite', 'accounts.sqlite-wal']) {
      expect(readFileSync(join(fixture.dataDir, name)).includes(bare)).toBe(false);
    }
    expect(JSON.stringify(fixture.server.log)).not.toContain(bare);
  });
});

describe('GET /svc/webhooks', () => {
  it('lists those of the account and mode newest first, by cursors, without secrets', async () => {
    const rawKey = await fixture.server.newKey({ account: 'lists' });
    const headers = as(rawKey);
    await create(good, as(await fixture.server.newKey({ account: 'lists', mode: 'live' })));
    const made = [];
    for (let i = 0; i < 3; i++) made.push(await create({ ...good, description: `${i}` }, headers));
    const page = async (query: string) =>
      webhookPageSchema.parse((await send('GET', query, undefined, headers)).json);
    const first = await page('?limit=2');
    expect(first.data.map(({ description }) => description)).toEqual(['2', '1']);
    expect(first).toMatchObject({ total: 3, has_more: true });
    const second = await page(`?limit=2&cursor=${first.cursor}`);
    expect(second.data.map(({ description }) => description)).toEqual(['0']);
    expect(second).toMatchObject({ total: 3, has_more: false, cursor: null });
    expect(JSON.stringify([first, second])).not.toContain(made[0].secret.slice(6));
  });
});

describe('a webhook', () => {
  it('of another account or mode is as unknown as one that is none', async () => {
    const { newKey, accounts } = fixture.server;
    const headers = as(await newKey({ account: 'mine' }));
    const foreign = [
      (await create(good, as(await newKey({ account: 'theirs' })))).id,
      (await create(good, as(await newKey({ account: 'mine', mode: 'live' })))).id,
    ];
    const ask = [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['GET', '/deliveries'],
    ];
    for (const [method, path] of ask) {
      const replies = await Promise.all(
        [`wh_${'0'.repeat(30)}`, ...foreign].map(async (id) => {
          const reply = await send(method, `/${id}${path}`, undefined, headers);
          const { error } = errorSchema.parse(reply.json);
          return [reply.status, error.type, error.message.replace(id, '{id}')];
        }),
      );
      const expected = [404, 'not_found_error', 'No webhook "{id}" in sandbox mode'];
      expect(replies).toEqual(Array(3).fill(expected));
    }
    expect(await accounts.findWebhook('theirs', 'sandbox', foreign[0])).toBeDefined();
    expect((await accounts.listDeliveryPart(foreign[0], { limit: 1 })).total).toBe(0);
  });

  it('is deleted once', async () => {
    const { id } = await create();
    const reply = await send('DELETE', `/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await send('DELETE', `/${id}`)).status).toBe(404);
    expect((await send('GET', `/${id}`)).status).toBe(404);
  });

  it('that is disabled says why', async () => {
    const { id } = await create();
    await send('POST', `/${id}/test`);
    const { accounts } = fixture.server;
    const claimed = (await accounts.claimDeliveries(1000)).find(
      ({ webhookId }) => webhookId === id,
    );
    expect(claimed).toBeDefined();
    if (!claimed) return;
    const ended = {
      status: 'failed',
      attempts: 1,
      responseStatus: 410,
      error: 'answered 410',
    } as const;
    await accounts.settleDelivery(claimed, { ...ended, nextMs: null, disabledReason: 'gone' });
    expect(webhookSchema.parse((await send('GET', `/${id}`)).json)).toMatchObject({
      active: false,
      disabledAt: nowIso(),
      disabledReason: 'gone',
    });
  });
});

describe('POST /svc/webhooks/{id}/rotate-secret', () => {
  it('gives a new secret each time, and the same for a repeat', async () => {
    const { id, secret } = await create();
    const rotate = async (headers = {}, body?: object) => {
      const reply = await send('POST', `/${id}/rotate-secret`, body, headers);
      expect(reply.status).toBe(200);
      return createdWebhookSchema.parse(reply.json);
    };
    const second = await rotate();
    const third = await rotate({}, {});
    const fourth = await rotate({ 'Idempotency-Key': 'b' });
    const repeat = await rotate({ 'Idempotency-Key': 'b' });
    expect(new Set([secret, second.secret, third.secret, fourth.secret]).size).toBe(4);
    expect(repeat).toEqual(fourth);
    expect(await fixture.server.accounts.webhookSecrets(id)).toEqual([fourth.secret, third.secret]);
    expect((await send('POST', `/${id}/rotate-secret`, { secret: 'x' })).status).toBe(400);
  });

  it('repairs the loss of the key file, and reports a damaged one', async () => {
    const { id } = await create();
    const path = join(fixture.dataDir, 'webhook.key');
    const right = readFileSync(path);
    writeFileSync(path, 'hello');
    const reply = await send('POST', `/${id}/rotate-secret`);
    expect(reply.status).toBe(503);
    expect(errorSchema.parse(reply.json).error.message).toMatch(/^webhook\.key in the data direc/);
    expect((await send('POST', '', good)).status).toBe(503);
    expect((await send('GET', `/${id}`)).status).toBe(200);
    expect((await send('GET', '')).status).toBe(200);
    expect((await send('GET', `/${id}/deliveries`)).status).toBe(200);
    expect((await send('POST', `/${id}/test`)).status).toBe(202);
    rmSync(path);
    expect((await send('POST', `/${id}/rotate-secret`)).status).toBe(200);
    expect(await fixture.server.accounts.webhookSecrets(id)).toHaveLength(1);
    writeFileSync(path, right);
  });
});

describe('POST /svc/webhooks/{id}/test and its deliveries', () => {
  it('sends an event to that webhook alone', async () => {
    const headers = as(await fixture.server.newKey({ account: 'tests' }));
    const { id } = await create(good, headers);
    const other = await create({ ...good, events: ['webhook.test'] }, headers);
    const reply = await send('POST', `/${id}/test`, undefined, headers);
    expect(reply.status).toBe(202);
    const delivery = deliverySchema.parse(reply.json);
    expect(delivery).toMatchObject({
      type: 'webhook.test',
      status: 'pending',
      attempts: 0,
      responseStatus: null,
      error: null,
      nextAttemptAt: nowIso(),
    });
    const deliveries = async (of: string, query = '') =>
      deliveryPageSchema.parse(
        (await send('GET', `/${of}/deliveries${query}`, undefined, headers)).json,
      );
    expect((await deliveries(id)).data).toEqual([delivery]);
    expect((await deliveries(other.id)).total).toBe(0);
    for (let i = 0; i < 2; i++) await send('POST', `/${id}/test`, {}, headers);
    const first = await deliveries(id, '?limit=2');
    expect(first).toMatchObject({ total: 3, has_more: true });
    const second = await deliveries(id, `?limit=2&cursor=${first.cursor}`);
    expect(second.data).toEqual([delivery]);
    const elsewhere = `/${other.id}/deliveries?cursor=${first.cursor}`;
    expect((await send('GET', elsewhere, undefined, headers)).status).toBe(400);
    expect((await send('POST', `/${id}/test`, { x: 1 }, headers)).status).toBe(400);
  });
});

describe('the operator’s setting', () => {
  const inside = useFixtureServer({ webhookPrivate: true });

  it('lets addresses be private', async () => {
    const { request, rawKey } = inside.server;
    const reply = await request(WEBHOOKS, {
      method: 'POST',
      headers: { 'X-API-Key': rawKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...good, url: 'http://127.0.0.1:8080/' }),
    });
    expect(reply.status).toBe(201);
  });
});
