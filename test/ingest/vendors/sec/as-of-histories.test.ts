/** Answers as of a past day never follow from later filings: random histories, synthetic. */

import { describe, expect, it } from 'vitest';
import { scaled, seededRandom } from '../../../faults/scale.ts';
import {
  balance,
  day,
  income,
  rowsOf,
  type TestFact,
  type TestFiling,
} from './support/facts-json.ts';

const REVENUES = ['Revenues', 'RevenueFromContractWithCustomerExcludingAssessedTax'];
const MEAN = 'WeightedAverageNumberOfDilutedSharesOutstanding';
const ENDS = ['03-31', '06-30', '09-30', '12-31'];
const STARTS = ['01-01', '04-01', '07-01', '10-01'];

interface Filer {
  random: () => number;
  /** Amounts of a quarter; a restatement changes them for all later filings. */
  amounts: Map<string, number>;
  revenue: string;
  shares: number;
  hasEarned?: boolean;
}

function amountOf(
  { random, amounts }: Filer,
  concept: string,
  year: number,
  quarter: number,
): number {
  const key = `${concept} ${year} ${quarter}`;
  if (!amounts.has(key)) amounts.set(key, Math.round(100 + 900 * random()) * 1e5);
  return amounts.get(key)!;
}

function restate({ random, amounts }: Filer): void {
  const keys = [...amounts.keys()];
  for (let nth = 0; nth < 3; nth++) {
    const key = keys[Math.floor(random() * keys.length)];
    if (key) amounts.set(key, Math.round(amounts.get(key)! * (0.7 + 0.6 * random())));
  }
}

/** Figures from the first of a year's quarters to the last one, some of which it leaves out. */
function spanOf(filer: Filer, year: number, first: number, last: number): TestFact[] {
  const sum = (concept: string) => {
    let all = 0;
    for (let quarter = first; quarter <= last; quarter++)
      all += amountOf(filer, concept, year, quarter);
    return all;
  };
  const figures: Record<string, number> = {
    [filer.revenue]: sum('Revenues'),
    NetIncomeLoss: sum('NetIncomeLoss'),
  };
  for (const concept of [
    'ResearchAndDevelopmentExpense',
    'IncomeTaxExpenseBenefit',
    'OperatingIncomeLoss',
  ]) {
    if (filer.random() < 0.8) figures[concept] = sum(concept);
  }
  for (const section of ['Operating', 'Investing', 'Financing']) {
    const concept = `NetCashProvidedByUsedIn${section}Activities`;
    if (first === 1) figures[concept] = sum(concept);
  }
  // Some give earnings of a share, some give shares in thousands, or a million times.
  const units = [1, 1, 1, 1e-3, 1e6];
  // The unit of the first shares is settled by the next earnings.
  if (!filer.hasEarned || filer.random() < 0.7)
    figures.EarningsPerShareDiluted = figures.NetIncomeLoss / filer.shares;
  if (filer.random() < 0.8)
    figures[MEAN] = filer.shares * units[Math.floor(filer.random() * units.length)];
  return income(`${year}-${STARTS[first - 1]}`, `${year}-${ENDS[last - 1]}`, figures);
}

function sheetOf(filer: Filer, year: number, quarter: number): TestFact[] {
  const amount = (concept: string) => amountOf(filer, concept, year, quarter);
  const debt = ['LongTermDebtNoncurrent', 'LongTermDebtCurrent', 'ShortTermBorrowings'];
  const lines = debt
    .filter(() => filer.random() < 0.7)
    .map((concept) => [concept, amount(concept)]);
  const equity = amount('StockholdersEquity');
  const Assets = 3e9 + equity;
  return balance(`${year}-${ENDS[quarter - 1]}`, {
    ...{ Assets, Liabilities: 3e9, StockholdersEquity: equity },
    ...Object.fromEntries(lines),
  });
}

function reportOf(
  filer: Filer,
  year: number,
  quarter: number,
  filed: string,
  isAmended: boolean,
): TestFiling {
  const isYear = quarter === 4;
  const spans = isYear
    ? [[1, 4]]
    : quarter === 1
      ? [[1, 1]]
      : [
          [quarter, quarter],
          [1, quarter],
        ];
  const years = filer.random() < 0.7 ? [year, year - 1] : [year];
  return {
    form: `${isYear ? '10-K' : '10-Q'}${isAmended ? '/A' : ''}`,
    ...{ filed, fy: year, fp: isYear ? 'FY' : `Q${quarter}` },
    facts: [
      ...years.flatMap((of) => spans.flatMap(([from, to]) => spanOf(filer, of, from, to))),
      ...sheetOf(filer, year, quarter),
      ...sheetOf(filer, year - 1, 4),
      // Its period is known at once only if the filing compares with it.
      ...(filer.random() < 0.4 && quarter < 4 ? sheetOf(filer, year - 1, quarter) : []),
    ],
  };
}

