/** Market caps, price-earnings ratios and dividend yields, from the store to quotes and screens. */

import { describe, expect, it } from 'vitest';
import type { ModePaths } from '../../../../src/base/config/data-dir.ts';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { universeOf } from '../../../../src/screens/run/universe.ts';
import { openPublished } from '../../../../src/store/arrow/read/reader.ts';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { loadSymbols } from '../../../../src/store/duckdb/securities/symbols.ts';
import { asOf } from '../../../screens/run/support/finished.ts';
import { freshPaths, NOW_MS, segmentOf } from '../../../store/duckdb/support/fixtures.ts';
import { land } from '../../../store/duckdb/support/row-fixtures.ts';
import { renameSecurity } from '../../../support/state-facts.ts';
import { inStore, loadAll, published, run } from '../../support/store.ts';

const UNKNOWN = { marketCap: null, peRatio: null };

async function add(
  paths: ModePaths,
  bars: readonly CandleSegment[],
  rows: Record<string, DatasetRow[]> = {},
): Promise<void> {
  const landed = Object.entries(rows).map(([dataset, values]) => land(dataset, values));
  await loadAll(paths, ...bars, ...(await Promise.all(landed)));
}

/** Publishes, and gives the figures of a symbol. */
async function figures(paths: ModePaths, symbol: string) {
  await run(paths);
  return figuresOf(paths, symbol);
}

/** Figures of a symbol's quote, which screens must have too. */
function figuresOf(paths: ModePaths, symbol: string) {
  const version = published(paths);
  const { marketCap, peRatio } = version.quote(symbol)!;
  const { symbols, columns } = version.screener();
  const row = symbols.indexOf(symbol);
  expect(columns.marketCap[row]).toBe(marketCap ?? Number.NaN);
  expect(columns.peRatio[row]).toBe(peRatio ?? Number.NaN);
  return { marketCap, peRatio };
}

function dayOf(symbol: string, date: string, close: number, splitOn?: string): CandleSegment {
  const covered = {
    coverageFromDay: dayFromDate('2020-01-01'),
    coverageToDay: dayFromDate('2026-06-30'),
  };
  const splits = splitOn ? [{ exDay: dayFromDate(splitOn), numerator: 10, denominator: 1 }] : [];
  const actions = splitOn ? [{ symbol, splits, dividends: [], ...covered }] : undefined;
  return segmentOf([{ symbol, bars: [[date, close]] }], { basis: 'raw', actions, name: date });
}

function shares(symbol: string, date: string, count: number): DatasetRow {
  const day = dayFromDate(date);
  return { symbol, date: day, filedAt: Date.parse(date), kind: 'cover', shares: count };
}

function year(symbol: string, date: string, filed: string, epsDiluted: number): DatasetRow {
  const filedAt = Date.parse(filed);
  return { symbol, date: dayFromDate(date), period: 'annual', filedAt, epsDiluted };
}

describe('figures of a company', () => {
  it('come with its filings, and follow the price', async () => {
    const paths = freshPaths();
    await add(paths, [dayOf('A', '2026-06-25', 10), dayOf('GLD', '2026-06-25', 10)]);
    expect(await figures(paths, 'A')).toEqual(UNKNOWN);
    await add(paths, [], {
      shares: ['A', 'GLD', 'LATER'].map((symbol) => shares(symbol, '2026-05-01', 1000)),
    });
    expect(await figures(paths, 'A')).toEqual({ marketCap: 10_000, peRatio: null });
    await add(paths, [], { statements: [year('A', '2025-12-31', '2026-02-01', 2)] });
    expect(await figures(paths, 'A')).toEqual({ marketCap: 10_000, peRatio: 5 });
    // Figures that were filed before the first bar are there with it.
    await add(paths, [dayOf('A', '2026-06-26', 12), dayOf('LATER', '2026-06-26', 10)]);
    expect(await figures(paths, 'A')).toEqual({ marketCap: 12_000, peRatio: 6 });
    expect(figuresOf(paths, 'LATER')).toEqual({ marketCap: 10_000, peRatio: null });
    // A fund has none.
    expect(figuresOf(paths, 'GLD')).toEqual({ marketCap: 10_000, peRatio: null });
    const named = { source: 'files', nowMs: NOW_MS };
    await inStore(paths, (db) => loadSymbols(db, [{ symbol: 'GLD', type: 'etf' }], named));
    await add(paths, [], { statements: [year('A', '2025-12-31', '2026-03-01', -2)] });
    expect(await figures(paths, 'A')).toEqual({ marketCap: 12_000, peRatio: null });
    expect(figuresOf(paths, 'GLD')).toEqual(UNKNOWN);
  });

  it('stay with a split, and go to its new symbol', async () => {
    const paths = freshPaths();
    await add(paths, [dayOf('A', '2026-06-25', 100)], {
      shares: [shares('A', '2026-05-01', 1000)],
      statements: [year('A', '2025-12-31', '2026-02-01', 20)],
    });
    expect(await figures(paths, 'A')).toEqual({ marketCap: 100_000, peRatio: 5 });
    await add(paths, [dayOf('A', '2026-06-26', 10, '2026-06-26')]);
    expect(await figures(paths, 'A')).toEqual({ marketCap: 100_000, peRatio: 5 });
    const rename = { from: 'A', to: 'N', day: dayFromDate('2026-06-27'), nowMs: NOW_MS };
    await inStore(paths, (db) => renameSecurity(db, rename));
    expect(await figures(paths, 'N')).toEqual({ marketCap: 100_000, peRatio: 5 });
  });
});

