/** A served market of rows: statements, transactions, articles, ratings, expirations, reports. */

import { publish } from '../../../jobs/publish/publish.ts';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import type { DatasetRow } from '../../../src/base/datasets/dataset.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { openMarketForWriting } from '../../../src/store/duckdb/connection/open.ts';
import { article, land, loadSegment, target } from '../../store/duckdb/support/row-fixtures.ts';

export const NOW_MS = Date.parse('2026-07-01T15:00:00Z');

const ms = (text: string) => Date.parse(text);

function statement(date: string, filedAt: string, values: DatasetRow): DatasetRow {
  return {
    symbol: 'AAPL',
    date: dayFromDate(date),
    period: 'annual',
    filedAt: ms(filedAt),
    ...values,
  };
}

function transaction(line: number, filedAt: string, values: DatasetRow): DatasetRow {
  return {
    symbol: 'AAPL',
    insiderName: 'Doe Jane',
    transactionType: 'buy',
    shares: 10,
    price: 2,
    totalValue: 20,
    filedAt: ms(filedAt),
    accession: '0000000001-26-000001',
    line,
    ...values,
  };
}

const rows: Record<string, DatasetRow[]> = {
  statements: [
    statement('2024-12-31', '2025-02-01T12:00:00Z', { revenue: 100, netIncome: 10 }),
    statement('2025-12-31', '2026-02-01T12:00:00Z', { revenue: 200, netIncome: -5, eps: -0.5 }),
    statement('2025-12-31', '2026-05-01T12:00:00Z', { revenue: 190, netIncome: -6, eps: -0.6 }),
    statement('2026-03-31', '2026-05-01T12:00:00Z', { period: 'quarterly', revenue: 60 }),
  ],
  'balance-sheet': [
    statement('2026-03-31', '2026-05-01T12:00:00Z', {
      period: 'quarterly',
      totalAssets: 50,
      cash: 5,
    }),
  ],
  insider: [
    transaction(1, '2026-06-30T20:00:00Z', {}),
    transaction(2, '2026-06-30T20:00:00Z', {
      transactionType: 'sell',
      shares: 4,
      price: null,
      totalValue: null,
    }),
    transaction(3, '2026-04-20T20:00:00Z', { shares: 100, totalValue: 300 }),
    transaction(4, '2026-01-05T20:00:00Z', { transactionType: 'gift', shares: 1 }),
  ],
  news: Array.from({ length: 45 }, (_, i) =>
    article(i, {
      symbols: i % 3 === 0 ? ['AAPL', 'MSFT'] : ['MSFT'],
      sentiment: i % 2 === 0 ? 'positive' : 'negative',
      source: i % 5 === 0 ? 'The Wire, "Inc."' : 'Post',
    }),
  ),
  'analyst-consensus': [
    {
      symbol: 'AAPL',
      asOf: ms('2026-06-01T00:00:00Z'),
      strongBuy: 2,
      buy: 1,
      hold: 1,
      sell: 0,
      strongSell: 0,
    },
  ],
  'analyst-targets': [target(), target({ firm: 'C', publishedAt: ms('2026-06-01T10:00:00Z') })],
  'upgrades-downgrades': Array.from({ length: 3 }, (_, i) => ({
    symbol: 'AAPL',
    firm: `Firm ${i}`,
    action: 'upgrade',
    publishedAt: ms('2026-06-01T10:00:00Z') + i,
  })),
  expirations: ['2026-06-26', '2026-07-01', '2026-07-17'].map((date) => ({
    symbol: 'AAPL',
    asOf: ms('2026-06-01T00:00:00Z'),
    date: dayFromDate(date),
  })),
  'earnings-calendar': [
    ['AAPL', '2026-07-30', '2026-Q3'],
    ['MSFT', '2026-07-10', '2026-Q4'],
    ['AAPL', '2026-07-08', null],
    ['MSFT', '2026-06-01', '2026-Q3'],
  ].map(([symbol, date, fiscalQuarter]) => ({
    symbol,
    date: dayFromDate(String(date)),
    fiscalQuarter,
    asOf: ms('2026-05-01T00:00:00Z'),
  })),
};

/** Fills the sandbox of a data directory. */
export async function publishRowsMarket(dataDir: string): Promise<void> {
  const paths = modePaths(dataDir, 'sandbox');
  const db = await openMarketForWriting(paths, { verb: 'test', nowMs: NOW_MS });
  try {
    for (const [dataset, values] of Object.entries(rows)) {
      await loadSegment(db, await land(dataset, values));
    }
  } finally {
    db.close();
  }
  await publish(paths, { verb: 'test', nowMs: NOW_MS });
}
