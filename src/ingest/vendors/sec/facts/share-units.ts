/** Converts counts of shares in thousands or millions to single shares. Pure. */

import { FLOW_CONCEPTS, MEAN_CONCEPTS, PROFIT_CONCEPTS, SHARE_CONCEPTS } from './concepts.ts';
import type { Fact, FactFiling } from './parse-companyfacts.ts';
import { figureRules, pickFigures, reportingCurrency } from './pick-figures.ts';

const { eps, epsDiluted, sharesBasic, sharesDiluted } = MEAN_CONCEPTS;
const { netIncomeToCommon } = FLOW_CONCEPTS;
const netIncome = [...PROFIT_CONCEPTS.netIncome, ...PROFIT_CONCEPTS.wholeProfit];
const rules = figureRules({ eps, epsDiluted, netIncome, netIncomeToCommon });

const COUNTS = new Set<string>([
  ...sharesBasic,
  ...sharesDiluted,
  ...Object.values(SHARE_CONCEPTS).flat(),
]);

const UNITS = [1e3, 1e6];

/** Largest factor between a converted count and the expected one. */
const FACTOR_MAX = 2;

/** Least usable earnings per share, which are rounded to a cent. */
const EPS_MIN = 0.02;

/**
 * Converts a filing's counts to single shares. A count that is a thousandth or a millionth of
 * income ÷ earnings per share is in thousands or millions.
 */
export function inSingleShares<T extends FactFiling>(filing: T): T {
  const expected = expectedShares(filing.facts);
  if (expected === undefined) return filing;
  const facts = filing.facts.map((fact): Fact => {
    if (!COUNTS.has(fact.concept)) return fact;
    const unit = unitOf(fact.value, expected);
    return unit === 1 ? fact : { ...fact, value: fact.value * unit };
  });
  return { ...filing, facts };
}

function unitOf(count: number, expected: number): number {
  const isNear = (unit: number) =>
    count * unit <= expected * FACTOR_MAX && count * unit >= expected / FACTOR_MAX;
  return UNITS.find(isNear) ?? 1;
}

/** Expected count from the newest period with income and earnings per share. */
function expectedShares(facts: readonly Fact[]): number | undefined {
  const currency = reportingCurrency(facts);
  if (currency === undefined) return undefined;
  const told = pickFigures(facts, rules, currency)
    .filter(({ startDay }) => startDay !== undefined)
    .sort((a, b) => b.endDay - a.endDay);
  for (const { figures } of told) {
    const income = figures.netIncomeToCommon ?? figures.netIncome;
    const perShare = figures.epsDiluted ?? figures.eps;
    if (income === undefined || perShare === undefined || Math.abs(perShare) < EPS_MIN) continue;
    const shares = income / perShare;
    if (shares > 0) return shares;
  }
  return undefined;
}
