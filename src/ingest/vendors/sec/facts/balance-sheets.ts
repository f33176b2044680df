/** Builds the balance sheets of a company. Each restatement is a version of its own. Pure. */

import type { RowOf } from '../../../../base/datasets/dataset.ts';
import type { balanceSheet } from '../../../../base/datasets/filings.ts';
import { BALANCE_CONCEPTS, DEBT_CONCEPTS } from './concepts.ts';
import type { FiscalCalendar } from './fiscal-calendar.ts';
import type { FactFiling } from './parse-companyfacts.ts';
import { figureRules, pickFigures, reportingCurrency } from './pick-figures.ts';
import { addVersion, type DatedFiling, type VersionsOf } from './row-versions.ts';

export type BalanceRow = Omit<RowOf<typeof balanceSheet>, 'symbol'>;

type BalanceField =
  | 'totalAssets'
  | 'totalLiabilities'
  | 'totalEquity'
  | 'cash'
  | 'totalDebt'
  | 'netDebt';

const rules = figureRules({ ...BALANCE_CONCEPTS, ...DEBT_CONCEPTS });

type Picked = Partial<Record<keyof typeof BALANCE_CONCEPTS | keyof typeof DEBT_CONCEPTS, number>>;

/**
 * Builds a row for each quarter end, and another one for each year end. A filing has a balance
 * sheet of a day if it gives total assets for it.
 */
export function balanceSheets(
  filings: readonly (FactFiling & DatedFiling)[],
  calendar: FiscalCalendar,
): BalanceRow[] {
  const versions: VersionsOf<BalanceField> = new Map();
  /** Parts are carried forward, totals are not: a later filing may show fewer of them. */
  const parts = new Map<number, { currency: string; picked: Picked }>();
  for (const filing of filings) {
    const currency = reportingCurrency(filing.facts);
    if (currency === undefined) continue;
    const sheets = pickFigures(filing.facts, rules, currency).filter(
      ({ startDay, figures }) => startDay === undefined && figures.totalAssets !== undefined,
    );
    const newestDay = Math.max(...sheets.map(({ endDay }) => endDay));
    const written = new Set(sheets.map(({ endDay }) => endDay));
    for (const { endDay: day, figures } of sheets) {
      // A balance sheet a day after a period's end may open the next period.
      const endDay = written.has(calendar.endOf(day)) ? day : calendar.endOf(day);
      // Balance sheets of other days belong to acquisitions.
      if (day !== newestDay && !calendar.has(endDay)) continue;
      const before = parts.get(endDay);
      const isCarried = before?.currency === currency;
      const picked = isCarried ? { ...before.picked, ...figures } : figures;
      parts.set(endDay, { currency, picked });
      addVersion(versions, String(endDay), filing, { currency, figures: balanceOf(picked) });
    }
  }
  return [...versions].flatMap(([key, list]) => {
    const date = Number(key);
    const { fiscalYear, fiscalQuarter } = calendar.labelOf(date);
    const head = { date, fiscalYear };
    return list.flatMap((version): BalanceRow[] => [
      ...(calendar.isYearEnd(date)
        ? [{ ...head, period: 'annual' as const, fiscalQuarter: null, ...version }]
        : []),
      { ...head, period: 'quarterly', fiscalQuarter, ...version },
    ]);
  });
}

function balanceOf(picked: Picked): Record<BalanceField, number | null> {
  const { totalAssets = null, temporaryEquity = 0, cash = null } = picked;
  const totalEquity = equityOf(picked);
  const rest =
    totalAssets === null || totalEquity === null
      ? null
      : totalAssets - totalEquity - temporaryEquity;
  const debt = totalDebt(picked);
  return {
    totalAssets,
    totalLiabilities: picked.liabilities ?? rest,
    totalEquity,
    cash,
    totalDebt: debt,
    netDebt: debt === null || cash === null ? null : debt - cash,
  };
}

/** Equity of all owners, so that assets are liabilities plus equity. */
function equityOf({ wholeEquity, parentEquity, minorityInterest }: Picked): number | null {
  if (wholeEquity !== undefined) return wholeEquity;
  return parentEquity === undefined ? null : parentEquity + (minorityInterest ?? 0);
}

type DebtFigures = Partial<Record<keyof typeof DEBT_CONCEPTS, number>>;

/**
 * Takes the total if it is given, else the sum of the parts that are shown.
 * @returns null if no borrowing is shown: the company may have none, or use other concepts.
 */
export function totalDebt(figures: DebtFigures): number | null {
  const { allDebt, noncurrent, longTerm } = figures;
  if (allDebt !== undefined) return allDebt;
  if (noncurrent !== undefined) return noncurrent + (currentDebt(figures) ?? 0);
  if (longTerm === undefined) return currentDebt(figures) ?? null;
  // It includes its current portion, so only other short borrowings are added.
  const { currentPortion = 0 } = figures;
  return longTerm + Math.max(0, (currentDebt(figures) ?? 0) - currentPortion);
}

function currentDebt({ allCurrent, currentPortion, shortTerm }: DebtFigures): number | undefined {
  if (allCurrent !== undefined) return allCurrent;
  if (currentPortion === undefined) return shortTerm;
  if (shortTerm === undefined) return currentPortion;
  // The same amount under both names is one line of the balance sheet, tagged twice.
  const isSame = Math.abs(currentPortion - shortTerm) <= ROUNDING_SHARE * Math.abs(shortTerm);
  return isSame ? shortTerm : currentPortion + shortTerm;
}

/** Largest gap, as a share, between one filing's thousands and another's tenths of a million. */
const ROUNDING_SHARE = 1e-3;
