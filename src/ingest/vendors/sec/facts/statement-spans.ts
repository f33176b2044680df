/** Reads a filing's income statement of each period that it covers. Pure. */

import { FLOW_CONCEPTS, MEAN_CONCEPTS } from './concepts.ts';
import type { FactFiling } from './parse-companyfacts.ts';
import { figureRules, pickFigures, reportingCurrency } from './pick-figures.ts';

/** Figures that grow with the length of the period. */
export const FLOWS = [
  'revenue',
  'costOfRevenue',
  'grossProfit',
  'operatingIncome',
  'netIncome',
  'netIncomeToCommon',
  'dividendsPerShare',
] as const;

/** Figures that do not grow with the length of the period. */
export const MEANS = ['eps', 'epsDiluted', 'sharesBasic', 'sharesDiluted'] as const;

export type FlowField = (typeof FLOWS)[number];

export type StatementField = FlowField | (typeof MEANS)[number];

export type StatementFigures = Record<StatementField, number | null>;

/** Length of a period. The two between quarters and years are used for differences. */
export type SpanLength = 'quarter' | 'half' | 'nineMonths' | 'year';

export interface Span {
  startDay: number;
  endDay: number;
  length: SpanLength;
  figures: StatementFigures;
}

export interface StatementReport {
  currency: string;
  spans: Span[];
  /** End of the filing's own period. Other periods are comparisons. */
  newestEndDay: number;
}

/** Days of each length, both ends included. Quarters may have 12 to 17 weeks. */
export const SPAN_DAYS: Readonly<Record<SpanLength, readonly [least: number, most: number]>> = {
  quarter: [75, 125],
  half: [160, 230],
  nineMonths: [245, 290],
  year: [350, 380],
};

const rules = figureRules({ ...FLOW_CONCEPTS, ...MEAN_CONCEPTS });

type PickedField = keyof typeof FLOW_CONCEPTS | keyof typeof MEAN_CONCEPTS;
type Picked = Partial<Record<PickedField, number>>;

/** Least number of figures in a statement. One figure, or a dividend, comes from a note. */
const FIGURES_MIN = 2;

/** Returns undefined for a filing without an income statement. */
export function statementReport(filing: FactFiling): StatementReport | undefined {
  const currency = reportingCurrency(filing.facts);
  if (currency === undefined) return undefined;
  const isAnnual = /^(10-K|20-F|40-F)/.test(filing.form) || filing.fiscalPeriod === 'FY';
  const spans: Span[] = [];
  for (const { startDay, endDay, figures } of pickFigures(filing.facts, rules, currency)) {
    const length = startDay === undefined ? undefined : lengthOf(endDay - startDay + 1);
    if (startDay === undefined || length === undefined) continue;
    // Utilities show the last twelve months every quarter. Those are not years.
    if (length === 'year' && !isAnnual) continue;
    const { dividendsPerShare: _, ...told } = figures;
    if (Object.keys(told).length < FIGURES_MIN) continue;
    spans.push({ startDay, endDay, length, figures: completed(figures) });
  }
  if (spans.length === 0) return undefined;
  return { currency, spans, newestEndDay: Math.max(...spans.map(({ endDay }) => endDay)) };
}

function lengthOf(days: number): SpanLength | undefined {
  return (Object.keys(SPAN_DAYS) as SpanLength[]).find(
    (length) => days >= SPAN_DAYS[length][0] && days <= SPAN_DAYS[length][1],
  );
}

/** Adds figures that follow from others and are missing in the filing. */
function completed(picked: Picked): StatementFigures {
  const { netIncome = null, netInterestIncome, otherBankIncome } = picked;
  const bankRevenue =
    netInterestIncome !== undefined && otherBankIncome !== undefined
      ? netInterestIncome + otherBankIncome
      : null;
  const sales = withGrossProfit(
    picked.revenue ?? bankRevenue,
    picked.costOfRevenue ?? null,
    picked.grossProfit ?? null,
  );
  const leftToCommon = netIncome === null ? null : netIncome - (picked.preferredDividends ?? 0);
  const netIncomeToCommon = picked.netIncomeToCommon ?? leftToCommon;
  const { sharesBasic = null, sharesDiluted = null } = picked;
  return {
    ...sales,
    operatingIncome: picked.operatingIncome ?? null,
    netIncome,
    netIncomeToCommon,
    // Dividends are often entered as a loss of equity, below zero.
    dividendsPerShare:
      picked.dividendsPerShare === undefined ? null : Math.abs(picked.dividendsPerShare),
    eps: signedLike(netIncomeToCommon, picked.eps ?? null, sharesBasic),
    epsDiluted: signedLike(netIncomeToCommon, picked.epsDiluted ?? null, sharesDiluted),
    sharesBasic,
    sharesDiluted,
  };
}

/** Adds gross profit, which is revenue less its cost. A cost below zero has its sign turned. */
export function withGrossProfit(
  revenue: number | null,
  givenCost: number | null,
  givenProfit: number | null,
): Pick<StatementFigures, 'revenue' | 'costOfRevenue' | 'grossProfit'> {
  if (revenue === null) return { revenue, costOfRevenue: givenCost, grossProfit: givenProfit };
  const isTurned = givenCost !== null && givenCost < 0 && givenProfit === revenue + givenCost;
  const costOfRevenue = isTurned
    ? -givenCost
    : (givenCost ?? (givenProfit === null ? null : revenue - givenProfit));
  const grossProfit = givenProfit ?? (costOfRevenue === null ? null : revenue - costOfRevenue);
  return { revenue, costOfRevenue, grossProfit };
}

/** Largest gap, as a share, between earnings per share and income ÷ shares for a wrong sign. */
const SLIP_SHARE = 0.05;

/** Fixes the sign: "Loss per share: 0.50" is often entered without its minus. */
function signedLike(
  income: number | null,
  perShare: number | null,
  shares: number | null,
): number | null {
  if (income === null || perShare === null || shares === null) return perShare;
  if (income * perShare >= 0) return perShare;
  const isSlip = Math.abs(perShare * shares + income) <= SLIP_SHARE * Math.abs(income);
  return isSlip ? -perShare : perShare;
}
