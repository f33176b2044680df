import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  screenerErrorSchema,
  screenerPageSchema,
} from '../../../../src/api/routes/screener/schema.ts';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import { limits } from '../../../../src/base/limits.ts';
import { dateFromDay } from '../../../../src/base/time/dates.ts';
import { useFixtureServer, useOwnServers } from '../../support/fixture-server.ts';
import { LAST_DAY, NOW_MS } from '../../support/market-fixture.ts';
import { type Company, publishCompanies } from '../../support/screener-market.ts';
import type { Reply } from '../../support/test-server.ts';

const COMPANIES: Company[] = [
  {
    symbol: 'DDD',
    companyName: 'Delta, "D" Inc.',
    price: 40,
    volume: 400.6,
    marketCap: 4e9,
    peRatio: 8,
    dividendYield: 0.04,
    changePct: -4,
    rsi14: 40,
    sector: 'Energy',
    industry: 'Oil & Gas Midstream',
    country: 'US',
    exchange: 'NYSE',
  },
  { symbol: 'AAA', price: 10, volume: 100, sector: 'Technology', country: 'DE', day: LAST_DAY - 9 },
  { symbol: 'CCC', price: 30, volume: 300, marketCap: 2e9, changePct: 3, exchange: 'AMEX' },
  {
    symbol: 'BBB',
    price: 20,
    volume: 300,
    marketCap: 2e9,
    peRatio: 20,
    rsi14: 70,
    sector: 'Technology',
    exchange: 'NASDAQ',
  },
];

const publishAll = (folder: string) => publishCompanies(folder, COMPANIES);
const fixture = useFixtureServer({}, publishAll);

const ask = (query: string): Promise<Reply> => fixture.server.get(`/v1/svc/screener?${query}`);

type Page = z.infer<typeof screenerPageSchema>;

function pageOf(reply: Reply): Page {
  expect(reply.status).toBe(200);
  const page = screenerPageSchema.parse(reply.json);
  expect(page.page_info.totalCount).toBe(page.total);
  if (page.page_info.hasNext) expect(page.page_info.cursor).toBe(page.cursor);
  return page;
}

const symbolsOf = (page: Page): string => page.data.map(({ symbol }) => symbol).join(' ');

async function screened(query: string): Promise<string> {
  const page = pageOf(await ask(query));
  expect(page.total).toBe(page.data.length);
  return symbolsOf(page);
}

async function refusal(query: string): Promise<string> {
  const { status, json } = await ask(query);
  expect(status).toBe(400);
  return screenerErrorSchema.parse(json).error.message;
}