describe('figures of a receipt', () => {
  const ratio = (date: string, value: number | null): DatasetRow => {
    return { symbol: 'TSM', name: 'ads_ratio', date: dayFromDate(date), value };
  };

  async function receipt(...ratios: DatasetRow[]): Promise<ModePaths> {
    const paths = freshPaths();
    await add(paths, [dayOf('TSM', '2026-06-25', 100)], {
      shares: [shares('TSM', '2026-05-01', 1000)],
      statements: [year('TSM', '2025-12-31', '2026-02-01', 4)],
    });
    const facts = [{ symbol: 'TSM', type: 'adr' }];
    await inStore(paths, (db) => loadSymbols(db, facts, { source: 'files', nowMs: NOW_MS }));
    await run(paths);
    if (ratios.length > 0) await add(paths, [], { values: ratios });
    return paths;
  }

  it('follow from the shares for which it stands, and are null until somebody states them', async () => {
    const paths = await receipt();
    expect(figuresOf(paths, 'TSM')).toEqual(UNKNOWN);
    const { table } = asOf(published(paths), '2026-06-25');
    expect([table.columns.marketCap[0], table.columns.peRatio[0]]).toEqual([NaN, NaN]);
    await add(paths, [], { values: [ratio('2026-01-02', 5)] });
    expect(await figures(paths, 'TSM')).toEqual({ marketCap: 20_000, peRatio: 5 });
    const past = asOf(published(paths), '2026-06-25').table.columns;
    expect([past.marketCap[0], past.peRatio[0]]).toEqual([20_000, 5]);
    await add(paths, [], { values: [ratio('2026-04-01', 10)] });
    // The shares are of after the change, the earnings of before it.
    expect(await figures(paths, 'TSM')).toEqual(UNKNOWN);
    await add(paths, [], { statements: [year('TSM', '2025-12-31', '2026-05-02', 4)] });
    expect(await figures(paths, 'TSM')).toEqual({ marketCap: 10_000, peRatio: 2.5 });
  });

  it.each([
    [[ratio('2026-06-01', 5)]],
    [[ratio('2026-01-02', 5), ratio('2026-01-03', null)]],
    [[ratio('2026-01-02', 0)]],
  ])('are null where the ratio of the days of the filings is not known', async (ratios) => {
    expect(await figures(await receipt(...ratios), 'TSM')).toEqual(UNKNOWN);
  });
});

