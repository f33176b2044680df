import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorSchema } from '../../../../src/api/http/error-types.ts';
import {
  consensusSchema,
  ratingsPageSchema,
  targetsSchema,
} from '../../../../src/api/routes/analysts/schema.ts';
import { earningsPageSchema } from '../../../../src/api/routes/earnings/schema.ts';
import { SERVED_ROWS } from '../../../../src/api/routes/fundamentals/schema.ts';
import {
  insiderPageSchema,
  insiderSummarySchema,
} from '../../../../src/api/routes/insider/schema.ts';
import { articleSchema, newsPageSchema } from '../../../../src/api/routes/news/schema.ts';
import { expirationsSchema } from '../../../../src/api/routes/options/schema.ts';
import { sharedFolder } from '../../../support/folders.ts';
import { NOW_MS, publishRowsMarket } from '../../support/rows-market.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

type Statements = z.ZodType<{ data: Record<string, string | number | null>[] }>;

const statementsOf = (dataset: string) =>
  z.strictObject({ data: z.array(SERVED_ROWS.get(dataset)!) }) as unknown as Statements;
const statementsSchema = statementsOf('statements');
const balanceSheetSchema = statementsOf('balance-sheet');

const dataDir = sharedFolder();
let server: TestServer;

beforeAll(async () => {
  await publishRowsMarket(dataDir);
  server = await startTestServer(dataDir, NOW_MS);
});

afterAll(async () => {
  await server?.close();
});

async function ask<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const { status, text, json } = await server.get(`/v1/svc/${path}`);
  expect(status, text).toBe(200);
  return schema.parse(json);
}

async function refusal(path: string): Promise<[status: number, message: string]> {
  const { status, json } = await server.get(`/v1/svc/${path}`);
  return [status, errorSchema.parse(json).error.message];
}

/** All rows of a walk, page by page. */
async function walked<T>(
  path: string,
  schema: z.ZodType<{ data: T[]; cursor: string | null; total: number }>,
): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const next: { data: T[]; cursor: string | null; total: number } = await ask(
      cursor === '' ? path : `${path}&cursor=${cursor}`,
      schema,
    );
    rows.push(...next.data);
    cursor = next.cursor;
    if (cursor === null) expect(next.total).toBe(rows.length);
  }
  return rows;
}

describe('statements', () => {
  const path = 'fundamentals/AAPL/statements';

  it('are the newest version of each year, newest first', async () => {
    const { data } = await ask(path, statementsSchema);
    expect(data.map(({ date, revenue, eps }) => [date, revenue, eps])).toEqual([
      ['2025-12-31', 190, -0.6],
      ['2024-12-31', 100, null],
    ]);
  });

  it('of a day are those that were known at its end in New York', async () => {
    const known = async (day: string) =>
      (await ask(`${path}?as_of=${day}`, statementsSchema)).data.map(({ revenue }) => revenue);
    expect(await known('2026-04-30')).toEqual([200, 100]);
    expect(await known('2026-05-01')).toEqual([190, 100]);
    expect(await known('2025-01-31')).toEqual([]);
  });

  it('of quarters are apart, and limited', async () => {
    const quarters = await ask(`${path}?period=quarterly`, statementsSchema);
    expect(quarters.data).toMatchObject([{ date: '2026-03-31', period: 'quarterly', revenue: 60 }]);
    const one = await ask(`${path}?limit=1`, statementsSchema);
    expect(one.data).toHaveLength(1);
  });

  it('of the last four quarters are a year’s where one ends', async () => {
    const { data } = await ask(`${path}?period=ttm`, statementsSchema);
    expect(data.map(({ date, period, revenue }) => [date, period, revenue])).toEqual([
      ['2025-12-31', 'ttm', 190],
      ['2024-12-31', 'ttm', 100],
    ]);
  });

  it('reject an unknown period, and are none of a company without', async () => {
    expect(await refusal(`${path}?period=weekly`)).toEqual([
      400,
      'period must be one of annual, quarterly, semiannual, ttm, got "weekly"',
    ]);
    expect((await ask('fundamentals/MSFT/statements', statementsSchema)).data).toEqual([]);
  });
});

it('a trailing balance sheet is the latest quarter’s', async () => {
  const path = 'fundamentals/AAPL/balance-sheet';
  const { data } = await ask(`${path}?period=ttm`, balanceSheetSchema);
  expect(data).toMatchObject([{ date: '2026-03-31', period: 'ttm', totalAssets: 50, cash: 5 }]);
  expect((await ask(path, balanceSheetSchema)).data).toEqual([]);
});

