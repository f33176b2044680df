/** Ratios by period and as of a day, and the same numbers in quotes and screens. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish } from '../../../../jobs/publish/publish.ts';
import { RATIOS, ratioField } from '../../../../src/base/companies/ratios.ts';
import { modePaths } from '../../../../src/base/config/data-dir.ts';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { openMarketForWriting } from '../../../../src/store/duckdb/connection/open.ts';
import { load } from '../../../store/duckdb/support/fixtures.ts';
import { land, loadSegment } from '../../../store/duckdb/support/row-fixtures.ts';
import { actionsOf, oneFile } from '../../../store/duckdb/support/segments.ts';
import { sharedFolder } from '../../../support/folders.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const NOW_MS = Date.parse('2026-07-01T15:00:00Z');

/** A year, filed in the February after it. Amounts of the year before were half of these. */
function year(number: number, factor: number) {
  const head = {
    symbol: 'AAPL',
    date: dayFromDate(`${number}-12-31`),
    period: 'annual',
    filedAt: Date.parse(`${number + 1}-02-10T22:00:00Z`),
    currency: 'USD',
  };
  const amounts = (values: DatasetRow) =>
    Object.fromEntries(Object.entries(values).map(([name, one]) => [name, Number(one) * factor]));
  return {
    statements: {
      ...head,
      ...amounts({ revenue: 1000, costOfRevenue: 600, grossProfit: 400, operatingIncome: 200 }),
      ...amounts({ interestExpense: 20, pretaxIncome: 180, incomeTax: 45, netIncome: 135 }),
      ...amounts({ ebit: 200, ebitda: 260 }),
      epsDiluted: 1.35 * factor,
      sharesDiluted: 100,
    },
    'balance-sheet': {
      ...head,
      ...amounts({ totalAssets: 2000, totalLiabilities: 1200, totalEquity: 800, cash: 100 }),
      ...amounts({ totalDebt: 400, longTermDebt: 300, currentAssets: 600 }),
      ...amounts({ currentLiabilities: 400, inventory: 200, retainedEarnings: 500 }),
    },
    'cash-flow': {
      ...head,
      ...amounts({ operatingCashFlow: 220, capitalExpenditure: 70, freeCashFlow: 150 }),
      ...amounts({ dividendsPaid: 27, shareRepurchases: 30 }),
    },
    shares: {
      symbol: 'AAPL',
      date: dayFromDate(`${number + 1}-01-31`),
      filedAt: head.filedAt,
      kind: 'cover',
      shares: 100,
    },
  };
}

const YEARS = [year(2023, 0.5), year(2024, 1), year(2025, 2)];
/** A quarter whose income is not known. */
const SPRING = {
  ...YEARS[1]['balance-sheet'],
  ...{ date: dayFromDate('2025-03-31'), period: 'quarterly', totalEquity: 1600 },
  filedAt: Date.parse('2025-05-10T22:00:00Z'),
};
const dataDir = sharedFolder();
let server: TestServer;

beforeAll(async () => {
  const paths = modePaths(dataDir, 'sandbox');
  const db = await openMarketForWriting(paths, { verb: 'test', nowMs: NOW_MS });
  try {
    for (const dataset of ['statements', 'balance-sheet', 'cash-flow', 'shares'] as const) {
      await loadSegment(
        db,
        await land(dataset, [
          ...YEARS.map((one) => one[dataset]),
          ...(dataset === 'balance-sheet' ? [SPRING] : []),
        ]),
      );
    }
    const bars = oneFile(
      [
        ['2024-12-31', 30],
        ['2025-06-30', 18],
        ['2025-12-31', 20],
        ['2026-06-30', 27],
      ],
      { basis: 'raw', actions: [actionsOf('AAPL', ['2020-01-01', '2026-06-30'])] },
      'AAPL',
    );
    await load(db, bars);
  } finally {
    db.close();
  }
  await publish(paths, { verb: 'test', nowMs: NOW_MS });
  server = await startTestServer(dataDir, NOW_MS);
});

afterAll(async () => {
  await server?.close();
});

type Row = Record<string, number | string | null>;

async function rowsOf(query: string): Promise<Row[]> {
  const { status, text, json } = await server.get(`/v1/svc/fundamentals/AAPL/ratios?${query}`);
  expect(status, text).toBe(200);
  return (json as { data: Row[] }).data;
}

