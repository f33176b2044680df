/** Figures from real filings equal those in the companies' own reports. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CompanyRows, companyRows } from '../../../../src/ingest/vendors/sec/company-rows.ts';
import { parseCompanyFacts } from '../../../../src/ingest/vendors/sec/concepts/parse-companyfacts.ts';
import type { StatementRow } from '../../../../src/ingest/vendors/sec/facts/income-statements.ts';
import { parseSubmissions } from '../../../../src/ingest/vendors/sec/parse-submissions.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { someOf } from '../../../support/store-runs.ts';
import { day } from './support/facts-json.ts';

const json = (path: string) => JSON.parse(readFileSync(realdata(`sec/${path}`), 'utf8'));

const FILES = {
  SNOW: 'companyfacts_SNOW.json',
  MRVL: 'companyfacts/CIK0001835632.json',
  GOOGL: 'companyfacts/CIK0001652044.json',
} as const;

type Name = keyof typeof FILES;

const kept = new Map<Name, CompanyRows>();

function rowsOf(name: Name): CompanyRows {
  const rows = kept.get(name) ?? companyRows(parseCompanyFacts(json(FILES[name])), new Map());
  kept.set(name, rows);
  return rows;
}

/** The newest version of each period, by date. */
function newest<R extends { date: number; period: string; filedAt: number }>(
  rows: readonly R[],
  period: string,
): R[] {
  const byDate = new Map<number, R>();
  for (const row of rows.filter((one) => one.period === period)) {
    const other = byDate.get(row.date);
    if (!other || other.filedAt < row.filedAt) byDate.set(row.date, row);
  }
  return [...byDate.values()].sort((a, b) => a.date - b.date);
}

const MILLION = 1e6;

/** Fiscal year, its last day, revenue and net income in millions, from the annual reports. */
const REPORTED: Record<Name, [year: number, date: string, revenue: number, netIncome: number][]> = {
  SNOW: [
    [2022, '2022-01-31', 1219.327, -679.948],
    [2023, '2023-01-31', 2065.659, -796.705],
    [2024, '2024-01-31', 2806.489, -836.097],
    [2025, '2025-01-31', 3626.396, -1285.64],
  ],
  MRVL: [
    [2023, '2023-01-28', 5919.6, -163.5],
    [2024, '2024-02-03', 5507.7, -933.4],
    [2025, '2025-02-01', 5767.3, -885],
    [2026, '2026-01-31', 8194.6, 2670.1],
  ],
  GOOGL: [
    [2022, '2022-12-31', 282_836, 59_972],
    [2023, '2023-12-31', 307_394, 73_795],
    [2024, '2024-12-31', 350_018, 100_118],
    [2025, '2025-12-31', 402_836, 132_170],
  ],
};

describe.skipIf(!hasRealdata)('company facts of real companies', () => {
  it.each(someOf(Object.keys(FILES) as Name[], 3))(
    'give the latest four years of %s as reported',
    (name) => {
      const years = newest(rowsOf(name).statements, 'annual').slice(-4);
      expect(
        years.map(({ fiscalYear, date, revenue, netIncome }) => ({
          fiscalYear,
          date,
          revenue,
          netIncome,
        })),
      ).toEqual(
        REPORTED[name].map(([fiscalYear, date, revenue, netIncome]) => ({
          fiscalYear,
          date: day(date),
          revenue: Math.round(revenue * MILLION),
          netIncome: Math.round(netIncome * MILLION),
        })),
      );
    },
  );

  it.each(Object.keys(FILES) as Name[])(
    'have four quarters in each of these years of %s',
    (name) => {
      const { statements } = rowsOf(name);
      const quarters = newest(statements, 'quarterly');
      for (const year of newest(statements, 'annual').slice(-4)) {
        const own = quarters.filter(({ fiscalYear }) => fiscalYear === year.fiscalYear);
        expect(own.map(({ fiscalQuarter }) => fiscalQuarter)).toEqual([1, 2, 3, 4]);
        const sum = (field: 'revenue' | 'netIncome' | 'operatingIncome') =>
          own.reduce((total, row) => total + Number(row[field]), 0);
        // Filings of Marvell round each quarter to tenths of a million.
        const near = (field: 'revenue' | 'netIncome' | 'operatingIncome') =>
          expect(Math.abs(sum(field) - Number(year[field]))).toBeLessThanOrEqual(0.2 * MILLION);
        near('revenue');
        near('netIncome');
        near('operatingIncome');
      }
    },
  );

  it.each(Object.keys(FILES) as Name[])(
    'balance: assets of %s are liabilities and equity',
    (name) => {
      const { balanceSheets } = rowsOf(name);
      expect(balanceSheets.length).toBeGreaterThan(20);
      const off = balanceSheets.filter(
        ({ date, totalAssets, totalLiabilities, totalEquity }) =>
          // Snowflake's preferred shares were neither liabilities nor equity before it was listed.
          date > day('2020-02-01') &&
          Math.abs(Number(totalAssets) - Number(totalLiabilities) - Number(totalEquity)) >
            0.2 * MILLION,
      );
      expect(off).toEqual([]);
      for (const { totalDebt, cash, netDebt } of balanceSheets) {
        const isKnown = totalDebt !== null && cash !== null;
        expect(netDebt).toBe(isKnown ? totalDebt - cash : null);
      }
    },
  );

  it('give the borrowings of Alphabet, and count its shares without its cover', () => {
    const { balanceSheets, shares } = rowsOf('GOOGL');
    expect(newest(balanceSheets, 'quarterly').at(-1)).toMatchObject({
      date: day('2026-03-31'),
      cash: 38_063 * MILLION,
      totalDebt: 79_499 * MILLION,
    });
    expect(new Set(shares.map(({ kind }) => kind))).toEqual(new Set(['balance', 'weighted']));
    const balances = shares.filter(({ kind }) => kind === 'balance');
    expect(balances.at(-1)).toMatchObject({ date: day('2026-03-31'), shares: 12_116 * MILLION });
  });

  it('keep earnings per share as filed before a split, and as restated after it', () => {
    const year = (row: StatementRow) => row.period === 'annual' && row.date === day('2021-12-31');
    const versions = rowsOf('GOOGL').statements.filter(year);
    expect(versions.map(({ eps, epsDiluted }) => [eps, epsDiluted])).toEqual([
      [113.88, 112.2],
      [5.69, 5.61],
    ]);
  });

  it('are dated by their submissions', () => {
    const { acceptedMs } = parseSubmissions(json('submissions/CIK0001835632.json'));
    const rows = companyRows(parseCompanyFacts(json(FILES.MRVL)), acceptedMs);
    const last = newest(rows.statements, 'annual').at(-1);
    expect(new Date(Number(last?.filedAt)).toISOString()).toBe('2026-03-11T20:04:20.000Z');
  });
});