describe('GET /svc/screener', () => {
  it('has every field, null where unknown, of the greatest market cap first', async () => {
    const { data } = pageOf(await ask(''));
    expect(data.map(({ symbol }) => symbol)).toEqual(['DDD', 'BBB', 'CCC', 'AAA']);
    expect(data[0]).toEqual({
      symbol: 'DDD',
      companyName: 'Delta, "D" Inc.',
      price: 40,
      changePct: -4,
      marketCap: 4e9,
      peRatio: 8,
      dividendYield: 0.04,
      sector: 'Energy',
      industry: 'Oil & Gas Midstream',
      volume: 400.6,
      rsi14: 40,
    });
    expect(data[3]).toMatchObject({ companyName: null, marketCap: null, industry: null });
  });

  it.each([
    ['market_cap_min=2e9', 'DDD BBB CCC'],
    ['market_cap_max=3000000000', 'BBB CCC'],
    ['pe_ratio_min=8&pe_ratio_max=19.5', 'DDD'],
    ['dividend_yield_min=0', 'DDD'],
    ['volume_min=300', 'DDD BBB CCC'],
    ['price_min=20&price_max=30', 'BBB CCC'],
    ['change_pct_min=-5&change_pct_max=0', 'DDD'],
    ['rsi14_min=40.5', 'BBB'],
    ['rsi14_max=70', 'DDD BBB'],
    ['sector=technology', 'BBB AAA'],
    ['sector=ENERGY,Technology', 'DDD BBB AAA'],
    ['sector=Nothing', ''],
    ['industry=oil+%26+gas+midstream', 'DDD'],
    ['country=us,de', 'DDD AAA'],
    ['exchange=nyse,AMEX', 'DDD CCC'],
    [`active_since=${dateFromDay(LAST_DAY)}`, 'DDD BBB CCC'],
    [`active_since=${dateFromDay(LAST_DAY - 9)}`, 'DDD BBB CCC AAA'],
    ['sector=technology&price_min=15&exchange=nasdaq', 'BBB'],
  ])('filters by %s', async (query, expected) => {
    expect(await screened(query)).toBe(expected);
  });

  it.each([
    ['sort=market_cap&order=asc', 'BBB CCC DDD AAA'],
    ['sort=volume', 'DDD BBB CCC AAA'],
    ['sort=volume&order=asc', 'AAA BBB CCC DDD'],
    ['sort=pe_ratio', 'BBB DDD AAA CCC'],
    ['sort=pe_ratio&order=asc', 'DDD BBB AAA CCC'],
    ['sort=change_pct&order=asc', 'DDD CCC AAA BBB'],
    ['sort=dividend_yield', 'DDD AAA BBB CCC'],
  ])('sorts by %s: ties by symbol, nulls last', async (query, expected) => {
    expect(await screened(query)).toBe(expected);
  });

  it.each([
    ['limit=0', 'limit must be an integer from 1 to 200'],
    ['limit=201', 'limit must be an integer from 1 to 200'],
    ['sort=prices', 'sort: expected an indicator, a column or a number at position 1'],
    ['order=up', 'order must be one of asc, desc'],
    ['exchange=LSE', 'exchange must be a comma-separated list out of NYSE, NASDAQ, AMEX'],
    ['country=USA', 'country must be a comma-separated list of two-letter codes'],
    ['sector=', 'sector must be a comma-separated list of sectors'],
    ['price_min=ten', 'price_min must be a number'],
    ['price_min=Infinity', 'price_min must be a number'],
    ['price_min=2&price_max=1', 'price_min must not be above price_max'],
    ['active_since=yesterday', 'active_since must be a date'],
    ['marketCapMin=1', '"marketCapMin" is not a parameter'],
    ['cursor=abc', 'cursor must come from a response of this path'],
  ])('refuses %s by name', async (query, message) => {
    expect(await refusal(query)).toContain(message);
  });

  it('returns an empty page for an empty mode', async () => {
    const { server } = fixture;
    const key = await server.newKey({ mode: 'live' });
    const reply = await server.request('/v1/svc/screener', { headers: { 'X-API-Key': key } });
    expect(pageOf(reply)).toMatchObject({ data: [], total: 0, has_more: false });
  });

  it('comes as CSV and Arrow with the envelope in headers', async () => {
    const csv = await ask('limit=2&format=csv');
    expect(csv.text.split('\r\n').slice(0, 3)).toEqual([
      'symbol,companyName,price,changePct,marketCap,peRatio,dividendYield,sector,industry,volume,rsi14',
      'DDD,"Delta, ""D"" Inc.",40,-4,4000000000,8,0.04,Energy,Oil & Gas Midstream,400.6,40',
      'BBB,,20,,2000000000,20,,Technology,,300,70',
    ]);
    expect(csv.headers.get('X-SVC-Total-Count')).toBe('4');
    const cursor = csv.headers.get('X-SVC-Next-Cursor');
    const arrow = await ask(`format=arrow&cursor=${cursor}`);
    expect(arrow.headers.get('X-SVC-Next-Cursor')).toBeNull();
    const rows = tableFromIPC(arrow.bytes).toArray();
    expect(rows.map((row) => row.toJSON())).toMatchObject([
      { symbol: 'CCC', companyName: null, sector: null, rsi14: null, volume: 300 },
      { symbol: 'AAA', sector: 'Technology', marketCap: null },
    ]);
  });
});

const next = async (page: Page, query = 'limit=1') => ask(`${query}&cursor=${page.cursor}`);

