/** Net income of the parent from lines of which some hold the part of minorities. Pure. */

import { decimalSum } from '../../../../base/prices/decimals.ts';
import { PROFIT_CONCEPTS } from './concepts.ts';
import { INCOME_LINES } from './line-concepts.ts';
import { amountsOf, firstAmount, firstAmounts, type Lines } from './lines.ts';
import type { Candidate } from './sales.ts';

/** Bases of net income: without the part of minorities, and with it. */
export const PARENT = 'parent';
export const WHOLE = 'whole';
const MINORITIES = 'minorities';

/** Earnings of a period, which prove whose income it is. */
export interface Earnings {
  netIncomeToCommon?: number;
  preferredDividends?: number;
  eps?: number;
  epsDiluted?: number;
  sharesBasic?: number;
  sharesDiluted?: number;
}

/** Returns net income of the parent; none if it may hold the part of minorities. */
export function netIncomes(lines: Lines, earnings: Earnings): Candidate[] {
  const { netIncome, wholeProfit } = firstAmounts(lines, PROFIT_CONCEPTS);
  const part = minorityPart(lines);
  const some = decimalSum(amountsOf(lines, PROFIT_CONCEPTS.someMinorityIncome));
  const without = (whole: number): Candidate[] => [
    { basis: PARENT, value: decimalSum([whole, -(part ?? 0)]) },
    { basis: WHOLE, value: whole },
  ];
  if (netIncome !== undefined && wholeProfit === undefined) {
    // Some tag the profit of all owners so.
    if (!isOfAll(lines, netIncome, part ?? some, earnings)) {
      return [{ basis: PARENT, value: netIncome }];
    }
    return part === undefined ? [] : without(netIncome);
  }
  if (wholeProfit === undefined) return [];
  const whole = { basis: WHOLE, value: wholeProfit };
  if (netIncome !== undefined) return [{ basis: PARENT, value: netIncome }, whole];
  if (part !== undefined) return without(wholeProfit);
  if (some === 0) return isOfParent(wholeProfit, earnings) ? [whole] : [];
  const rest = decimalSum([wholeProfit, -some]);
  return isProved(rest, earnings) ? [{ basis: PARENT, value: rest }, whole] : [];
}

/** Returns the part of minorities: their line, else its two parts. */
function minorityPart(lines: Lines): number | undefined {
  const { minorityIncome, redeemableMinorityIncome, otherMinorityIncome } = firstAmounts(
    lines,
    PROFIT_CONCEPTS,
  );
  if (minorityIncome !== undefined) return minorityIncome;
  if (redeemableMinorityIncome === undefined || otherMinorityIncome === undefined) return undefined;
  return decimalSum([redeemableMinorityIncome, otherMinorityIncome]);
}

/** Returns the stated parts of minorities, and their sum. */
export function minorityParts(lines: Lines): number[] {
  const { minorityIncome, redeemableMinorityIncome, otherMinorityIncome, someMinorityIncome } =
    PROFIT_CONCEPTS;
  const parts = [redeemableMinorityIncome, otherMinorityIncome, someMinorityIncome].flat();
  const amounts = amountsOf(lines, [...minorityIncome, ...parts]);
  return [...amounts, decimalSum(amountsOf(lines, parts))].filter((amount) => amount !== 0);
}

/** Returns true if income before taxes, less them, or earnings per share show profit of all owners. */
function isOfAll(lines: Lines, profit: number, part: number, earnings: Earnings): boolean {
  if (part === 0) return false;
  const left = profitsLeft(lines);
  const isLeft = (value: number) => left.some((one) => Math.abs(one - value) <= ROUNDING);
  const [isAll, isRest] = [isLeft(profit), [part, -part].some((one) => isLeft(profit + one))];
  if (isAll !== isRest) return isAll;
  return !isOfParent(profit, earnings) && isProved(profit - part, earnings);
}

