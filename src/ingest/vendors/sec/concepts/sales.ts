/**
 * Revenue, its cost and net income from lines of which some are totals and others parts. Pure.
 */

import { decimalSum } from '../../../../base/prices/decimals.ts';
import { COST_CONCEPTS, PROFIT_CONCEPTS, REVENUE_CONCEPTS } from './concepts.ts';
import { firstAmounts, type Lines } from './lines.ts';

/** An amount of a figure, and the concept or the sum that it is. */
export interface Candidate {
  value: number;
  basis: string;
}

/** Returns all amounts of revenue that the lines give, best first. */
export function revenues(lines: Lines): Candidate[] {
  const {
    premiums,
    investmentIncome,
    investmentGains,
    insuranceFees,
    leaseRevenue,
    goodsRevenue,
    servicesRevenue,
  } = firstAmounts(lines, REVENUE_CONCEPTS);
  const contracts = statedAmounts(lines, REVENUE_CONCEPTS.contractRevenue);
  const goods = goodsRevenue ?? servicesRevenue;
  const candidates = statedAmounts(lines, REVENUE_CONCEPTS.revenue);
  const add = (basis: string, parts: readonly (number | undefined)[]) => {
    candidates.push({ basis, value: parts.reduce((sum: number, part) => sum + (part ?? 0), 0) });
  };
  const bank = bankIncome(lines);
  if (bank !== undefined) add('bank', [bank]);
  if (premiums !== undefined && investmentIncome !== undefined) {
    add('insurer', [premiums, investmentIncome, investmentGains, insuranceFees]);
  }
  // Most companies with such income have it in a note: only a lessor has more of it than sales.
  const isLessor = leaseRevenue !== undefined && leaseRevenue > (contracts[0]?.value ?? 0);
  if (isLessor && goods === undefined) add('leases', [leaseRevenue, contracts[0]?.value]);
  candidates.push(...contracts);
  if (goods !== undefined) add('goodsAndServices', [goodsRevenue, servicesRevenue]);
  return candidates;
}

/** Returns interest income less its expense, and other income of a bank. */
function bankIncome(lines: Lines): number | undefined {
  const { netInterestIncome, interestIncome, interestExpense, otherBankIncome } = firstAmounts(
    lines,
    REVENUE_CONCEPTS,
  );
  if (otherBankIncome === undefined) return undefined;
  if (netInterestIncome !== undefined) return netInterestIncome + otherBankIncome;
  if (interestIncome === undefined || interestExpense === undefined) return undefined;
  return interestIncome - interestExpense + otherBankIncome;
}

/** Least share of revenue at which goods, or services, must have a cost of their own. */
const SALES_SHARE = 0.1;

/** Returns the cost of all goods and services; none if a line of it is missing. */
export function costs(lines: Lines, revenue: number | undefined): Candidate[] {
  const { costOfRevenue, benefits } = firstAmounts(lines, COST_CONCEPTS);
  const sold =
    costOfRevenue === undefined
      ? soldCost(lines, revenue)
      : { basis: 'CostOfRevenue', value: costOfRevenue };
  if (!sold) return [];
  // Benefits of a health plan that sells goods too. Those of an insurer alone are no cost of sales.
  const isPart =
    benefits === undefined || (costOfRevenue !== undefined && costOfRevenue >= benefits);
  return [isPart ? sold : { basis: `benefits+${sold.basis}`, value: benefits + sold.value }];
}

function soldCost(lines: Lines, revenue: number | undefined): Candidate | undefined {
  const { goodsAndServicesCost, goodsCost, servicesCost } = firstAmounts(lines, COST_CONCEPTS);
  const { goodsRevenue = 0, servicesRevenue = 0 } = firstAmounts(lines, REVENUE_CONCEPTS);
  if (goodsAndServicesCost !== undefined) {
    return { basis: 'CostOfGoodsAndServicesSold', value: goodsAndServicesCost };
  }
  if (goodsCost !== undefined && servicesCost !== undefined) {
    return { basis: 'goods+services', value: goodsCost + servicesCost };
  }
  const value = goodsCost ?? servicesCost;
  if (value === undefined) return undefined;
  const others = goodsCost === undefined ? goodsRevenue : servicesRevenue;
  const isPart = revenue !== undefined && others > SALES_SHARE * revenue && others < revenue;
  return isPart ? undefined : { basis: goodsCost === undefined ? 'services' : 'goods', value };
}

/** Bases of net income: without the part of minorities, and with it. */
export const PARENT = 'parent';
export const WHOLE = 'whole';
const MINORITIES = 'minorities';

/** Earnings of a period, which prove whose income it is. */
export interface Earnings {
  netIncomeToCommon?: number;
  preferredDividends?: number;
  eps?: number;
  sharesBasic?: number;
}

/** Returns net income of the parent; none if it may hold the part of minorities. */
export function netIncomes(lines: Lines, earnings: Earnings): Candidate[] {
  const { netIncome, wholeProfit, minorityIncome } = firstAmounts(lines, PROFIT_CONCEPTS);
  const whole = { basis: WHOLE, value: wholeProfit ?? 0 };
  const wholes = wholeProfit === undefined ? [] : [whole];
  if (netIncome !== undefined) return [{ basis: PARENT, value: netIncome }, ...wholes];
  if (wholeProfit === undefined) return [];
  if (minorityIncome !== undefined) {
    return [{ basis: PARENT, value: wholeProfit - minorityIncome }, whole];
  }
  return isOfParent(wholeProfit, earnings) ? wholes : [];
}

/** Returns the part of minorities: all profit less that of the parent, else the stated line. */
export function minorityIncome(lines: Lines): Candidate | undefined {
  const { netIncome, wholeProfit, minorityIncome } = firstAmounts(lines, PROFIT_CONCEPTS);
  if (netIncome !== undefined && wholeProfit !== undefined) {
    return { basis: MINORITIES, value: decimalSum([wholeProfit, -netIncome]) };
  }
  return minorityIncome === undefined ? undefined : { basis: MINORITIES, value: minorityIncome };
}

/** Largest gap, as a share of income, between income and earnings per share × shares. */
const PROOF_SHARE = 0.02;

/** Half a cent, to which earnings per share are rounded. */
const EPS_ROUNDING = 0.005;

/** Returns false if earnings of common shares show that others have a part of the profit. */
function isOfParent(profit: number, earnings: Earnings): boolean {
  const { netIncomeToCommon, preferredDividends = 0, eps, sharesBasic } = earnings;
  const gap = PROOF_SHARE * Math.abs(profit);
  const isNear = (income: number, most: number) =>
    Math.abs(income + preferredDividends - profit) <= most;
  if (netIncomeToCommon !== undefined && !isNear(netIncomeToCommon, gap)) return false;
  if (eps === undefined || sharesBasic === undefined) return true;
  return isNear(eps * sharesBasic, Math.max(gap, EPS_ROUNDING * sharesBasic));
}

/** Returns stated amounts of a list, best first. */
export function statedAmounts(lines: Lines, concepts: readonly string[]): Candidate[] {
  return concepts.flatMap((basis) => {
    const value = lines[basis];
    return value === undefined ? [] : [{ basis, value }];
  });
}
