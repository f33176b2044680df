/** Figures of Nvidia as of past days, from its filings as the SEC serves them. */

import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { DatasetRow } from '../../../src/base/datasets/dataset.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { companyRows } from '../../../src/ingest/vendors/sec/company-rows.ts';
import { parseCompanyFacts } from '../../../src/ingest/vendors/sec/concepts/parse-companyfacts.ts';
import type { CandleSegment } from '../../../src/store/duckdb/connection/candle-segment.ts';
import { loadAll, published, run } from '../../jobs/support/store.ts';
import { freshPaths, oneFile, type TestBar } from '../../store/duckdb/support/fixtures.ts';
import { land } from '../../store/duckdb/support/row-fixtures.ts';
import { hasRealdata, realdata } from '../../support/realdata.ts';
import { long } from '../../support/store-runs.ts';
import { readZipMembers } from '../../support/zip-members.ts';
import { asOf } from './support/finished.ts';

let facts: ReturnType<typeof companyRows> | undefined;

/** All filings up to 2026, far beyond the days that are looked at. */
async function filed() {
  const json = () => readFileSync(realdata('sec/companyfacts/CIK0001045810.json'), 'utf8');
  facts ??= companyRows(parseCompanyFacts(JSON.parse(json())), new Map());
  const rows = facts;
  const named = (some: object[]) => some.map((row) => ({ symbol: 'NVDA', ...row }) as DatasetRow);
  return [
    await land('statements', named(rows.statements)),
    await land('balance-sheet', named(rows.balanceSheets)),
    await land('shares', named(rows.shares)),
  ];
}

async function versionWith(bars: CandleSegment) {
  const paths = freshPaths();
  await loadAll(paths, bars, ...(await filed()));
  await run(paths);
  return published(paths);
}

describe.skipIf(!hasRealdata)('figures of Nvidia', () => {
  long('of November 2017 are those of its report of August', async () => {
    const name = 'Stocks/nvda.us.txt';
    const zip = realdata('daily/universe_2017.zip');
    const lines = (await readZipMembers(zip, [name])).get(name)!.trim().split('\n').slice(1);
    const bars = lines.map((line): TestBar => {
      const [date, , , , close, volume] = line.split(',');
      return [date, Number(close), Number(volume)];
    });
    const version = await versionWith(oneFile(bars, { basis: 'all' }, 'NVDA'));
    const { columns } = asOf(version, '2017-11-10').table;
    // Cover of the 10-Q of 23 August 2017: 600,171,277 shares. The next report is of 21 November.
    expect(columns.marketCap[0]).toBeCloseTo(216.14 * 600_171_277, 0);
    // Diluted, by quarter to July 2017: 0.83 (October), 0.99, 0.79, 0.92.
    expect(columns.peRatio[0]).toBeCloseTo(216.14 / (0.83 + 0.99 + 0.79 + 0.92), 9);
    // Later splits of these adjusted prices are not known.
    const before = asOf(version, '2017-06-30');
    expect(before.table.columns.price[0]).toBe(144.43);
    expect(before.table.columns.marketCap[0]).toBeNaN();
    expect(before.bases).toEqual(['all']);
    // Ten quarters later: the year to 30 April 2017 had 7,542 million dollars of revenue.
    expect(before.field('revenue').values[0]).toBe(7_542e6);
  });

  long('of the session before the split of June 2024 are in old shares', async () => {
    const bars: TestBar[] = [
      ['2024-06-06', 121.0],
      ['2024-06-07', 120.888],
      ['2024-06-10', 121.79],
      ['2024-08-28', 125.61],
    ];
    const splits = [{ exDay: dayFromDate('2024-06-10'), numerator: 10, denominator: 1 }];
    const covered = {
      coverageFromDay: dayFromDate('2024-01-01'),
      coverageToDay: dayFromDate('2024-08-28'),
    };
    const actions = [{ symbol: 'NVDA', splits, dividends: [], ...covered }];
    const version = await versionWith(oneFile(bars, { basis: 'split', actions }, 'NVDA'));
    const before = asOf(version, '2024-06-07');
    expect(before.table.columns.price[0]).toBe(1208.88);
    // Cover of the 10-Q of 29 May 2024: 2,460 million shares, before the split.
    expect(before.field('shares_outstanding').values[0]).toBe(2_460e6);
    expect(before.table.columns.marketCap[0]).toBeCloseTo(1208.88 * 2_460e6, 0);
    const after = asOf(version, '2024-06-10');
    expect(after.table.columns.price[0]).toBe(121.79);
    expect(after.field('shares_outstanding').values[0]).toBe(24_600e6);
    const [eps, newEps] = [before, after].map((one) => Number(one.field('eps_diluted').values[0]));
    expect(newEps).toBeCloseTo(eps / 10, 12);
  });
});