describe('figures of classes of stock', () => {
  const company = (symbol: string, cik = 7) => ({ symbol, cik, type: 'stock' });
  const filed = (symbol: string, kind: string, count: number): DatasetRow => {
    return { ...shares(symbol, '2026-05-01', count), kind };
  };
  const annual = (symbol: string, eps: number, netIncome: number): DatasetRow => {
    return { ...year(symbol, '2025-12-31', '2026-02-01', eps), eps, netIncome };
  };
  const sheet = (symbol: string, totalEquity: number): DatasetRow => {
    const filedAt = Date.parse('2026-02-01');
    return { symbol, date: dayFromDate('2025-12-31'), period: 'annual', filedAt, totalEquity };
  };
  /** Figures of a thousand shares that earn 3,000 each, of a book value of 600,000 in all. */
  const dear = (symbol: string) => ({
    shares: filed(symbol, 'weighted', 1000),
    statements: annual(symbol, 3000, 3e6),
    'balance-sheet': sheet(symbol, 3e7),
  });
  const filings = (...all: ReturnType<typeof dear>[]) => ({
    shares: all.map((one) => one.shares),
    statements: all.map((one) => one.statements),
    'balance-sheet': all.map((one) => one['balance-sheet']),
  });

  async function market(...symbols: string[]): Promise<ModePaths> {
    const paths = freshPaths();
    await add(paths, [], filings(...symbols.map(dear)));
    const facts = symbols.map((symbol) => company(symbol));
    await inStore(paths, (db) => loadSymbols(db, facts, { source: 'files', nowMs: NOW_MS }));
    return paths;
  }

  it('are of the class that the book value proves, in quotes, screens and as of a day', async () => {
    const paths = await market('Q.A', 'Q.B');
    await add(paths, [dayOf('Q.A', '2026-06-25', 60_000), dayOf('Q.B', '2026-06-25', 40)]);
    expect(await figures(paths, 'Q.A')).toEqual({ marketCap: 60_000_000, peRatio: 20 });
    expect(figuresOf(paths, 'Q.B')).toEqual(UNKNOWN);
    const past = asOf(published(paths), '2026-06-25');
    expect([...past.table.columns.peRatio]).toEqual([20, NaN]);
    expect([...past.table.columns.marketCap]).toEqual([60_000_000, NaN]);
    for (const universe of [past, universeOf(published(paths))]) {
      const { market_cap: reason, pe_ratio: other } = universe.reasons(1, [
        'market_cap',
        'pe_ratio',
      ]);
      expect(reason).toMatch('not proved that the shares and earnings per share');
      expect(other).toBe(reason);
      expect(universe.reasons(1, ['price'])).toEqual({});
    }
    const ratio = { symbol: 'Q.B', name: 'ads_ratio', date: dayFromDate('2010-01-04') };
    await add(paths, [], { values: [{ ...ratio, value: 1 / 1500 }] });
    expect(await figures(paths, 'Q.B')).toEqual({ marketCap: 60_000_000, peRatio: 20 });
  });

  it('wait for a price of each class, and follow prices that come apart', async () => {
    const paths = await market('Q.A', 'Q.B');
    await add(paths, [dayOf('Q.B', '2026-06-25', 40_000)]);
    expect(await figures(paths, 'Q.B')).toEqual(UNKNOWN);
    await add(paths, [dayOf('Q.A', '2026-06-25', 44_000)]);
    expect(await figures(paths, 'Q.B')).toEqual({ marketCap: 40_000_000, peRatio: 40 / 3 });
    expect(figuresOf(paths, 'Q.A').peRatio).toBe(44 / 3);
    await add(paths, [dayOf('Q.A', '2026-06-26', 88_000)]);
    expect(await figures(paths, 'Q.B')).toEqual(UNKNOWN);
    expect(figuresOf(paths, 'Q.A')).toEqual(UNKNOWN);
  });
});

describe('a dividend yield', () => {
  const dividend = { exDay: dayFromDate('2026-03-02'), amount: 1 };
  const barOf = (close: number, date: string, coveredFrom?: string) =>
    segmentOf([{ symbol: 'A', bars: [[date, close]] }], {
      basis: 'raw',
      name: `${date} ${coveredFrom}`,
      actions: coveredFrom
        ? [
            {
              symbol: 'A',
              splits: [],
              dividends: [dividend],
              coverageFromDay: dayFromDate(coveredFrom),
              coverageToDay: dayFromDate('2026-06-30'),
            },
          ]
        : undefined,
    });
  const yieldOf = async (paths: ModePaths) => {
    await run(paths);
    return openPublished(paths.serving)!.quote('A')!.dividendYield;
  };
  const statement = {
    ...year('A', '2025-12-31', '2026-02-01', 2),
    dividendsPerShare: 3,
  };

  it('is of corporate actions where the year of them is known, else of the statements', async () => {
    const paths = freshPaths();
    await add(paths, [barOf(100, '2026-06-24')]);
    expect(await yieldOf(paths)).toBe(null);
    await add(paths, [], { statements: [statement] });
    expect(await yieldOf(paths)).toBe(0.03);
    await add(paths, [barOf(150, '2026-06-25')]);
    expect(await yieldOf(paths)).toBe(0.02);
    // Some months of actions are not a year of them.
    await add(paths, [barOf(60, '2026-06-26', '2026-01-02')]);
    expect(await yieldOf(paths)).toBe(0.05);
    await add(paths, [barOf(50, '2026-06-29', '2020-01-02')]);
    expect(await yieldOf(paths)).toBe(0.02);
  });
});
