import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { errorSchema } from '../../../../src/api/http/error-types.ts';
import {
  explainedQuoteSchema,
  quoteBatchSchema,
  quoteSchema,
} from '../../../../src/api/routes/quotes/schema.ts';
import { priceChange, priceChangePct } from '../../../../src/base/prices/price-change.ts';
import { useFixtureServer } from '../../support/fixture-server.ts';
import { fixtureSymbols } from '../../support/market-fixture.ts';

const [abc] = fixtureSymbols();

const fixture = useFixtureServer();

async function refusal(path: string): Promise<string> {
  const reply = await fixture.server.get(path);
  expect(reply.status).toBe(400);
  return errorSchema.parse(reply.json).error.message;
}

describe('GET /svc/quotes/{symbol}', () => {
  it('has every field of the specification and no others', async () => {
    const quote = quoteSchema.parse((await fixture.server.get('/v1/svc/quotes/abc')).json);
    const [previousClose, price] = abc.bars.close.slice(-2);
    const change = priceChange(price, previousClose);
    expect(quote).toEqual({
      symbol: 'ABC',
      price,
      change,
      changePct: priceChangePct(change, previousClose),
      volume: abc.bars.volume.at(-1),
      timestamp: '2026-01-05T21:00:00.000Z',
      dayHigh: abc.bars.high.at(-1),
      dayLow: abc.bars.low.at(-1),
      dayOpen: abc.bars.open.at(-1),
      previousClose,
      marketCap: null,
    });
  });

  it('says why the market cap is null if that is asked', async () => {
    const path = '/v1/svc/quotes/ABC?explain=true';
    const { json } = await fixture.server.get(path);
    const { reasons, ...quote } = explainedQuoteSchema.parse(json);
    expect(quote).toEqual((await fixture.server.get('/v1/svc/quotes/ABC')).json);
    expect(reasons).toEqual({ marketCap: 'no filing of the company is known' });
    expect(await refusal(`${path}&format=csv`)).toContain('explain');
    expect(await refusal(`${path}&as_of=2026-01-05`)).toContain('explain');
  });

  it.each([
    ['BTC-USD', 'is a cryptocurrency'],
    ['BTC%2FUSD', 'is a cryptocurrency'],
    ['VOD.L', 'trades in London'],
    ['%5EGSPC', 'is an index'],
    ['EURUSD=X', 'is a currency pair'],
    ['ES=F', 'is a future'],
  ])('refuses %s because it %s', async (symbol, fault) => {
    const path = `/v1/svc/quotes/${symbol}`;
    const rule = `must be a US stock or fund, got "${decodeURIComponent(symbol)}", which ${fault}`;
    expect(await refusal(path)).toBe(`symbol ${rule}`);
    expect(await refusal(`/v1/svc/quotes/batch?symbols=ABC,${symbol}`)).toBe(`symbols ${rule}`);
  });
});

describe('GET /svc/quotes/batch', () => {
  const batch = (query: string) => fixture.server.get(`/v1/svc/quotes/batch?${query}`);
  const symbolsOf = (json: unknown) => quoteBatchSchema.parse(json).data.map((q) => q.symbol);

  it('returns each symbol once, in the requested order', async () => {
    const { json } = await batch('symbols=NEW,brk-b,ABC,new,BRK.B');
    expect(symbolsOf(json)).toEqual(['NEW', 'BRK.B', 'ABC']);
    expect(json).not.toHaveProperty('notFound');
  });

  it('has the quotes of single requests', async () => {
    const { json } = await batch('symbols=ABC');
    const single = await fixture.server.get('/v1/svc/quotes/ABC');
    expect(json).toEqual({ data: [single.json] });
  });

  it('lists unknown symbols, canonical, in notFound', async () => {
    const { json } = await batch('symbols=zzz,ABC,yyy-b');
    expect(quoteBatchSchema.parse(json).notFound).toEqual(['ZZZ', 'YYY.B']);
    expect(symbolsOf(json)).toEqual(['ABC']);
    expect(symbolsOf((await batch('symbols=ZZZ')).json)).toEqual([]);
  });

  it('takes 100 different symbols and not one more', async () => {
    const names = Array.from(
      { length: 101 },
      (_, i) => `Z${String.fromCharCode(65 + (i % 26), 65 + Math.floor(i / 26))}`,
    );
    const full = await batch(`symbols=${names.slice(0, 100)},${names[0]}`);
    expect(quoteBatchSchema.parse(full.json).notFound).toHaveLength(100);
    expect(await refusal(`/v1/svc/quotes/batch?symbols=${names}`)).toMatch(/symbols .*100.*101/);
  });

  it.each(['', 'symbols=', 'symbols=,', 'symbols=ABC,,NEW', 'symbols=A%20B', 'symbol=ABC'])(
    'refuses "%s"',
    async (query) => {
      expect(await refusal(`/v1/svc/quotes/batch?${query}`)).toContain('symbol');
    },
  );

  it('as a table lists missing symbols in a header', async () => {
    const csv = await batch('symbols=ABC,ZZZ,NEW&format=csv');
    expect(csv.text.split('\r\n').map((line) => line.split(',', 1)[0])).toEqual([
      'symbol',
      'ABC',
      'NEW',
      '',
    ]);
    expect(csv.headers.get('X-SVC-Not-Found')).toBe('ZZZ');
    const arrow = await batch('symbols=ZZZ&format=arrow');
    expect(tableFromIPC(arrow.bytes).numRows).toBe(0);
  });
});
