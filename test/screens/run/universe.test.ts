/** Fields of the newest universe, from a synthetic store to a screen. */

import { beforeAll, describe, expect, it } from 'vitest';
import { modePaths } from '../../../src/base/config/data-dir.ts';
import type { DatasetRow } from '../../../src/base/datasets/dataset.ts';
import { SCREEN_FIELD_NAMES, type ScreenFieldName } from '../../../src/base/fields.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { universeOf } from '../../../src/screens/run/universe.ts';
import type { PublishedVersion } from '../../../src/store/arrow/read/published-version.ts';
import { emptySnapshot } from '../../../src/store/arrow/snapshot/empty-snapshot.ts';
import { loadSymbols } from '../../../src/store/duckdb/securities/symbols.ts';
import { inStore, loadAll, published, run } from '../../jobs/support/store.ts';
import { freshPaths, NOW_MS, segmentOf } from '../../store/duckdb/support/fixtures.ts';
import { land } from '../../store/duckdb/support/row-fixtures.ts';
import { sharedFolder } from '../../support/folders.ts';

const BARS = segmentOf(
  [
    {
      symbol: 'A',
      bars: [
        ['2026-06-25', 8],
        ['2026-06-26', 10],
      ],
    },
    { symbol: 'B', bars: [['2026-06-26', 1]] },
    { symbol: 'C', bars: [['2026-03-02', 3]] },
  ],
  { basis: 'raw' },
);

const asOf = Date.parse('2026-06-20');

const report = (symbol: string, date: string, fiscalQuarter: string) => ({
  ...{ symbol, date: dayFromDate(date), fiscalQuarter, asOf },
});

const trade = (filed: string, transactionType: string, shares: number, accession: string) => ({
  symbol: 'A',
  insiderName: 'DOE JANE',
  transactionType,
  shares,
  price: 2,
  filedAt: Date.parse(filed),
  accession,
  line: 1,
});

const ROWS: Record<string, DatasetRow[]> = {
  'earnings-calendar': [
    report('A', '2026-04-26', '2026-Q1'),
    report('A', '2026-01-26', '2025-Q4'),
    report('A', '2026-07-01', '2026-Q2'),
    report('A', '2026-10-01', '2026-Q3'),
    report('B', '2026-06-26', '2026-Q1'),
    report('Z', '2026-06-26', '2026-Q1'),
  ],
  'analyst-consensus': [
    { symbol: 'A', asOf, buy: 3, hold: 1, sell: 0, targetMean: 12 },
    { symbol: 'B', asOf, targetMean: 0.5, targetHigh: 2 },
  ],
  insider: [
    trade('2026-06-26T13:00:00Z', 'buy', 10, '0000000001-26-000001'),
    trade('2026-04-01T13:00:00Z', 'sell', 4, '0000000001-26-000002'),
    trade('2026-03-01T13:00:00Z', 'sell', 100, '0000000001-26-000003'),
    { ...trade('2026-03-01T13:00:00Z', 'sell', 9, '0000000001-26-000004'), symbol: 'C' },
  ],
};

const { NaN: Null } = Number;

describe('the newest universe', () => {
  const paths = modePaths(sharedFolder(), 'live');
  let version: PublishedVersion;
  beforeAll(async () => {
    const landed = Object.entries(ROWS).map(([dataset, rows]) => land(dataset, rows));
    await loadAll(paths, BARS, ...(await Promise.all(landed)));
    const facts = { symbol: 'B', companyName: 'Bee', type: 'stock', country: 'US', sector: 'Tech' };
    await inStore(paths, (db) => loadSymbols(db, [facts], { source: 'files', nowMs: NOW_MS }));
    await run(paths);
    version = published(paths);
  });

  it('has the rows of the screener', () => {
    const universe = universeOf(version);
    expect(universe.table).toBe(version.screener());
    expect(universe.series).toEqual(['A', 'B', 'C']);
    expect(universe.asOfDay).toBeUndefined();
    expect(universeOf(version)).toBe(universe);
  });

  it.each<[what: string, fields: Partial<Record<ScreenFieldName, unknown[]>>]>([
    ['prices', { price: [10, 1, 3], change_pct: [25, Null, Null] }],
    [
      'the texts of the directory',
      {
        symbol: ['A', 'B', 'C'],
        company_name: [null, 'Bee', null],
        type: [null, 'stock', null],
        country: [null, 'US', null],
        sector: [null, 'Tech', null],
        industry: [null, null, null],
      },
    ],
    [
      'days to and since reports, counted from the newest session',
      { days_to_earnings: [5, 0, Null], days_since_earnings: [61, Null, Null] },
    ],
    [
      'the consensus of analysts',
      {
        analyst_consensus: ['Strong Buy', null, null],
        analyst_count: [4, Null, Null],
        target_price: [12, 0.5, Null],
        target_upside: [12 / 10 - 1, -0.5, Null],
      },
    ],
    [
      'what insiders bought and sold within 90 days of the newest session',
      {
        insider_net_shares_90d: [6, Null, 0],
        insider_net_value_90d: [12, Null, 0],
        insider_buys_90d: [1, Null, 0],
        insider_sells_90d: [1, Null, 0],
      },
    ],
  ])('has %s', (_what, fields) => {
    for (const [name, values] of Object.entries(fields)) {
      expect([...universeOf(version).field(name as ScreenFieldName).values], name).toEqual(values);
    }
  });

  it('reads a field once', () => {
    using fresh = published(paths);
    const counts = universeOf(fresh).field('analyst_count');
    expect([...universeOf(fresh).prepare(['analyst_count', 'analyst_consensus'])]).toEqual([]);
    expect(universeOf(fresh).field('analyst_count')).toBe(counts);
  });

  it('has every field for each row, in a store without any records, and without any bars', async () => {
    const bare = freshPaths();
    await loadAll(bare, BARS);
    await run(bare);
    for (const snapshot of [published(bare), emptySnapshot]) {
      const universe = universeOf(snapshot);
      for (const name of SCREEN_FIELD_NAMES) {
        expect(universe.field(name).values, name).toHaveLength(universe.series.length);
      }
    }
  });
});
