/** Arithmetic that holds on every row of real and made companies, whatever their filings say. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { evidenceOf } from '../../../../src/base/datasets/evidence.ts';
import { decimalSum } from '../../../../src/base/prices/decimals.ts';
import { type CompanyRows, companyRows } from '../../../../src/ingest/vendors/sec/company-rows.ts';
import {
  isCompanyFacts,
  parseCompanyFacts,
} from '../../../../src/ingest/vendors/sec/concepts/parse-companyfacts.ts';
import { realdata } from '../../../support/realdata.ts';
import { someOf } from '../../../support/store-runs.ts';

const SAMPLE = fileURLToPath(
  new URL('../../../../src/ingest/vendors/sec/sample/files/companyfacts', import.meta.url),
);

function companies(): [name: string, rows: CompanyRows][] {
  const folders = [SAMPLE, realdata('sec'), realdata('sec/companyfacts'), realdata('sec/made')];
  const files = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => /\.json(\.gz)?$/.test(path));
  return someOf(files, 2).flatMap((path) => {
    const bytes = readFileSync(path);
    const json = JSON.parse(String(path.endsWith('.gz') ? gunzipSync(bytes) : bytes));
    const name = path.slice(path.lastIndexOf('/') + 1);
    return isCompanyFacts(json) ? [[name, companyRows(parseCompanyFacts(json), new Map())]] : [];
  });
}

const all = companies();

type Row = Readonly<Record<string, unknown>>;
const isKnown = (row: Row, names: readonly string[]) =>
  names.every((name) => typeof row[name] === 'number');
const sum = (row: Row, plus: readonly string[], less: readonly string[] = []) =>
  decimalSum([
    ...plus.map((name) => Number(row[name] ?? 0)),
    ...less.map((name) => -Number(row[name] ?? 0)),
  ]);

/** Figures that are sums of others, with those that must be known and those that may be absent. */
const SUMS = [
  ['cashFlows', 'freeCashFlow', ['operatingCashFlow'], ['capitalExpenditure'], []],
  ['statements', 'ebit', ['pretaxIncome', 'interestExpense'], [], []],
  [
    ...(['cashFlows', 'unexplainedChange', ['changeInCash']] as const),
    ['operatingCashFlow', 'investingCashFlow', 'financingCashFlow'],
    ['exchangeEffect'],
  ],
  [
    ...(['balanceSheets', 'unexplainedAssets', ['totalAssets']] as const),
    ['totalLiabilities', 'totalEquity'],
    ['temporaryEquity'],
  ],
] as const;

describe('every row', () => {
  it.each(SUMS)(
    'of %s has %s as the sum of its parts, or null',
    (dataset, name, plus, less, beside) => {
      let count = 0;
      for (const [company, rows] of all) {
        for (const row of rows[dataset] as readonly Row[]) {
          const parts = isKnown(row, [...plus, ...less]);
          if (row[name] === null || row[name] === undefined) continue;
          count++;
          expect(parts, `${company} ${name}`).toBe(true);
          expect(row[name], company).toBe(sum(row, plus, [...less, ...beside]));
        }
      }
      expect(count).toBeGreaterThan(10);
    },
  );

  it('has gross profit as revenue less cost, but for rounding', () => {
    for (const [company, { statements }] of all) {
      for (const row of statements.filter((one) =>
        isKnown(one, ['grossProfit', 'costOfRevenue']),
      )) {
        const gap = sum(row, ['revenue'], ['costOfRevenue', 'grossProfit']);
        expect(Math.abs(gap), company).toBeLessThanOrEqual(2e-3 * Math.abs(row.revenue ?? 0));
      }
    }
  });

  it('has payments above zero, and no part above its whole', () => {
    const PAID = ['capitalExpenditure', 'dividendsPaid', 'shareRepurchases', 'debtRepaid'] as const;
    for (const [company, { cashFlows, balanceSheets }] of all) {
      for (const row of cashFlows.filter(({ period }) => period === 'annual')) {
        for (const name of PAID)
          expect(row[name] ?? 0, `${company} ${name}`).toBeGreaterThanOrEqual(0);
      }
      for (const {
        cash,
        currentAssets,
        totalAssets,
        totalDebt,
        totalLiabilities,
      } of balanceSheets) {
        expect(cash ?? 0, company).toBeLessThanOrEqual(totalAssets ?? Number.POSITIVE_INFINITY);
        expect(currentAssets ?? 0, company).toBeLessThanOrEqual(
          totalAssets ?? Number.POSITIVE_INFINITY,
        );
        expect(totalDebt ?? 0, company).toBeLessThanOrEqual(
          totalLiabilities ?? Number.POSITIVE_INFINITY,
        );
      }
    }
  });

  it('has each difference and sum as what its named lines give', () => {
    let count = 0;
    for (const [company, { statements, cashFlows }] of all) {
      for (const row of [...statements, ...cashFlows] as readonly (Row & { evidence?: string })[]) {
        for (const [name, figure] of Object.entries(evidenceOf(row))) {
          const { verdict, lines = [] } = figure!;
          const isOfPeriods =
            verdict === 'difference' && /^(year|\w+ months) to/.test(lines[0]?.[0]);
          if (!isOfPeriods || typeof row[name] !== 'number') continue;
          count++;
          const total = decimalSum(lines.map(([, , value]) => value ?? Number.NaN));
          expect(total, `${company} ${name}`).toBe(row[name]);
        }
      }
    }
    expect(count).toBeGreaterThan(1000);
  });
});