describe('transactions of insiders', () => {
  it('are paged, newest filing first', async () => {
    const rows = await walked('insider/AAPL?limit=3', insiderPageSchema);
    expect(rows.map(({ shares }) => shares)).toEqual([10, 4, 100, 1]);
  });

  it('can be chosen by kind and days', async () => {
    const sold = await ask('insider/AAPL?transaction_type=sell,gift', insiderPageSchema);
    expect(sold.data.map(({ shares }) => shares)).toEqual([4, 1]);
    const span = 'from=2026-04-20&to=2026-06-29';
    const spring = await ask(`insider/AAPL?${span}`, insiderPageSchema);
    expect([spring.total, spring.data[0].shares]).toEqual([1, 100]);
  });

  it('are summed over 30 and 90 days', async () => {
    expect(await ask('insider/AAPL/summary', insiderSummarySchema)).toMatchObject({
      symbol: 'AAPL',
      netShares30d: 6,
      // One of the sales states its price only in a footnote.
      netValue30d: null,
      netShares90d: 106,
      netValue90d: null,
      reason: 'a purchase or sale states no number of shares or no price, but a footnote',
      buyCount90d: 2,
      sellCount90d: 1,
      mostRecentTransaction: { shares: 10 },
    });
    expect(await ask('insider/MSFT/summary', insiderSummarySchema)).toMatchObject({
      netShares90d: 0,
      netValue90d: 0,
      reason: null,
      mostRecentTransaction: null,
    });
  });
});

describe('news', () => {
  it('are walked page by page, all or of a symbol', async () => {
    const all = await walked('news?limit=20', newsPageSchema);
    expect(all).toHaveLength(45);
    expect(all[0].publishedAt > all[44].publishedAt).toBe(true);
    expect(await walked('news/AAPL?limit=7', newsPageSchema)).toHaveLength(15);
  });

  it('of several symbols have each article once', async () => {
    const rows = await walked('news/AAPL?symbols=msft&limit=40', newsPageSchema);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(45);
    expect(rows).toHaveLength(45);
  });

  it('can be chosen by moment, sentiment and source', async () => {
    const { data } = await ask('news?limit=1', newsPageSchema);
    const window = `from=${data[0].publishedAt}&to=${data[0].publishedAt}`;
    expect((await ask(`news?${window}`, newsPageSchema)).total).toBe(1);
    const positive = await walked('news?sentiment=positive&limit=10', newsPageSchema);
    expect(positive).toHaveLength(23);
    const posts = await walked('news/AAPL?source=POST&limit=10', newsPageSchema);
    expect(posts.every(({ source }) => source === 'Post')).toBe(true);
  });

  it('have an address each', async () => {
    const [first] = (await ask('news?limit=1', newsPageSchema)).data;
    expect(await ask(`news/${first.id}`, articleSchema)).toEqual(first);
    expect(await refusal('news/news_aaaaaaaaaaaaaaaaaaaaaaaaaa')).toEqual([
      404,
      'No article "news_aaaaaaaaaaaaaaaaaaaaaaaaaa" in sandbox data',
    ]);
  });

  it('cursors are of their query', async () => {
    const { cursor } = await ask('news?limit=1', newsPageSchema);
    const [status, message] = await refusal(`news/AAPL?limit=1&cursor=${cursor}`);
    expect([status, message]).toEqual([
      400,
      'cursor belongs to another query: repeat the parameters of the page it came with',
    ]);
  });
});

describe('analysts', () => {
  it('agree with the counts', async () => {
    expect(await ask('analyst-consensus/AAPL', consensusSchema)).toMatchObject({
      consensus: 'Strong Buy',
      totalAnalysts: 4,
      buy: 3,
      hold: 1,
      sell: 0,
      targetMean: null,
    });
    expect(await refusal('analyst-consensus/MSFT')).toEqual([
      404,
      'MSFT is known but has no analyst data in sandbox data',
    ]);
  });

  it('have targets and ratings', async () => {
    const { data } = await ask('analyst-targets/AAPL', targetsSchema);
    expect(data.map(({ firm }) => firm)).toEqual(['A & B', 'C']);
    const ratings = await walked('upgrades-downgrades/AAPL?limit=2', ratingsPageSchema);
    expect(ratings.map(({ firm }) => firm)).toEqual(['Firm 2', 'Firm 1', 'Firm 0']);
  });
});

it('expirations are today’s and later ones', async () => {
  const path = 'options/AAPL/expirations';
  expect((await ask(path, expirationsSchema)).data).toEqual(['2026-07-01', '2026-07-17']);
  const { text } = await server.get(`/v1/svc/${path}?format=csv`);
  expect(text).toBe('date\r\n2026-07-01\r\n2026-07-17\r\n');
});

describe('the earnings calendar', () => {
  const path = 'earnings/calendar';

  it('has the reports of the next two weeks, by day', async () => {
    const { data } = await ask(path, earningsPageSchema);
    expect(data.map(({ symbol, date }) => [symbol, date])).toEqual([
      ['AAPL', '2026-07-08'],
      ['MSFT', '2026-07-10'],
    ]);
  });

  it('accept other days and symbols', async () => {
    const span = 'from=2026-06-01&to=2026-08-31';
    expect(await walked(`${path}?${span}&limit=1`, earningsPageSchema)).toHaveLength(4);
    const own = await ask(`${path}?${span}&symbols=aapl`, earningsPageSchema);
    expect(own.data.map(({ date }) => date)).toEqual(['2026-07-08', '2026-07-30']);
  });

  it('refuses a span that is too long', async () => {
    expect(await refusal(`${path}?from=2026-01-01&to=2026-12-31`)).toEqual([
      400,
      'to must be at most 92 days after from "2026-01-01", got "2026-12-31"',
    ]);
  });
});
