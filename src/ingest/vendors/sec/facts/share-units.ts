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

const PER_SHARE = new Set<string>([...eps, ...epsDiluted]);

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

/** Least factor between a count and the expected one at which it is of something else. */
const OTHER_FACTOR = 100;

/** More shares than any company has. */
const COUNT_MAX = 1e12;

/** Least usable earnings per share: with the rounding of a cent, half of a count or twice it. */
const EPS_MIN = 0.01;

/** Earnings per share of which counts that agree are better evidence. */
const EPS_MAX = 1000;

/**
 * Converts the counts of a company's filings to single shares, and drops placeholders. A count that
 * differs from income ÷ earnings per share by a factor of a thousand or a million is in another
 * unit. Without earnings, those of the filing before count; without any, the counts of the filing
 * decide, and are dropped if they contradict each other. No later filing is asked.
 */
export function inSingleShares<T extends FactFiling>(filings: readonly T[]): T[] {
  const evidence = filings.map((filing) => {
    const earned = expectedShares(filing.facts);
    return earned === undefined ? [] : [{ day: filing.filedDay, earned }];
  });
  const known = evidence.flat().sort((a, b) => a.day - b.day);
  return filings.map((filing, i) => {
    const [own] = evidence[i];
    const isOff = own && isOfEarnings(filing.facts, own.earned);
    const last = known.findLast(({ day }) => day <= filing.filedDay);
    const facts = isOff
      ? filing.facts.filter(({ concept }) => !PER_SHARE.has(concept))
      : converted(filing.facts, (own ?? last)?.earned);
    return { ...filing, facts };
  });
}

function converted(facts: readonly Fact[], earned: number | undefined): Fact[] {
  const counts = newestCounts(facts);
  const agreed = agreedCount(counts, leastCount(facts));
  // Where preferred dividends take most of the income, it is not what the shares earn.
  const isMisled = earned !== undefined && earned < USUAL_COUNTS[0] && isAgreedByAll(counts);
  const expected = isMisled ? agreed : (earned ?? agreed);
  return facts.flatMap((fact): Fact[] => {
    const { concept, value } = fact;
    if (!COUNTS.has(concept)) return [fact];
    if (DAY_COUNTS.has(concept) && isPlaceholder(value, expected)) return [];
    if (expected === undefined) return counts.length > 1 || value > COUNT_MAX ? [] : [fact];
    const count = value * unitOf(value, expected);
    return isOther(count, expected) ? [] : [count === value ? fact : { ...fact, value: count }];
  });
}

/** Returns true for a count that no unit brings near the expected one. */
function isOther(count: number, expected: number): boolean {
  const isFar = count > expected * OTHER_FACTOR || count < expected / OTHER_FACTOR;
  return count > 0 && (isFar || count > COUNT_MAX);
}

/** Returns true if there are several counts, all of them usual and near each other. */
function isAgreedByAll(counts: readonly number[]): boolean {
  return counts.length > 1 && counts.every((one) => isUsual(one) && isWithin(one, counts[0]));
}

function isPlaceholder(value: number, expected: number | undefined): boolean {
  const isSmall = expected === undefined || expected >= value * PLACEHOLDER_FACTOR;
  return isSmall && PLACEHOLDERS.has(value);
}

/** Returns the newest count of each kind: cover, balance sheet and weighted mean. */
function newestCounts(facts: readonly Fact[]): number[] {
  return Object.values<readonly string[]>(SHARE_CONCEPTS).flatMap((concepts) => {
    const own = facts.filter(({ concept, value }) => concepts.includes(concept) && value > 0);
    const isCount = ({ concept, value }: Fact) =>
      !DAY_COUNTS.has(concept) || !PLACEHOLDERS.has(value);
    return own.filter(isCount).sort((a, b) => b.endDay - a.endDay)[0]?.value ?? [];
  });
}

/** Usual counts of listed companies. */
const USUAL_COUNTS = [1e6, 2e10] as const;

const isUsual = (count: number) => count >= USUAL_COUNTS[0] && count <= USUAL_COUNTS[1];

/**
 * Returns the count with which most agree, else the only usual one; undefined for no such count.
 * @param least Fewer shares would each earn more than shares do.
 */
function agreedCount(counts: readonly number[], least: number): number | undefined {
  const agreeing = (one: number) => counts.filter((other) => unitOf(other, one) === 1).length;
  const isPossible = (count: number) => count >= least && count <= COUNT_MAX;
  const most = counts.find((one) => isPossible(one) && 2 * agreeing(one) > counts.length);
  const usual = counts.filter(isUsual);
  return most ?? (usual.length === 1 ? usual[0] : undefined);
}

/** Returns the number of shares that would each have the greatest usable earnings. */
function leastCount(facts: readonly Fact[]): number {
  const income = earnings(facts).find(({ figures }) => figures.netIncome)?.figures.netIncome;
  return Math.abs(income ?? 0) / EPS_MAX;
}

/** Returns true if all counts agree, and earnings per share are in another unit. */
function isOfEarnings(facts: readonly Fact[], earned: number): boolean {
  const counts = newestCounts(facts);
  const isGreat = facts.some(
    ({ concept, value }) => PER_SHARE.has(concept) && Math.abs(value) >= EPS_MAX,
  );
  return (
    isGreat &&
    counts.length > 1 &&
    counts.every((count) => isWithin(count, counts[0]) && unitOf(count, earned) !== 1)
  );
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
  for (const { figures } of earnings(facts)) {
    const income = figures.netIncomeToCommon ?? figures.netIncome;
    const perShare = figures.epsDiluted ?? figures.eps;
    if (!income || perShare === undefined || Math.abs(perShare) < EPS_MIN) continue;
    // A loss per share is often entered without its minus.
    return Math.abs(income / perShare);
  }
  return undefined;
}

/** Returns income and earnings per share of each period, newest first. */
function earnings(facts: readonly Fact[]) {
  const currency = reportingCurrency(facts);
  if (currency === undefined) return [];
  return pickFigures(facts, rules, currency)
    .filter(({ startDay }) => startDay !== undefined)
    .sort((a, b) => b.endDay - a.endDay);
}
