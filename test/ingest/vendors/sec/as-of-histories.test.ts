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
const DAY_MS = 86_400_000;

/** Quarters are counted from the first of year 0: `4 * 2021 + 3` is the last of 2021. */
const startOf = (quarter: number) => Date.UTC(Math.floor(quarter / 4), 3 * (quarter % 4), 1);
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const endOf = (quarter: number) => startOf(quarter + 1) - DAY_MS;

interface Filer {
  random: () => number;
  /** True if it writes some days and fiscal years otherwise, and changes its fiscal year. */
  isOdd: boolean;
  /** Amounts of a quarter; a restatement changes them for all later filings. */
  amounts: Map<string, number>;
  revenue: string;
  shares: number;
  /** First quarter of its fiscal year. */
  firstOfYear: number;
}

function amountOf({ random, amounts }: Filer, concept: string, quarter: number): number {
  const key = `${concept} ${quarter}`;
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

/** A day, which an odd filer sometimes writes up to four days off. */
function written({ random, isOdd }: Filer, ms: number): string {
  const isOff = isOdd && random() < 0.15;
  return dateOf(isOff ? ms + Math.round(8 * random() - 4) * DAY_MS : ms);
}

/** Figures from the first of a year's quarters to the last one, some of which it leaves out. */
function spanOf(filer: Filer, first: number, last: number): TestFact[] {
  const sum = (concept: string) => {
    let all = 0;
    for (let quarter = first; quarter <= last; quarter++) all += amountOf(filer, concept, quarter);
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
    figures[concept] = sum(concept);
  }
  // Some give earnings of a share, some give shares in thousands, or a million times.
  const units = [1, 1, 1, 1e-3, 1e6];
  if (filer.random() < 0.7) figures.EarningsPerShareDiluted = figures.NetIncomeLoss / filer.shares;
  if (filer.random() < 0.8)
    figures[MEAN] = filer.shares * units[Math.floor(filer.random() * units.length)];
  return income(written(filer, startOf(first)), written(filer, endOf(last)), figures);
}

function sheetOf(filer: Filer, quarter: number): TestFact[] {
  const amount = (concept: string) => amountOf(filer, concept, quarter);
  const debt = ['LongTermDebtNoncurrent', 'LongTermDebtCurrent', 'ShortTermBorrowings'];
  const lines = debt
    .filter(() => filer.random() < 0.7)
    .map((concept) => [concept, amount(concept)]);
  const equity = amount('StockholdersEquity');
  const Assets = 3e9 + equity;
  return balance(written(filer, endOf(quarter)), {
    ...{ Assets, Liabilities: 3e9, StockholdersEquity: equity },
    ...Object.fromEntries(lines),
  });
}

function reportOf(filer: Filer, quarter: number, filedMs: number, form: string): TestFiling {
  const { random, isOdd, firstOfYear } = filer;
  const nth = quarter - firstOfYear;
  const isAnnual = form.startsWith('10-K');
  const spans = isAnnual || nth === 0 ? [0] : [nth, 0];
  const years = random() < 0.7 ? [0, 4] : [0];
  const fy = Math.floor((firstOfYear + 3) / 4) + (isOdd && random() < 0.1 ? 1 : 0);
  return {
    ...{ form, filed: dateOf(filedMs), fy: isOdd && random() < 0.1 ? undefined : fy },
    fp: isAnnual ? 'FY' : `Q${nth + 1}`,
    facts: [
      ...years.flatMap((back) =>
        spans.flatMap((from) => spanOf(filer, firstOfYear + from - back, quarter - back)),
      ),
      ...sheetOf(filer, quarter),
      ...sheetOf(filer, firstOfYear - 1),
      // Its period is known at once only if the filing compares with it.
      ...(random() < 0.4 && !isAnnual ? sheetOf(filer, quarter - 4) : []),
    ],
  };
}

function randomHistory(seed: number, isOdd: boolean): TestFiling[] {
  const random = seededRandom(seed);
  const filer: Filer = {
    ...{ random, isOdd, amounts: new Map(), revenue: REVENUES[0], shares: 1e8 },
    firstOfYear: 4 * 2021,
  };
  const filings: TestFiling[] = [];
  for (let quarter = 4 * 2021; quarter < 4 * 2024; quarter++) {
    const isLast = quarter - filer.firstOfYear === 3;
    const isCut = isOdd && !isLast && random() < 0.08;
    const form = isLast ? '10-K' : isCut ? '10-KT' : '10-Q';
    const filedMs = endOf(quarter) + 20 * DAY_MS;
    if (random() >= 0.08) {
      if (random() < 0.3) restate(filer);
      if (random() < 0.15) filer.revenue = REVENUES[Math.floor(random() * REVENUES.length)];
      if (random() < 0.15) filer.shares *= random() < 0.5 ? 4 : 1e-3;
      filings.push(reportOf(filer, quarter, filedMs, form));
      const isAmended = random() < 0.2;
      if (isAmended) restate(filer);
      if (isAmended) filings.push(reportOf(filer, quarter, filedMs + 7 * DAY_MS, `${form}/A`));
    }
    if (isLast || isCut) filer.firstOfYear = quarter + 1;
  }
  return filings;
}

type Row = { date: number; period?: string; kind?: string; filedAt: number };

/** The newest versions that were known at a moment. */
function knownRows(rows: readonly Row[], momentMs: number): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const row of rows) {
    if (row.filedAt <= momentMs) known[`${row.period ?? row.kind} ${row.date}`] = row;
  }
  return known;
}

const DATASETS = ['statements', 'balanceSheets', 'cashFlows', 'shares'] as const;

describe('rows as of a day', () => {
  it('are those that the filings up to that day give alone', () => {
    let compared = 0;
    for (let seed = 1; seed <= scaled(4, 400); seed++) {
      const filings = randomHistory(seed, true);
      const whole = rowsOf(filings);
      for (let count = 1; count < filings.length; count++) {
        const momentMs = (day(filings[count - 1].filed) + 1.5) * DAY_MS;
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
      const filings = randomHistory(seed, false);
      const { statements, cashFlows } = rowsOf(filings);
      for (const { filed } of filings) {
        const momentMs = (day(filed) + 1.5) * DAY_MS;
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
