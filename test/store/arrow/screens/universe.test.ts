/** Fields of the newest universe, from a synthetic store to a screen. */

import { describe, expect, it } from 'vitest';
import type { ModePaths } from '../../../../src/base/config/data-dir.ts';
import type { DatasetRow } from '../../../../src/base/datasets/dataset.ts';
import { SCREEN_FIELD_NAMES, type ScreenFieldName } from '../../../../src/base/screen-fields.ts';
import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { universeOf } from '../../../../src/store/arrow/screens/universe.ts';
import { emptySnapshot } from '../../../../src/store/arrow/snapshot/empty-snapshot.ts';
import { loadSymbols } from '../../../../src/store/duckdb/securities/symbols.ts';
import { inStore, loadAll, published, run } from '../../../jobs/support/store.ts';
import { freshPaths, NOW_MS, segmentOf } from '../../duckdb/support/fixtures.ts';
import { land } from '../../duckdb/support/row-fixtures.ts';

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

async function publishedWith(rows: Record<string, DatasetRow[]>): Promise<ModePaths> {
  const paths = freshPaths();
  const landed = Object.entries(rows).map(([dataset, values]) => land(dataset, values));
  await loadAll(paths, BARS, ...(await Promise.all(landed)));
  await run(paths);
  return paths;
}

function valuesOf(paths: ModePaths, name: ScreenFieldName): unknown[] {
  return [...universeOf(published(paths)).field(name).values];
}

const { NaN: Null } = Number;

describe('the newest universe', () => {
  it('has the rows of the screener', async () => {
    const paths = await publishedWith({});
    const version = published(paths);
    const universe = universeOf(version);
    expect(universe.table).toBe(version.screener());
    expect(universe.series).toEqual(['A', 'B', 'C']);
    expect(universe.asOfDay).toBeUndefined();
    expect(valuesOf(paths, 'price')).toEqual([10, 1, 3]);
    expect(valuesOf(paths, 'change_pct')).toEqual([25, Null, Null]);
    expect(universeOf(version)).toBe(universe);
  });

  it('has the texts of the directory', async () => {
    const paths = await publishedWith({});
    const facts = { symbol: 'B', companyName: 'Bee', type: 'stock', country: 'US', sector: 'Tech' };
    await inStore(paths, (db) => loadSymbols(db, [facts], { source: 'files', nowMs: NOW_MS }));
    await run(paths);
    expect(valuesOf(paths, 'symbol')).toEqual(['A', 'B', 'C']);
    expect(valuesOf(paths, 'company_name')).toEqual([null, 'Bee', null]);
    expect(valuesOf(paths, 'type')).toEqual([null, 'stock', null]);
    expect(valuesOf(paths, 'country')).toEqual([null, 'US', null]);
    expect(valuesOf(paths, 'sector')).toEqual([null, 'Tech', null]);
    expect(valuesOf(paths, 'industry')).toEqual([null, null, null]);
  });

  it('counts days to and since reports from the newest session', async () => {
    const asOf = Date.parse('2026-06-20');
    const report = (symbol: string, date: string, fiscalQuarter: string) => ({
      symbol,
      date: dayFromDate(date),
      fiscalQuarter,
      asOf,
    });
    const paths = await publishedWith({
      'earnings-calendar': [
        report('A', '2026-04-26', '2026-Q1'),
        report('A', '2026-01-26', '2025-Q4'),
        report('A', '2026-07-01', '2026-Q2'),
        report('A', '2026-10-01', '2026-Q3'),
        report('B', '2026-06-26', '2026-Q1'),
        report('Z', '2026-06-26', '2026-Q1'),
      ],
    });
    expect(valuesOf(paths, 'days_to_earnings')).toEqual([5, 0, Null]);
    expect(valuesOf(paths, 'days_since_earnings')).toEqual([61, Null, Null]);
  });

  it('has the consensus of analysts', async () => {
    const asOf = Date.parse('2026-06-20');
    const paths = await publishedWith({
      'analyst-consensus': [
        { symbol: 'A', asOf, buy: 3, hold: 1, sell: 0, targetMean: 12 },
        { symbol: 'B', asOf, targetMean: 0.5, targetHigh: 2 },
      ],
    });
    expect(valuesOf(paths, 'analyst_consensus')).toEqual(['Strong Buy', null, null]);
    expect(valuesOf(paths, 'analyst_count')).toEqual([4, Null, Null]);
    expect(valuesOf(paths, 'target_price')).toEqual([12, 0.5, Null]);
    expect(valuesOf(paths, 'target_upside')).toEqual([12 / 10 - 1, -0.5, Null]);
  });

  it('sums what insiders bought and sold within 90 days of the newest session', async () => {
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
    const paths = await publishedWith({
      insider: [
        trade('2026-06-26T13:00:00Z', 'buy', 10, '0000000001-26-000001'),
        trade('2026-04-01T13:00:00Z', 'sell', 4, '0000000001-26-000002'),
        trade('2026-03-01T13:00:00Z', 'sell', 100, '0000000001-26-000003'),
        { ...trade('2026-03-01T13:00:00Z', 'sell', 9, '0000000001-26-000004'), symbol: 'C' },
      ],
    });
    expect(valuesOf(paths, 'insider_net_shares_90d')).toEqual([6, Null, 0]);
    expect(valuesOf(paths, 'insider_net_value_90d')).toEqual([12, Null, 0]);
    expect(valuesOf(paths, 'insider_buys_90d')).toEqual([1, Null, 0]);
    expect(valuesOf(paths, 'insider_sells_90d')).toEqual([1, Null, 0]);
  });

  it('reads a field once', async () => {
    const asOf = Date.parse('2026-06-20');
    const paths = await publishedWith({
      'analyst-consensus': [{ symbol: 'A', asOf, buy: 3, hold: 1, sell: 0 }],
    });
    const before = published(paths);
    const counts = universeOf(before).field('analyst_count');
    expect([...universeOf(before).prepare(['analyst_count', 'analyst_consensus'])]).toEqual([]);
    expect(universeOf(before).field('analyst_count')).toBe(counts);
  });

  it('has every field for each row, in a store without any records, and without any bars', async () => {
    const paths = await publishedWith({});
    for (const snapshot of [published(paths), emptySnapshot]) {
      const universe = universeOf(snapshot);
      for (const name of SCREEN_FIELD_NAMES) {
        expect(universe.field(name).values, name).toHaveLength(universe.series.length);
      }
    }
  });
});
