/**
 * Leaves figures open that a line without an amount may hold: statements in columns by segment
 * have lines of which the whole company has no number. Pure.
 */

import type { Evidence } from '../../../../base/datasets/evidence.ts';
import { CASH_PARTS, CASH_TOTALS } from '../concepts/cash-concepts.ts';
import {
  BALANCE_CONCEPTS,
  COST_CONCEPTS,
  PROFIT_CONCEPTS,
  REVENUE_CONCEPTS,
} from '../concepts/concepts.ts';
import type { FaceLine, FactFiling } from '../concepts/parse-companyfacts.ts';
import type { ShownLine } from '../face/lines.ts';
import type { ToldFigures } from './evidence.ts';

type HollowLine = Pick<FaceLine, 'concept' | 'label'>;

/** Returns the lines of a statement's table that have no amount of any period. */
export function hollowLines(
  { facts, face = [] }: FactFiling,
  statement: FaceLine['statement'],
  lines: readonly ShownLine[],
): HollowLine[] {
  const shown = new Set(lines.map(({ concept }) => concept));
  const own = face.filter((line) => line.statement === statement);
  const tables = [...Map.groupBy(own, ({ report }) => report).values()];
  const shownOf = (table: readonly FaceLine[]) =>
    table.filter(({ concept }) => shown.has(concept)).length;
  const [table = []] = tables.sort((a, b) => shownOf(b) - shownOf(a));
  const given = new Set(facts.map(({ concept }) => concept));
  return table.filter(({ concept }) => !given.has(concept));
}

const { interestExpense: _, interestIncome: __, ...SOLD } = REVENUE_CONCEPTS;
const { benefits: ___, ...SPENT } = COST_CONCEPTS;
const { netIncome, wholeProfit, minorityIncome } = PROFIT_CONCEPTS;
const { wholeEquity, parentEquity, minorityInterest } = BALANCE_CONCEPTS;
const { exchangeEffect: ____, ...FLOWS } = CASH_TOTALS;

/** Concepts that each figure may be, or be a part of. */
const CONCEPTS: Readonly<Record<string, readonly string[]>> = {
  revenue: Object.values(SOLD).flat(),
  costOfRevenue: Object.values(SPENT).flat(),
  netIncome: [...netIncome, ...wholeProfit, ...minorityIncome],
  totalEquity: [...wholeEquity, ...parentEquity, ...minorityInterest],
  cash: BALANCE_CONCEPTS.cash,
  ...Object.fromEntries(
    Object.entries(FLOWS).map(([field, totals]) => [
      field,
      [...totals, ...(CASH_PARTS[field as keyof typeof CASH_PARTS] ?? [])],
    ]),
  ),
};

/** Labels of lines in concepts of the filer. */
const LABELS: Readonly<Record<string, RegExp>> = {
  revenue:
    /^(?!.*\b(costs?|expenses?|before|after|profit|margin|income|tax(es)?|gains?|loss(es)?)\b).*\b(revenues?|sales)\b/i,
  costOfRevenue: /^(total )?costs? of (net )?(sales|revenues?|goods|products?|services?)\b/i,
  cash: /^(total )?cash and (cash )?equivalents\b/i,
};

/** Concepts of lines that are a figure whatever stands beside them. */
const WHOLES = new Set<string>([
  netIncome[0],
  wholeEquity[0],
  BALANCE_CONCEPTS.cash[0],
  ...Object.values(FLOWS).flat(),
]);

/** Label of a line that holds all of its kind. */
const WHOLE = /^total\b|\b(attributable|applicable|available) to\b/i;

/** Equity is proved by liabilities only if the statement shows their total. */
function isProved(field: string, evidence: Evidence): boolean {
  const isShown = Boolean(evidence.totalLiabilities?.lines?.length);
  return evidence[field]?.verdict === 'proved' && (field !== 'totalEquity' || isShown);
}

/**
 * Makes figures unknown of which the statement has a hollow line, unless arithmetic proves them, or
 * their own line is a total.
 */
export function withoutHollow<F extends string>(
  told: ToldFigures<F>,
  hollow: readonly HollowLine[],
): ToldFigures<F> {
  const figures: Record<string, number | null> = { ...told.figures };
  const candidates: Record<string, unknown> = { ...told.candidates };
  const evidence = { ...told.evidence };
  const leaveOpen = (field: string, { label }: HollowLine) => {
    figures[field] = null;
    candidates[field] = [];
    evidence[field] = { verdict: null, reason: `"${label}" has amounts of segments alone` };
  };
  for (const [field, concepts] of Object.entries(CONCEPTS)) {
    const line = hollow.find(
      ({ concept, label }) =>
        concepts.includes(concept) || (concept.startsWith('own:') && LABELS[field]?.test(label)),
    );
    if (!line || (figures[field] ?? null) === null || isProved(field, evidence)) continue;
    const { lines = [] } = evidence[field] ?? {};
    const [concept, label] = lines.length === 1 ? lines[0] : [];
    if (WHOLES.has(concept ?? '') || WHOLE.test(label ?? '')) continue;
    leaveOpen(field, line);
    const { revenue, costOfRevenue, grossProfit } = told.figures as typeof figures;
    const isLeft = Number(revenue) - Number(costOfRevenue) === grossProfit;
    const isOfSales = field === 'revenue' || field === 'costOfRevenue';
    if (isOfSales && isLeft && evidence.grossProfit?.lines?.length !== 1) {
      leaveOpen('grossProfit', line);
    }
    // A cost that is revenue less gross profit.
    if (field === 'revenue' && evidence.costOfRevenue?.verdict === 'proved') {
      leaveOpen('costOfRevenue', line);
    }
  }
  return {
    ...told,
    figures: figures as Record<F, number | null>,
    candidates: candidates as never,
    evidence,
  };
}