describe('ratios of a year', () => {
  it('follow from its flows, its balance sheet and the close at its end', async () => {
    const [newest] = await rowsOf('limit=1');
    expect(newest).toEqual({
      date: '2025-12-31',
      period: 'annual',
      priceDate: '2025-12-31',
      price: 20,
      marketCap: 2000,
      grossMargin: 0.4,
      operatingMargin: 0.2,
      netMargin: 0.135,
      roe: 0.16875,
      roa: 0.0675,
      roic: expect.closeTo(300 / 2200, 12),
      currentRatio: 1.5,
      quickRatio: 1,
      debtToEquity: 0.5,
      interestCover: 10,
      assetTurnover: 0.5,
      pe: expect.closeTo(20 / 2.7, 12),
      ps: 1,
      pb: 1.25,
      pfcf: expect.closeTo(2000 / 300, 12),
      enterpriseValue: 2600,
      evToEbitda: 5,
      evToSales: 1.3,
      fcfYield: 0.15,
      buybackYield: 0.03,
      payoutRatio: 0.2,
      revenueGrowth1y: 1,
      revenueGrowth3y: null,
      revenueGrowth5y: null,
      epsGrowth1y: 1,
      epsGrowth3y: null,
      epsGrowth5y: null,
      shareChange1y: 0,
      // Ratios to assets, margins and the current ratio are those of the year before.
      piotroski: 4,
      altmanZ: expect.closeTo((1.2 * 400 + 1.4 * 1000 + 3.3 * 400 + 2000) / 4000 + 0.5, 12),
    });
  });

  it('have its own balance sheet, not that of a later quarter', async () => {
    const [, row] = await rowsOf('');
    expect(row).toMatchObject({ date: '2024-12-31', roe: 0.16875 });
    const [asOf] = await rowsOf('as_of=2025-07-02');
    expect(asOf).toMatchObject({ date: '2024-12-31', roe: 0.16875 });
    const [today] = await rowsOf('period=ttm&as_of=2025-07-02');
    expect(today).toMatchObject({ date: '2024-12-31', roe: 135 / 1600 });
  });

  it('have no ratios to the price without prices', async () => {
    const [, , oldest] = await rowsOf('');
    expect(oldest).toMatchObject({ date: '2023-12-31', grossMargin: 0.4, roe: 0.16875 });
    expect(oldest).toMatchObject({ price: null, priceDate: null, marketCap: null, pe: null });
    expect(oldest).toMatchObject({ fcfYield: null, enterpriseValue: null, altmanZ: null });
  });
});

describe('ratios as of a day', () => {
  it('see filings and prices up to it', async () => {
    const [newest] = await rowsOf('period=ttm&as_of=2025-07-02');
    expect(newest).toMatchObject({ date: '2024-12-31', priceDate: '2025-06-30', price: 18 });
    expect(newest).toMatchObject({ ps: 1.8, netMargin: 0.135, revenueGrowth1y: 1 });
    expect(await rowsOf('period=ttm&as_of=2024-01-01')).toEqual([]);
  });

  it('are those of screens', async () => {
    for (const [asOf, query] of [
      [undefined, 'period=ttm&limit=1'],
      ['2025-07-02', 'period=ttm&limit=1&as_of=2025-07-02'],
    ]) {
      const [row] = await rowsOf(query!);
      const names = RATIOS.map(({ name }) => ratioField(name));
      const columns = names.join(',');
      const where = encodeURIComponent('market_cap > 0');
      const past = asOf ? `&as_of=${asOf}` : '';
      const path = `/v1/svc/screener?where=${where}&columns=${columns}${past}`;
      const { status, text, json } = await server.get(path);
      expect(status, text).toBe(200);
      const [screened] = (json as { data: Row[] }).data;
      for (const { name } of RATIOS) {
        const values = screened.columns as unknown as Row;
        expect(values[ratioField(name)], name).toBe(row[name]);
      }
    }
  });

  it('are those of quotes', async () => {
    const [row] = await rowsOf('period=ttm&limit=1');
    const { json } = await server.get('/v1/svc/screener?symbols=AAPL');
    const [quoted] = (json as { data: Row[] }).data;
    expect(row.pe).toBe(quoted.peRatio);
    expect(row.marketCap).toBe(quoted.marketCap);
    expect(row.price).toBe(quoted.price);
  });
});

it('are also CSV', async () => {
  const { text } = await server.get('/v1/svc/fundamentals/AAPL/ratios?limit=1&format=csv');
  expect(text.split('\r\n')[0]).toMatch(/^date,period,priceDate,price,marketCap,grossMargin,/);
});
