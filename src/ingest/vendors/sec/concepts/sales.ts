/** Revenue and its cost from lines of which some are totals and others parts. Pure. */

import { CASH_LINES } from './cash-concepts.ts';
import { COST_CONCEPTS, FLOW_CONCEPTS, PROOF_CONCEPTS, REVENUE_CONCEPTS } from './concepts.ts';
import { INCOME_LINES, type LineRule } from './line-concepts.ts';
import { amountsOf, firstAmount, firstAmounts, type Lines, statedLine } from './lines.ts';

/** An amount of a figure, and the concept or the sum that it is. */
export interface Candidate {
  value: number;
  basis: string;
  /** True if it is given next to the figure, and is not another reading of it. */
  isPart?: boolean;
}

/** Bases of revenue that are all of it for every company. */
const TOTALS = new Set<string>(REVENUE_CONCEPTS.revenue);

/** Largest gap, as a share of revenue, between it and costs plus their result by rounding. */
const ROUNDING_SHARE = 0.002;

/** Share of revenue from which a line beside it counts: less may come from a note. */
const BESIDE_SHARE = 0.1;

/** Largest share of revenue that other operating income has beside it. */
export const GAINS_SHARE = 0.05;

/** Least share of contract revenue in a total. Losses on hedges reduce it. */
const TOTAL_SHARE_MIN = 0.5;

/**
 * Returns the amounts of revenue that the lines allow, best first; none if they show that the
 * best one may be a part.
 */
export function revenues(lines: Lines): Candidate[] {
  const contract = firstAmount(lines, REVENUE_CONCEPTS.contractRevenue) ?? 0;
  const sums = provedRevenues(lines);
  const all = revenueCandidates(lines).filter(
    (one) => one.value >= leastTotal(one, contract) || isProved(one, sums),
  );
  const [best] = all;
  if (!best || TOTALS.has(best.basis) || isProved(best, sums)) return all;
  // Other operating income may stand between a stated revenue and the result; not in a sum of ours.
  const most = best.value * (1 + (best.basis.includes(':') ? GAINS_SHARE : ROUNDING_SHARE));
  const isPart = sums.some((sum) => sum > most);
  return isPart || hasOthers(lines, best) ? [] : all;
}

/** A revenue that is less than its part under contracts is another part. */
function leastTotal({ basis }: Candidate, contract: number): number {
  return TOTALS.has(basis) ? TOTAL_SHARE_MIN * contract : contract;
}

/** @param sums All costs plus the result behind them. */
export function isProved({ value }: Pick<Candidate, 'value'>, sums: readonly number[]): boolean {
  return sums.some((sum) => Math.abs(sum - value) <= ROUNDING_SHARE * Math.abs(value));
}

/** Returns all costs plus the result behind them. */
export function provedRevenues(lines: Lines): number[] {
  const results = amountsOf(lines, [
    ...FLOW_CONCEPTS.operatingIncome,
    ...INCOME_LINES.pretaxIncome.totals,
  ]);
  const [spent] = amountsOf(lines, PROOF_CONCEPTS.costs);
  return spent === undefined ? [] : results.slice(0, 1).map((result) => Math.abs(spent) + result);
}

/** Returns true if the lines have revenue of a kind that the amount does not hold. */
function hasOthers(lines: Lines, { basis, value }: Candidate): boolean {
  const { premiums, leaseRevenue, netInterestIncome, interestIncome, otherUtilityRevenue } =
    firstAmounts(lines, REVENUE_CONCEPTS);
  const isIndustry = (REVENUE_CONCEPTS.industryRevenue as readonly string[]).includes(basis);
  const isContract = (REVENUE_CONCEPTS.contractRevenue as readonly string[]).includes(basis);
  const others = isIndustry ? [otherUtilityRevenue] : [];
  if (isContract) others.push(premiums, leaseRevenue, netInterestIncome ?? interestIncome);
  return others.some((amount) => amount !== undefined && amount > BESIDE_SHARE * value);
}

/** Returns all amounts of revenue that the lines give, best first: what others prove, totals, parts. */
export function revenueCandidates(lines: Lines): Candidate[] {
  const sums = provedRevenues(lines);
  const all = givenRevenues(lines);
  const proved = all.find((one) => isProved(one, sums));
  return proved ? [proved, ...all.filter((one) => one !== proved)] : all;
}

function givenRevenues(lines: Lines): Candidate[] {
  const {
    premiums,
    investmentIncome,
    investmentGains,
    insuranceFees,
    leaseRevenue,
    goodsRevenue,
    servicesRevenue,
    otherRevenue,
  } = firstAmounts(lines, REVENUE_CONCEPTS);
  const contracts = statedAmounts(lines, REVENUE_CONCEPTS.contractRevenue);
  const goods = goodsRevenue ?? servicesRevenue;
  const candidates = statedAmounts(lines, [
    ...REVENUE_CONCEPTS.revenue,
    ...REVENUE_CONCEPTS.industryRevenue,
  ]);
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
  if (otherRevenue !== undefined && contracts.length > 0) {
    add('contracts+others', [contracts[0].value, otherRevenue]);
  }
  candidates.push(...contracts);
  if (goods !== undefined) add('goodsAndServices', [goodsRevenue, servicesRevenue]);
  return candidates;
}