function randomHistory(seed: number): TestFiling[] {
  const random = seededRandom(seed);
  const filer: Filer = { random, amounts: new Map(), revenue: REVENUES[0], shares: 1e8 };
  const filings: TestFiling[] = [];
  for (let year = 2021; year <= 2023; year++) {
    for (let quarter = 1; quarter <= 4; quarter++) {
      if (random() < 0.08) continue;
      const month = (3 * quarter + 1) % 12 || 12;
      const filedYear = quarter === 4 ? year + 1 : year;
      const on = (date: number) => `${filedYear}-${String(month).padStart(2, '0')}-${date}`;
      if (random() < 0.3) restate(filer);
      if (random() < 0.15) filer.revenue = REVENUES[Math.floor(random() * REVENUES.length)];
      if (random() < 0.15) filer.shares *= random() < 0.5 ? 4 : 1e-3;
      filings.push(reportOf(filer, year, quarter, on(20), false));
      filer.hasEarned = true;
      if (random() < 0.2) restate(filer);
      else continue;
      filings.push(reportOf(filer, year, quarter, on(27), true));
    }
  }
  return filings;
}

type Row = { date: number; period?: string; kind?: string; filedAt: number };

/** The newest versions that were known at a moment, without the labels of their periods. */
function knownRows(rows: readonly Row[], momentMs: number): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  // Whether a balance sheet is of the end of a year is told by the report of that year.
  const isCompared = (row: Row) => !('totalAssets' in row && row.period === 'annual');
  for (const row of rows.filter(isCompared)) {
    if (row.filedAt > momentMs) continue;
    known[`${row.period ?? row.kind} ${row.date}`] = { ...row, fiscalYear: 0, fiscalQuarter: 0 };
  }
  return known;
}

const DATASETS = ['statements', 'balanceSheets', 'cashFlows', 'shares'] as const;

describe('rows as of a day', () => {
  it('are those that the filings up to that day give alone', () => {
    let compared = 0;
    for (let seed = 1; seed <= scaled(4, 400); seed++) {
      const filings = randomHistory(seed);
      const whole = rowsOf(filings);
      for (let count = 1; count < filings.length; count++) {
        const momentMs = (day(filings[count - 1].filed) + 1.5) * 86_400_000;
        const then = rowsOf(filings.slice(0, count));
        for (const name of DATASETS) {
          const rows = knownRows(whole[name], momentMs);
          expect(rows, `seed ${seed}, ${name} after ${count} filings`).toEqual(
            knownRows(then[name], momentMs),
          );
          compared += Object.keys(rows).length;
        }
      }
    }
    expect(compared).toBeGreaterThan(1000);
  });

  it('have a stated figure of a year as the last report before the day gives it', () => {
    let compared = 0;
    for (let seed = 1; seed <= scaled(4, 400); seed++) {
      const filings = randomHistory(seed);
      const { statements, cashFlows } = rowsOf(filings);
      for (const { filed } of filings) {
        const momentMs = (day(filed) + 1.5) * 86_400_000;
        for (const [rows, field, concept] of [
          [statements, 'netIncome', 'NetIncomeLoss'],
          [statements, 'researchDevelopment', 'ResearchAndDevelopmentExpense'],
          [cashFlows, 'operatingCashFlow', 'NetCashProvidedByUsedInOperatingActivities'],
        ] as const) {
          for (const year of [2020, 2021, 2022, 2023]) {
            const facts = filings.filter((one) => one.filed <= filed).flatMap((one) => one.facts);
            const told = facts.findLast(
              (fact) =>
                fact.concept === concept &&
                fact.start === `${year}-01-01` &&
                fact.end === `${year}-12-31`,
            );
            const row = Object.values(knownRows(rows, momentMs)).find(
              (one) =>
                (one as Row).period === 'annual' && (one as Row).date === day(`${year}-12-31`),
            ) as Record<string, unknown> | undefined;
            expect(row?.[field] ?? null, `seed ${seed} ${field} ${year} on ${filed}`).toBe(
              told?.val ?? null,
            );
            compared++;
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(400);
  });
});
