import { describe, expect, it } from 'vitest';
import {
  screenerErrorSchema,
  screenerPageSchema,
} from '../../../../src/api/routes/screener/schema.ts';
import { screenPageSchema, screenSchema } from '../../../../src/api/routes/screens/schema.ts';
import { createdWebhookSchema } from '../../../../src/api/routes/webhooks/schema.ts';
import { limits } from '../../../../src/base/limits.ts';
import { as, sender, useFixtureServer } from '../../support/fixture-server.ts';
import type { Reply } from '../../support/test-server.ts';

const SCREENS = '/v1/svc/screens';
const fixture = useFixtureServer();

const send = sender(fixture);
const good = { name: 'Large', query: 'price_min=10&sort=volume&order=asc' };

async function save(body: object = good, headers = {}) {
  const reply = await send('POST', SCREENS, body, headers);
  expect([reply.status, reply.text]).toEqual([201, expect.anything()]);
  return screenSchema.parse(reply.json);
}

function messageOf({ json }: Reply): string {
  return screenerErrorSchema.parse(json).error.message;
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
    ['a past day', { ...good, query: 'as_of=2026-01-02' }, 'query is invalid: "as_of"'],
    ['an explanation', { ...good, query: 'explain=true' }, 'query is invalid: "explain"'],
    ['an unknown name', { ...good, query: 'where=close > smaa(2)' }, 'query is invalid: where: '],
    ['a wrong column', { ...good, query: 'columns=close,' }, 'query is invalid: columns: '],
    ['a wrong sort', { ...good, query: 'sort=sektor' }, 'query is invalid: sort: '],
    ['an unknown field', { ...good, colour: 'red' }, '"colour" '],
  ])('refuses %s with 400 and names it', async (_what, body, start) => {
    const reply = await send('POST', SCREENS, body);
    expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringContaining(start)]);
    expect(messageOf(reply).startsWith(start)).toBe(true);
  });

  it('says where an expression is wrong', async () => {
    const query = 'price_min=1&where=close > smaa(200)';
    const reply = await send('POST', SCREENS, { name: 'x', query });
    expect(reply.json).toMatchObject({
      error: {
        message: expect.stringMatching(/^query is invalid: where: .* at position 9, got "smaa"/),
      },
      expression: { field: 'where', position: 9, nearest: 'sma' },
    });
  });

  it('needs the scope screens:write', async () => {
    const headers = as(await fixture.server.newKey({ scopes: ['fundamentals:read'] }));
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
    const headers = as(await newKey({ account: 'many' }));
    const { perAccountMax } = limits.savedScreen;
    for (let i = 0; i < perAccountMax; i++) {
      await accounts.createScreen({ account: 'many', mode: 'sandbox', ...good });
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
    const headers = as(await fixture.server.newKey({ account: 'lister' }));
    const saved: unknown[] = [];
    for (const name of ['a', 'b', 'c']) saved.unshift(await save({ ...good, name }, headers));
    const list = async (query: string, own = headers) =>
      screenPageSchema.parse((await send('GET', `${SCREENS}?${query}`, undefined, own)).json);
    const first = await list('limit=2');
    expect([first.data, first.total]).toEqual([saved.slice(0, 2), 3]);
    const second = await list(`limit=2&cursor=${first.cursor}`);
    expect([second.data, second.has_more]).toEqual([saved.slice(2), false]);
    const live = as(await fixture.server.newKey({ account: 'lister', mode: 'live' }));
    expect((await list('', live)).data).toEqual([]);
  });
});