/** Kinds of lines of each sum of revenue. */
const SUMS: Readonly<Record<string, readonly (keyof typeof REVENUE_CONCEPTS)[]>> = {
  bank: ['netInterestIncome', 'interestIncome', 'interestExpense', 'otherBankIncome'],
  insurer: ['premiums', 'investmentIncome', 'investmentGains', 'insuranceFees'],
  leases: ['leaseRevenue', 'contractRevenue'],
  'contracts+others': ['contractRevenue', 'otherRevenue'],
  goodsAndServices: ['goodsRevenue', 'servicesRevenue'],
};

/** Returns the concepts of the lines that a sum of revenue is of. */
export function partsOf(basis: string): readonly string[] {
  return (SUMS[basis] ?? []).flatMap((name) => [...REVENUE_CONCEPTS[name]]);
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

/** Least share of revenue that has the one cost of sales: the rest of it may have no such cost. */
const SOLD_SHARE_MIN = 0.5;

/** Returns the cost of all goods and services; none if a line of it is missing. */
export function costs(lines: Lines, revenue: number | undefined): Candidate[] {
  const { costOfRevenue, benefits } = firstAmounts(lines, COST_CONCEPTS);
  const sold =
    costOfRevenue === undefined
      ? soldCost(lines, revenue)
      : totalCost(lines, { basis: 'CostOfRevenue', value: costOfRevenue });
  if (!sold) return [];
  // Benefits of a health plan that sells goods too. Those of an insurer alone are no cost of sales.
  const isPart =
    benefits === undefined || (costOfRevenue !== undefined && costOfRevenue >= benefits);
  const cost = isPart ? sold : { basis: `benefits+${sold.basis}`, value: benefits + sold.value };
  // Other filings may have a part alone.
  const parts = soldParts(lines).filter(({ basis }) => basis !== cost.basis);
  return [cost, ...parts];
}

/** Least share of a cost that costs without a known concept have, if the cost may be of a part. */
const UNKNOWN_COST_SHARE = 0.2;

const EXPENSES: readonly LineRule[] = [
  INCOME_LINES.sellingGeneralAdministrative,
  INCOME_LINES.researchDevelopment,
  CASH_LINES.depreciationAmortization,
];

/**
 * Returns true if all costs hold much that no known line is: a filer's own concept may be the cost
 * of the rest of revenue. A stated gross profit, and a total of costs of revenue, say that it is not.
 */
export function isCostOfPart(lines: Lines, cost: Candidate | undefined): boolean {
  const all = lines[PROOF_CONCEPTS.costs[0]];
  const isStated = firstAmount(lines, COST_CONCEPTS.costOfRevenue) !== undefined;
  const isProven = lines.grossProfit !== undefined;
  if (!cost || all === undefined || isStated || isProven) return false;
  const spent = EXPENSES.map((rule) => Math.abs(statedLine(lines, rule)?.value ?? 0));
  const known = spent.reduce((sum, amount) => sum + amount, Math.abs(cost.value));
  return Math.abs(all) - known > UNKNOWN_COST_SHARE * Math.abs(cost.value);
}

function soldParts(lines: Lines): Candidate[] {
  const { goodsCost, servicesCost } = firstAmounts(lines, COST_CONCEPTS);
  return [
    ...(goodsCost === undefined ? [] : [{ basis: 'goods', value: goodsCost }]),
    ...(servicesCost === undefined ? [] : [{ basis: 'services', value: servicesCost }]),
  ];
}

const { benefits: _, ...SOLD } = COST_CONCEPTS;

/** Returns a total, unless another line shows by a greater amount that it is a part. */
function totalCost(lines: Lines, total: Candidate): Candidate | undefined {
  const least = Math.max(...amountsOf(lines, Object.values(SOLD).flat()).map(Math.abs));
  return Math.abs(total.value) >= least * (1 - ROUNDING_SHARE) ? total : undefined;
}

function soldCost(lines: Lines, revenue: number | undefined): Candidate | undefined {
  const { goodsAndServicesCost, goodsCost, servicesCost } = firstAmounts(lines, COST_CONCEPTS);
  const { goodsRevenue = 0, servicesRevenue = 0 } = firstAmounts(lines, REVENUE_CONCEPTS);
  if (goodsAndServicesCost !== undefined) {
    return totalCost(lines, { basis: 'CostOfGoodsAndServicesSold', value: goodsAndServicesCost });
  }
  if (goodsCost !== undefined && servicesCost !== undefined) {
    return { basis: 'goods+services', value: goodsCost + servicesCost };
  }
  const value = goodsCost ?? servicesCost;
  if (value === undefined) return undefined;
  const others = goodsCost === undefined ? goodsRevenue : servicesRevenue;
  const own = goodsCost === undefined ? servicesRevenue : goodsRevenue;
  const isSmall = revenue !== undefined && own > 0 && own < SOLD_SHARE_MIN * revenue;
  const isPart =
    isSmall || (revenue !== undefined && others > SALES_SHARE * revenue && others < revenue);
  return isPart ? undefined : { basis: goodsCost === undefined ? 'services' : 'goods', value };
}

/** Returns stated amounts of a list, best first. */
export function statedAmounts(lines: Lines, concepts: readonly string[]): Candidate[] {
  return concepts.flatMap((basis) => {
    const value = lines[basis];
    return value === undefined ? [] : [{ basis, value }];
  });
}
