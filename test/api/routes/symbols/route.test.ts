import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../../src/api/http/error-types.ts';
import { symbolPageSchema } from '../../../../src/api/routes/symbols/schema.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';

const fixture = useFixtureServer();

const ask = (query: string) => fixture.server.get(`/v1/svc/symbols?${query}`);

async function found(query: string): Promise<string> {
  const page = symbolPageSchema.parse((await ask(query)).json);
  expect(page.total).toBe(page.data.length);
  return page.data.map(({ symbol }) => symbol).join(' ');
}

describe('GET /svc/symbols', () => {
  it('lists every known symbol, with bars or without', async () => {
    const { data } = symbolPageSchema.parse((await ask('')).json);
    expect(data.map(({ symbol }) => symbol)).toEqual(['ABC', 'BRK.B', 'NEW', 'RAW', 'WAIT']);
    expect(data[2]).toEqual({
      symbol: 'NEW',
      companyName: 'NEW Incorporated',
      exchange: 'NASDAQ',
      type: 'etf',
      firstBar: '2025-12-30',
      lastBar: '2026-01-05',
      source: 'sandbox',
    });
    expect(data[4]).toMatchObject({ firstBar: null, lastBar: null, source: 'nasdaqtrader' });
  });

  it.each([
    ['search=br', 'BRK.B'],
    ['search=brk-b', 'BRK.B'],
    ['search=rk', ''],
    ['search=inc', 'ABC BRK.B NEW RAW WAIT'],
    ['search=incorp+raw', 'RAW'],
    ['search=orporated', ''],
    ['exchange=nyse', 'BRK.B'],
    ['exchange=NYSE,NASDAQ&type=stock', 'ABC BRK.B WAIT'],
    ['type=ETF', 'NEW'],
    ['active=true', 'ABC BRK.B NEW RAW'],
    ['active=false', 'WAIT'],
  ])('finds by %s', async (query, expected) => {
    expect(await found(query)).toBe(expected);
  });

  it('gives every row of a walk once', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const reply = await ask(`limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      const page = symbolPageSchema.parse(reply.json);
      expect(page.total).toBe(5);
      seen.push(...page.data.map(({ symbol }) => symbol));
      cursor = page.cursor;
    } while (cursor);
    expect(seen).toEqual(['ABC', 'BRK.B', 'NEW', 'RAW', 'WAIT']);
  });

  it.each(['limit=101', 'active=yes', 'exchange=LSE', 'search=', 'name=A', 'cursor=x'])(
    'refuses %s by name',
    async (query) => {
      const { status, json } = await ask(query);
      expect(status).toBe(400);
      expect(errorSchema.parse(json).error.message).toContain(query.split('=')[0]);
    },
  );
});