describe('a walk', () => {
  it('gives every row once, whatever the size of its pages', async () => {
    for (const limit of [1, 2, 3, 4]) {
      const seen: string[] = [];
      let page = pageOf(await ask(`limit=${limit}`));
      for (;;) {
        expect(page.total).toBe(4);
        seen.push(...page.data.map(({ symbol }) => symbol));
        if (!page.has_more) break;
        page = pageOf(await next(page, `limit=${limit}`));
      }
      expect(seen.join(' ')).toBe('DDD BBB CCC AAA');
    }
  });

  it('goes on with any key of the account and in any format, not with another query', async () => {
    const { cursor } = pageOf(await ask('limit=1&sector=technology,energy'));
    const same = `/v1/svc/screener?sector=ENERGY,technology&limit=7&cursor=${cursor}`;
    const headers = { 'X-API-Key': await fixture.server.newKey() };
    expect(symbolsOf(pageOf(await fixture.server.request(same, { headers })))).toBe('BBB AAA');
    expect(await refusal(`sector=energy&cursor=${cursor}`)).toContain('another query');
    expect(await refusal(`sector=technology,energy&order=asc&cursor=${cursor}`)).toContain(
      'another query',
    );
  });

  it('is refused to another account and mode, and after a day', async () => {
    const { server } = fixture;
    const { cursor } = pageOf(await ask('limit=1'));
    const asOther = async (key: string) =>
      server.request(`/v1/svc/screener?cursor=${cursor}`, { headers: { 'X-API-Key': key } });
    const foreign = await asOther(await server.newKey({ account: 'other' }));
    expect([foreign.status, foreign.text]).toEqual([400, expect.stringContaining('account')]);
    const live = await asOther(await server.newKey({ mode: 'live' }));
    expect([live.status, live.text]).toEqual([400, expect.stringContaining('sandbox data')]);
    const altered = `${cursor?.startsWith('A') ? 'B' : 'A'}${cursor?.slice(1)}`;
    expect(await refusal(`cursor=${altered}`)).toContain('cursor must come from');
    server.clock.nowMs += limits.page.cursorTtlMs;
    expect(await refusal(`cursor=${cursor}`)).toContain('expired');
  });
});

describe('a walk while others are published', () => {
  useOwnServers(fixture, publishAll);

  /** Publishes and waits until the server shows it. */
  async function publish(companies: readonly Company[], createdMs: number): Promise<void> {
    await publishCompanies(modePaths(fixture.dataDir, 'sandbox').serving, companies, createdMs);
    const newest = [...companies].map(({ symbol }) => symbol).sort();
    let shown: string[];
    do shown = pageOf(await ask('limit=200')).data.map(({ symbol }) => symbol);
    while (`${shown.sort()}` !== `${newest}`);
  }

  const other = (symbol: string): Company => ({ symbol, marketCap: 3e9 });

  it('stays on its version', async () => {
    let page = pageOf(await ask('limit=1'));
    const seen = [symbolsOf(page)];
    for (let turn = 1; page.has_more; turn++) {
      await publish([...COMPANIES, other(`NEW${turn}`)], NOW_MS + turn);
      const reply = await next(page);
      expect(reply.headers.get('X-SVC-Snapshot-Changed')).toBeNull();
      page = pageOf(reply);
      expect(page.total).toBe(4);
      seen.push(symbolsOf(page));
    }
    expect(seen).toEqual(['DDD', 'BBB', 'CCC', 'AAA']);
  });

  it('goes on by value and symbol once its version is gone, and says so to the end', async () => {
    const first = pageOf(await ask('limit=2'));
    expect(symbolsOf(first)).toBe('DDD BBB');
    const without = COMPANIES.filter(({ symbol }) => symbol !== 'BBB');
    for (let turn = 1; turn <= 5; turn++) {
      const inserted = [other(`TOP${turn}`), { symbol: 'BCD', marketCap: 2e9 }];
      await publish([...without, ...inserted], NOW_MS + turn * limits.serving.recentMs);
    }
    const second = await next(first);
    expect(second.headers.get('X-SVC-Snapshot-Changed')).toBe('1');
    const page = pageOf(second);
    expect([symbolsOf(page), page.total]).toEqual(['BCD', 5]);
    const third = await next(page, 'limit=9');
    expect(third.headers.get('X-SVC-Snapshot-Changed')).toBe('1');
    expect(symbolsOf(pageOf(third))).toBe('CCC AAA');
  });
});
