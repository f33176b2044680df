/** Market caps, price-earnings ratios and dividend yields, from the store to quotes and screens. */

import { beforeAll, describe, expect, it } from 'vitest';
import { type ModePaths, modePaths } from '../../../../src/base/config/data-dir.ts';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { universeOf } from '../../../../src/screens/run/universe.ts';
import type { CandleSegment } from '../../../../src/store/duckdb/connection/candle-segment.ts';
import { loadSymbols } from '../../../../src/store/duckdb/securities/symbols.ts';
import { asOf } from '../../../screens/run/support/finished.ts';
import { NOW_MS, segmentOf } from '../../../store/duckdb/support/fixtures.ts';
import { land } from '../../../store/duckdb/support/row-fixtures.ts';
import { sharedFolder } from '../../../support/folders.ts';
import { renameSecurity } from '../../../support/state-facts.ts';
import { inStore, loadAll, published, run } from '../../support/store.ts';

const UNKNOWN = { marketCap: null, peRatio: null };
const home = sharedFolder();

async function add(
  paths: ModePaths,
  bars: readonly CandleSegment[],
  rows: Record<string, DatasetRow[]> = {},
): Promise<void> {
  const landed = Object.entries(rows).map(([dataset, values]) => land(dataset, values));
  await loadAll(paths, ...bars, ...(await Promise.all(landed)));
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

const ratio = (symbol: string, date: string, value: number | null): DatasetRow => {
  return { symbol, name: 'ads_ratio', date: dayFromDate(date), value };
};

/** Figures of a thousand shares that earn 3,000 each, of a book value of 600,000 in all. */
function dear(...symbols: string[]): Record<string, DatasetRow[]> {
  const annual = { date: dayFromDate('2025-12-31'), period: 'annual' };
  const filedAt = Date.parse('2026-02-01');
  return {
    shares: symbols.map((one) => ({ ...shares(one, '2026-05-01', 1000), kind: 'weighted' })),
    statements: symbols.map((one) => ({
      ...{ ...year(one, '2025-12-31', '2026-02-01', 3000), eps: 3000, netIncome: 3e6 },
    })),
    'balance-sheet': symbols.map((symbol) => ({ symbol, ...annual, filedAt, totalEquity: 3e7 })),
  };
}

function together(...all: Record<string, DatasetRow[]>[]): Record<string, DatasetRow[]> {
  const names = new Set(all.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(
    [...names].map((name) => [name, all.flatMap((one) => one[name] ?? [])]),
  );
}

/** A bar of YLD; with `coveredFrom`, its dividends from then on. */
const yieldBar = (close: number, date: string, coveredFrom?: string) =>
  segmentOf([{ symbol: 'YLD', bars: [[date, close]] }], {
    basis: 'raw',
    name: `${date} ${coveredFrom}`,
    actions: coveredFrom
      ? [
          {
            symbol: 'YLD',
            splits: [],
            dividends: [{ exDay: dayFromDate('2026-03-02'), amount: 1 }],
            coverageFromDay: dayFromDate(coveredFrom),
            coverageToDay: dayFromDate('2026-06-30'),
          },
        ]
      : undefined,
  });

/** Ratios that do not tell how many shares a receipt stood for on the days of its filings. */
const UNKNOWN_RATIOS: Record<string, DatasetRow[]> = {
  RCA: [ratio('RCA', '2026-06-01', 5)],
  RCB: [ratio('RCB', '2026-01-02', 5), ratio('RCB', '2026-01-03', null)],
  RCC: [ratio('RCC', '2026-01-02', 0)],
};
const RECEIPTS = ['TSM', ...Object.keys(UNKNOWN_RATIOS)];

const listed = [
  ...RECEIPTS.map((symbol) => ({ symbol, type: 'adr' })),
  ...['Q.A', 'Q.B'].map((symbol) => ({ symbol, cik: 7, type: 'stock' })),
  ...['W.A', 'W.B'].map((symbol) => ({ symbol, cik: 8, type: 'stock' })),
];

/** Loads before each publish: one story of all companies, since a publish takes most of the time. */
const STEPS: ((paths: ModePaths) => Promise<unknown>)[] = [
  async (paths) => {
    const receipts = RECEIPTS.map((symbol) => year(symbol, '2025-12-31', '2026-02-01', 4));
    const rows = {
      shares: ['SPL', ...RECEIPTS].map((symbol) => shares(symbol, '2026-05-01', 1000)),
      statements: [year('SPL', '2025-12-31', '2026-02-01', 20), ...receipts],
    };
    const bars = [
      ...[dayOf('A', '2026-06-25', 10), dayOf('GLD', '2026-06-25', 10)],
      dayOf('SPL', '2026-06-25', 100),
      ...RECEIPTS.map((symbol) => dayOf(symbol, '2026-06-25', 100)),
      ...[dayOf('Q.A', '2026-06-25', 60_000), dayOf('Q.B', '2026-06-25', 40)],
      ...[dayOf('W.B', '2026-06-25', 40_000), yieldBar(100, '2026-06-24')],
    ];
    await add(paths, bars, together(rows, dear('Q.A', 'Q.B', 'W.A', 'W.B')));
    const named = { source: 'files', nowMs: NOW_MS };
    await inStore(paths, (db) => loadSymbols(db, listed, named));
  },
  (paths) =>
    add(paths, [dayOf('W.A', '2026-06-25', 44_000)], {
      shares: ['A', 'GLD', 'LATER'].map((symbol) => shares(symbol, '2026-05-01', 1000)),
      values: [
        ratio('TSM', '2026-01-02', 5),
        ...Object.values(UNKNOWN_RATIOS).flat(),
        ratio('Q.B', '2010-01-04', 1 / 1500),
      ],
      statements: [{ ...year('YLD', '2025-12-31', '2026-02-01', 2), dividendsPerShare: 3 }],
    }),
  (paths) =>
    add(
      paths,
      [
        ...[dayOf('SPL', '2026-06-26', 10, '2026-06-26'), dayOf('W.A', '2026-06-26', 88_000)],
        yieldBar(150, '2026-06-25'),
      ],
      {
        statements: [year('A', '2025-12-31', '2026-02-01', 2)],
        values: [ratio('TSM', '2026-04-01', 10)],
      },
    ),
  async (paths) => {
    const rename = { from: 'SPL', to: 'NEW', day: dayFromDate('2026-06-27'), nowMs: NOW_MS };
    await inStore(paths, (db) => renameSecurity(db, rename));
    const bars = [dayOf('A', '2026-06-26', 12), dayOf('LATER', '2026-06-26', 10)];
    // Some months of actions are not a year of them.
    await add(paths, [...bars, yieldBar(60, '2026-06-26', '2026-01-02')], {
      statements: [year('TSM', '2025-12-31', '2026-05-02', 4)],
    });
  },
  async (paths) => {
    const named = { source: 'files', nowMs: NOW_MS };
    await inStore(paths, (db) => loadSymbols(db, [{ symbol: 'GLD', type: 'etf' }], named));
    await add(paths, [yieldBar(50, '2026-06-29', '2020-01-02')], {
      statements: [year('A', '2025-12-31', '2026-03-01', -2)],
    });
  },
];

const NAMES = ['A', 'GLD', 'LATER', 'SPL', 'NEW', ...RECEIPTS, 'Q.A', 'Q.B', 'W.A', 'W.B', 'YLD'];

interface Told {
  figures: Record<string, typeof UNKNOWN | ReturnType<typeof figuresOf>>;
  dividendYield: number | null;
  /** Figures as of 2026-06-25. */
  past: Record<string, { marketCap: number; peRatio: number }>;
}

const told: Told[] = [];
/** Reasons of missing figures of Q.B after the first step, now and as of the day. */
const reasons: Record<string, string>[] = [];

function pastFigures({ table }: ReturnType<typeof asOf>): Told['past'] {
  const { marketCap, peRatio } = table.columns;
  return Object.fromEntries(
    table.symbols.map((symbol, row) => [
      symbol,
      { marketCap: marketCap[row], peRatio: peRatio[row] },
    ]),
  );
}

beforeAll(async () => {
  const paths = modePaths(home, 'live');
  for (const step of STEPS) {
    await step(paths);
    await run(paths);
    const version = published(paths);
    const names = NAMES.filter((name) => version.quote(name));
    const past = asOf(version, '2026-06-25');
    told.push({
      figures: Object.fromEntries(names.map((name) => [name, figuresOf(paths, name)])),
      dividendYield: version.quote('YLD')!.dividendYield,
      past: pastFigures(past),
    });
    if (told.length > 1) continue;
    for (const universe of [past, universeOf(version)]) {
      const row = universe.table.symbols.indexOf('Q.B');
      reasons.push(universe.reasons(row, ['market_cap', 'pe_ratio', 'price']));
    }
  }
});

/** Figures of a symbol after each step. */
const figures = (symbol: string) => told.map((one) => one.figures[symbol]);

describe('figures of a company', () => {
  it('come with its filings, and follow the price', () => {
    expect(figures('A')).toEqual([
      UNKNOWN,
      { marketCap: 10_000, peRatio: null },
      { marketCap: 10_000, peRatio: 5 },
      { marketCap: 12_000, peRatio: 6 },
      { marketCap: 12_000, peRatio: null },
    ]);
    // Figures that were filed before the first bar are there with it.
    expect(figures('LATER')[3]).toEqual({ marketCap: 10_000, peRatio: null });
    // A fund has none.
    expect(figures('GLD').slice(3)).toEqual([{ marketCap: 10_000, peRatio: null }, UNKNOWN]);
  });

  it('stay with a split, and go to its new symbol', () => {
    const same = { marketCap: 100_000, peRatio: 5 };
    expect(figures('SPL')).toEqual([same, same, same, undefined, undefined]);
    expect(figures('NEW')[3]).toEqual(same);
  });
});

describe('figures of a receipt', () => {
  it('follow from the shares for which it stands, and are null until somebody states them', () => {
    expect(figures('TSM').slice(0, 4)).toEqual([
      UNKNOWN,
      { marketCap: 20_000, peRatio: 5 },
      // The shares are of after the change, the earnings of before it.
      UNKNOWN,
      { marketCap: 10_000, peRatio: 2.5 },
    ]);
    expect(told[0].past.TSM).toEqual({ marketCap: NaN, peRatio: NaN });
    expect(told[1].past.TSM).toEqual({ marketCap: 20_000, peRatio: 5 });
  });

  it.each(Object.keys(UNKNOWN_RATIOS))(
    'are null where the ratio of the days of the filings is not known: %s',
    (symbol) => {
      expect(figures(symbol)).toEqual(Array(STEPS.length).fill(UNKNOWN));
    },
  );
});

describe('figures of classes of stock', () => {
  it('are of the class that the book value proves, in quotes, screens and as of a day', () => {
    const dearest = { marketCap: 60_000_000, peRatio: 20 };
    expect(figures('Q.A')[0]).toEqual(dearest);
    expect(figures('Q.B').slice(0, 2)).toEqual([UNKNOWN, dearest]);
    expect(told[0].past['Q.A']).toEqual(dearest);
    expect(told[0].past['Q.B']).toEqual({ marketCap: NaN, peRatio: NaN });
    const reason = expect.stringMatching('not proved that the shares and earnings per share');
    expect(reasons).toEqual(Array(2).fill({ market_cap: reason, pe_ratio: reason }));
    for (const one of reasons) expect(one.pe_ratio).toBe(one.market_cap);
  });

  it('wait for a price of each class, and follow prices that come apart', () => {
    expect(figures('W.B').slice(0, 3)).toEqual([
      UNKNOWN,
      { marketCap: 40_000_000, peRatio: 40 / 3 },
      UNKNOWN,
    ]);
    expect(figures('W.A')[1].peRatio).toBe(44 / 3);
    expect(figures('W.A')[2]).toEqual(UNKNOWN);
  });
});

it('a dividend yield is of corporate actions where the year of them is known, else of the statements', () => {
  expect(told.map(({ dividendYield }) => dividendYield)).toEqual([null, 0.03, 0.02, 0.05, 0.02]);
});