/** Returns what income before taxes leaves of profit, with and without the lines after taxes. */
export function profitsLeft(lines: Lines): number[] {
  const pretax = firstAmount(lines, INCOME_LINES.pretaxIncome.totals);
  const tax = firstAmount(lines, INCOME_LINES.incomeTax.totals);
  if (pretax === undefined || tax === undefined) return [];
  const { discontinuedIncome = 0, affiliateIncome = 0 } = firstAmounts(lines, PROFIT_CONCEPTS);
  const more = [0, discontinuedIncome, affiliateIncome, discontinuedIncome + affiliateIncome];
  return more.map((one) => pretax - tax + one);
}

/**
 * Turns a tax that is given with the other sign, as the income before it and the profit after it
 * prove. If another concept gives the tax with that sign, its line alone stays.
 */
export function withTaxSign<L extends Lines>(lines: L): L {
  const [tax, ...others] = INCOME_LINES.incomeTax.totals.filter((name) => lines[name]);
  if (tax === undefined) return lines;
  const turned = { ...lines, [tax]: -lines[tax]! };
  const [gap, gapTurned] = [gapAfterTax(lines), gapAfterTax(turned)];
  if (gapTurned < gap && others.some((name) => lines[name] === turned[tax])) {
    return { ...lines, [tax]: undefined };
  }
  return gapTurned <= ROUNDING && gap > ROUNDING ? turned : lines;
}

function gapAfterTax(lines: Lines): number {
  const profits = amountsOf(lines, [...PROFIT_CONCEPTS.netIncome, ...PROFIT_CONCEPTS.wholeProfit]);
  const gaps = profitsLeft(lines).flatMap((left) => profits.map((one) => Math.abs(one - left)));
  return Math.min(...gaps);
}

/** Largest gap between profit and what it is left from, where amounts are in whole units. */
export const ROUNDING = 2;

/** Returns the part of minorities: all profit less that of the parent, else the stated line. */
export function minorityIncome(lines: Lines): Candidate | undefined {
  const { netIncome, wholeProfit } = firstAmounts(lines, PROFIT_CONCEPTS);
  const isRest = netIncome !== undefined && wholeProfit !== undefined;
  const value = isRest ? decimalSum([wholeProfit, -netIncome]) : minorityPart(lines);
  return value === undefined ? undefined : { basis: MINORITIES, value };
}

/** Largest gap, as a share of income, between income and earnings per share × shares. */
const PROOF_SHARE = 0.02;

/** Half a cent, to which earnings per share are rounded. */
const EPS_ROUNDING = 0.005;

/** Returns false if earnings of common shares show that others have a part of the profit. */
export function isOfParent(profit: number, earnings: Earnings): boolean {
  return proofs(profit, earnings).every(Boolean);
}

/** Returns true if earnings of common shares show that all of the profit is theirs. */
export function isProved(profit: number, earnings: Earnings): boolean {
  const all = proofs(profit, earnings);
  return all.length > 0 && all.every(Boolean);
}

/** Compares a profit with income to common shares, and with earnings per share × shares. */
function proofs(profit: number, earnings: Earnings): boolean[] {
  const { netIncomeToCommon, preferredDividends = 0, eps, sharesBasic } = earnings;
  const { epsDiluted, sharesDiluted } = earnings;
  const gap = PROOF_SHARE * Math.abs(profit);
  const isNear = (income: number, most: number) =>
    Math.abs(income + preferredDividends - profit) <= most;
  const perShare = (one: number | undefined, shares: number | undefined) => {
    if (one === undefined || shares === undefined) return [];
    const most = Math.max(gap, EPS_ROUNDING * shares);
    // A loss per share is often entered without its minus.
    return [[one, -one].some((signed) => isNear(signed * shares, most))];
  };
  const basic = perShare(eps, sharesBasic);
  return [
    ...(netIncomeToCommon === undefined ? [] : [isNear(netIncomeToCommon, gap)]),
    ...(basic.length > 0 ? basic : perShare(epsDiluted, sharesDiluted)),
  ];
}
