/** Converts counts of shares in thousands or millions to single shares. Pure. */

import {
  FLOW_CONCEPTS,
  MEAN_CONCEPTS,
  PROFIT_CONCEPTS,
  SHARE_CONCEPTS,
} from '../concepts/concepts.ts';
import type { Fact, FactFiling } from '../concepts/parse-companyfacts.ts';
import { figureRules, pickFigures, reportingCurrency } from '../concepts/pick-figures.ts';

const { eps, epsDiluted, sharesBasic, sharesDiluted } = MEAN_CONCEPTS;
const { netIncomeToCommon } = FLOW_CONCEPTS;
const netIncome = [...PROFIT_CONCEPTS.netIncome, ...PROFIT_CONCEPTS.wholeProfit];
const rules = figureRules({ eps, epsDiluted, netIncome, netIncomeToCommon });

const WEIGHTED = new Set<string>([...sharesBasic, ...sharesDiluted]);

const COUNTS = new Set<string>([...WEIGHTED, ...Object.values(SHARE_CONCEPTS).flat()]);

/** Factors of counts in thousands or millions, and of counts that were multiplied by them again. */
const UNITS = [1e3, 1e6, 1e-3, 1e-6];

/** Counts of a day, some of which are placeholders. */
const DAY_COUNTS = new Set<string>([...SHARE_CONCEPTS.cover, ...SHARE_CONCEPTS.balance]);

/** Placeholders on cover pages. Other small counts may be in millions. */
const PLACEHOLDERS = new Set([1, 10, 100, 1000]);

/** Least factor between a count that is one and the weighted mean. */
const PLACEHOLDER_FACTOR = 100;

/** Largest factor between a converted count and the expected one. */
const FACTOR_MAX = 2;

/** Least usable earnings per share, which are rounded to a cent. */
const EPS_MIN = 0.02;

/**
 * Converts a filing's counts to single shares, and drops placeholders. A count that differs from
 * income ÷ earnings per share by a factor of a thousand or a million is in another unit. Without
 * earnings, counts of a day are compared with the weighted mean.
 */
export function inSingleShares<T extends FactFiling>(filing: T): T {
  const earned = expectedShares(filing.facts);
  const mean = earned ?? weightedShares(filing.facts);
  if (mean === undefined) return filing;
  const facts = filing.facts.flatMap((fact): Fact[] => {
    const expected = DAY_COUNTS.has(fact.concept) ? mean : earned;
    if (!COUNTS.has(fact.concept) || expected === undefined) return [fact];
    if (isPlaceholder(fact, mean)) return [];
    const unit = unitOf(fact.value, expected);
    return [unit === 1 ? fact : { ...fact, value: fact.value * unit }];
  });
  return { ...filing, facts };
}

function isPlaceholder({ concept, value }: Fact, mean: number): boolean {
  const isSmall = PLACEHOLDERS.has(value) && mean >= value * PLACEHOLDER_FACTOR;
  return isSmall && DAY_COUNTS.has(concept);
}

/** Weighted mean of the newest period. */
function weightedShares(facts: readonly Fact[]): number | undefined {
  const means = facts.filter(({ concept }) => WEIGHTED.has(concept));
  return means.sort((a, b) => b.endDay - a.endDay)[0]?.value;
}

function unitOf(count: number, expected: number): number {
  if (isWithin(count, expected)) return 1;
  return UNITS.find((unit) => isWithin(count * unit, expected)) ?? 1;
}

function isWithin(count: number, expected: number): boolean {
  return count <= expected * FACTOR_MAX && count >= expected / FACTOR_MAX;
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