describe('a saved screen', () => {
  it('is unknown to other accounts and modes, and once it is deleted', async () => {
    const { newKey } = fixture.server;
    const { id } = await save();
    const path = `${SCREENS}/${id}`;
    for (const key of [await newKey({ account: 'other' }), await newKey({ mode: 'live' })]) {
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

describe('GET /svc/screens/{id}/rows', () => {
  const query = 'where=close < 2 * sma(5)&columns=close - sma(5)&sort=close - sma(5)';
  const rowsOf = (id: string, more = '') => send('GET', `${SCREENS}/${id}/rows${more}`);
  const screened = (more = '') => {
    const asked = encodeURI(`${query}${more}`).replaceAll('+', '%2B');
    return send('GET', `/v1/svc/screener?${asked}`);
  };
  const textOf = async (reply: Promise<Reply>) => {
    const { status, text } = await reply;
    expect([status, text]).toEqual([200, text]);
    return text;
  };

  it('responds as the screener does to the saved query, in every format', async () => {
    const { id } = await save({ ...good, query });
    expect(screenerPageSchema.parse((await rowsOf(id)).json).data.length).toBeGreaterThan(1);
    for (const more of ['', 'format=csv', 'as_of=2026-01-02', 'explain=true&limit=2']) {
      const text = await textOf(rowsOf(id, `?${more}`));
      expect(text.replace(/"cursor":"[^"]+"/g, '')).toBe(
        (await textOf(screened(`&${more}`))).replace(/"cursor":"[^"]+"/g, ''),
      );
    }
  });

  it('walks over pages', async () => {
    const { id } = await save({ ...good, query });
    const symbols: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const place = cursor === '' ? '' : `&cursor=${cursor}`;
      const { json } = await rowsOf(id, `?limit=1${place}`);
      const page = screenerPageSchema.parse(json);
      symbols.push(...page.data.map(({ symbol }) => symbol));
      cursor = page.cursor;
    }
    const { data } = screenerPageSchema.parse((await rowsOf(id)).json);
    expect(symbols).toEqual(data.map(({ symbol }) => symbol));
    expect(symbols.length).toBeGreaterThan(1);
  });

  it('takes symbols on top, once', async () => {
    const { id } = await save({ ...good, query: 'where=close > 0' });
    const { data } = screenerPageSchema.parse((await rowsOf(id)).json);
    const [{ symbol }] = data;
    const one = screenerPageSchema.parse((await rowsOf(id, `?symbols=${symbol}`)).json);
    expect(one.data.map((row) => row.symbol)).toEqual([symbol]);
    const own = await save({ ...good, query: `symbols=${symbol}` });
    const reply = await rowsOf(own.id, `?symbols=${symbol}`);
    expect([reply.status, messageOf(reply)]).toEqual([
      400,
      'symbols must be given once, got it repeated',
    ]);
  });

  it.each([
    ['where=close > 1', '"where" is not a parameter of this path'],
    ['limit=0', 'limit must be an integer from 1 to 200, got "0"'],
    ['sort=price', '"sort" is not a parameter of this path'],
  ])('refuses %s on top with 400', async (more, message) => {
    const { id } = await save();
    const reply = await rowsOf(id, `?${encodeURI(more)}`);
    expect([reply.status, messageOf(reply)]).toEqual([400, message]);
  });

  it('costs as much as the screener, and is unknown to other accounts', async () => {
    const { newKey, accounts } = fixture.server;
    const mine = as(await newKey({ account: 'payer' }));
    const plain = await save(good, mine);
    const expression = await save({ ...good, query }, mine);
    const before = await accounts.findAccount('payer');
    expect(before).toBeDefined();
    for (const { id } of [plain, expression]) {
      const path = `${SCREENS}/${id}/rows`;
      expect((await send('GET', path, undefined, mine)).status).toBe(200);
      expect((await send('GET', path)).status).toBe(404);
    }
    fixture.server.writeCounts();
    const day = Math.floor(fixture.server.clock.nowMs / 86_400_000);
    const usage = await accounts.dailyUsage({
      ...{ mode: 'sandbox', account: 'payer', fromDay: day, toDay: day, rowsMax: 10 },
    });
    const rows = usage.find(({ endpoint }) => endpoint === '/svc/screens/{id}/rows');
    expect(rows).toMatchObject({ callCount: 2, tokensUsed: 15 });
  });
});

describe('a webhook with an expression', () => {
  const hook = { url: 'https://example.com/hook', events: ['screener.matched'] };

  it('has what a publish evaluates', async () => {
    const screener = 'where=close > sma(5)&price_min=1&symbols=aapl,MSFT';
    const reply = await send('POST', '/v1/svc/webhooks', { ...hook, screener });
    const { id } = createdWebhookSchema.parse(reply.json);
    const webhooks = await fixture.server.accounts.screenerWebhooks('sandbox');
    const [found] = webhooks.filter((webhook) => webhook.id === id);
    expect(found.screener).toMatchObject({
      query: screener,
      where: 'close > sma(5)',
      symbols: ['AAPL', 'MSFT'],
      filters: [{ kind: 'range', name: 'price', min: 1 }],
    });
  });

  it.each([
    ['a wrong one', 'where=close > smaa(5)', /^screener is invalid: where: .*position 9/],
    ['columns', 'columns=close', /^screener is invalid: "columns" is not a parameter/],
  ])('is refused with %s', async (_what, screener, message) => {
    const reply = await send('POST', '/v1/svc/webhooks', { ...hook, screener });
    expect([reply.status, messageOf(reply)]).toEqual([400, expect.stringMatching(message)]);
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
    const webhooks = await fixture.server.accounts.screenerWebhooks('sandbox');
    const [found] = webhooks.filter(({ id }) => id === webhook.id);
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
    const headers = as(await fixture.server.newKey({ account: 'stranger' }));
    const reply = await send('POST', '/v1/svc/webhooks', { ...hook, screen: id }, headers);
    expect(reply.status).toBe(400);
  });
});

describe('a study of a saved screen', () => {
  const study = (query: Record<string, string>) =>
    send('GET', `/v1/svc/study?${new URLSearchParams({ horizons: '1', ...query })}`);

  it('has its condition in place of where', async () => {
    const where = 'close > open';
    const { id } = await save({ name: 'Up', query: `where=${where}&sort=volume` });
    const saved = await study({ screen: id });
    expect(saved.status).toBe(200);
    expect(saved.json).toEqual((await study({ where })).json);
  });

  it('needs a screen with a condition and without filters', async () => {
    const { id } = await save();
    const messages = [{ screen: id }, { screen: 'none' }, { screen: id, where: 'close > 1' }];
    expect(
      await Promise.all(messages.map(async (query) => messageOf(await study(query as never)))),
    ).toEqual([
      'screen has filters, which are of today: save a screen that has them in where',
      expect.stringContaining('screen must be the id of a saved screen in'),
      'screen must not be given with where',
    ]);
  });
});
