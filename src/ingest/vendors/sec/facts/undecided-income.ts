/**
 * Leaves figures of an income statement open that company facts alone don't decide: they leave out
 * which lines the statement shows, and those in concepts of the filer. Pure.
 */

import { decimalSum } from '../../../../base/prices/decimals.ts';
import {
  BALANCE_CONCEPTS,
  COST_CONCEPTS,
  PROFIT_CONCEPTS,
  PROOF_CONCEPTS,
  REVENUE_CONCEPTS,
} from '../concepts/concepts.ts';
import { DOUBT_CONCEPTS } from '../concepts/doubt-concepts.ts';
import { BALANCE_LINES, conceptsOf, INCOME_LINES } from '../concepts/line-concepts.ts';
import { amountsOf, firstAmount, firstAmounts, type Lines } from '../concepts/lines.ts';
import type { Fact, FactFiling } from '../concepts/parse-companyfacts.ts';
import {
  type Earnings,
  isProved,
  minorityParts,
  profitsLeft,
  ROUNDING,
} from '../concepts/profits.ts';

/** Figures that may be left open, and those that follow from them. */
type OpenField =
  | 'revenue'
  | 'costOfRevenue'
  | 'grossProfit'
  | 'netIncome'
  | 'netIncomeToCommon'
  | 'minorityIncome'
  | 'operatingIncome'
  | 'sellingGeneralAdministrative';

type Amounts = Readonly<Partial<Record<string, number | null>>>;

/** Largest gap, as a share, between amounts that are rounded on their own. */
const ROUNDING_SHARE = 0.002;

const isSame = (a: number, b: number) => Math.abs(a - b) <= ROUNDING;

const isNear = (a: number, b: number) => Math.abs(a - b) <= ROUNDING_SHARE * Math.abs(b);

const HOLDS_INCOME = 'the revenue may hold other income';
const HOLDS_TAXES = 'the revenue may hold taxes on sales';
const AFTER_LOSSES = 'the revenue is less than interest and other income of the bank';
const AFTER_INTEREST = 'it may be income after interest, or before taxes';
const OF_INSURER = 'it may be all expenses of the insurance business';
const NOT_PROVED = 'the profit may hold the part of others, and no earnings per share prove it';

/** Returns the reasons of figures that are left open, and of those that follow from them. */
export function undecidedIncome(
  lines: Lines,
  figures: Amounts,
  filing: FactFiling,
): Record<OpenField, string | undefined> {
  const { revenue = null, netIncome = null } = figures;
  const ofRevenue = revenue === null ? undefined : revenueDoubt(lines, revenue);
  const isInsurer = [...REVENUE_CONCEPTS.premiums, ...COST_CONCEPTS.benefits].some(
    (concept) => lines[concept],
  );
  const isOpen = netIncome !== null && !isProfitDecided(lines, hasMinorities(filing));
  const ofProfit = isOpen ? NOT_PROVED : undefined;
  return {
    revenue: ofRevenue,
    grossProfit: lines.grossProfit === undefined ? ofRevenue : undefined,
    costOfRevenue: firstAmount(lines, SOLD) === undefined ? ofRevenue : undefined,
    netIncome: ofProfit,
    netIncomeToCommon: lines.netIncomeToCommon === undefined ? ofProfit : undefined,
    minorityIncome: ofProfit,
    operatingIncome: isAfterInterest(lines, figures) ? AFTER_INTEREST : undefined,
    sellingGeneralAdministrative: isInsurer ? OF_INSURER : undefined,
  };
}

/** Least share of operating income that interest is, to look for it among all costs. */
const INTEREST_SHARE = 0.2;

/**
 * Returns true if what is tagged as operating income, without another line of income before taxes,
 * may be that: tax alone leaves the
 * profit of it. Also if it is revenue less all costs, and the profit shows no interest behind it.
 */
function isAfterInterest(lines: Lines, figures: Amounts): boolean {
  const { operatingIncome, pretaxIncome, netIncome } = figures;
  const interest = Math.max(...amountsOf(lines, INTEREST).map(Math.abs), 0);
  const isOpen = (operatingIncome ?? null) === null || (pretaxIncome ?? null) !== null;
  if (isOpen || interest === 0) return false;
  const profit = decimalSum([Number(netIncome), Number(figures.minorityIncome)]);
  const gap = decimalSum([operatingIncome!, -Number(figures.incomeTax), -profit]);
  if (isSame(gap, 0)) return true;
  const { wholeProfit, discontinuedIncome, affiliateIncome } = firstAmounts(lines, PROFIT_CONCEPTS);
  // Nothing else that is deducted stands between income before taxes and the profit of all owners.
  const isAll = wholeProfit !== undefined && !discontinuedIncome && !affiliateIncome;
  if (isAll && gap > 0) return false;
  const costs = firstAmount(lines, PROOF_CONCEPTS.costs);
  const isLeft = costs !== undefined && isSame(Number(figures.revenue) - costs, operatingIncome!);
  const isGreat = interest > INTEREST_SHARE * Math.abs(operatingIncome!);
  return isLeft && isGreat && Math.abs(gap) < Math.abs(gap - interest);
}

function revenueDoubt(lines: Lines, revenue: number): string | undefined {
  const { netInterestIncome, otherBankIncome } = firstAmounts(lines, REVENUE_CONCEPTS);
  if (netInterestIncome !== undefined && otherBankIncome !== undefined) {
    const least = (netInterestIncome + otherBankIncome) * (1 - ROUNDING_SHARE);
    if (revenue < least) return AFTER_LOSSES;
  }
  if (holdsTaxes(lines, revenue)) return HOLDS_TAXES;
  return holdsIncome(lines, revenue) ? HOLDS_INCOME : undefined;
}

const INTEREST = conceptsOf(INCOME_LINES.interestExpense);

const PRETAX = [...INCOME_LINES.pretaxIncome.totals, ...DOUBT_CONCEPTS.domesticPretax];

/** Returns true if taxes on sales are between revenue and the costs, or gross profit, behind it. */
function holdsTaxes(lines: Lines, revenue: number): boolean {
  const taxes = firstAmount(lines, DOUBT_CONCEPTS.salesTaxes);
  if (!taxes) return false;
  const spent = firstAmount(lines, PROOF_CONCEPTS.costs);
  const result = lines.operatingIncome ?? firstAmount(lines, PRETAX);
  if (spent !== undefined && result !== undefined && isNear(spent + result + taxes, revenue)) {
    return true;
  }
  const sold = firstAmount(lines, SOLD);
  const profit = lines.grossProfit;
  return sold !== undefined && profit !== undefined && !isNear(sold + profit, revenue);
}

const { benefits: _, ...COSTS } = COST_CONCEPTS;
const SOLD = Object.values(COSTS).flat();

/** Returns true if revenue less all costs is the result, so that other income is among them. */
function holdsIncome(lines: Lines, revenue: number): boolean {
  const { otherIncome, otherIncomeNet, otherOperatingIncome, exploration } = firstAmounts(
    lines,
    DOUBT_CONCEPTS,
  );
  const { premiums, industryRevenue } = firstAmounts(lines, REVENUE_CONCEPTS);
  const spent = firstAmount(lines, PROOF_CONCEPTS.costs);
  // Other income of an insurer is revenue.
  if (spent === undefined || premiums !== undefined) return false;
  const pretax = firstAmount(lines, PRETAX);
  const operating = lines.operatingIncome;
  const isResult = (result: number | undefined) =>
    result !== undefined && isSame(revenue - spent, result);
  const isIndustry = industryRevenue !== undefined && industryRevenue < revenue;
  return Boolean(
    ((otherIncome || exploration || (isIndustry && otherIncomeNet)) && isResult(pretax)) ||
      (otherOperatingIncome && isResult(operating)),
  );
}

/** Concepts of a balance sheet that show owners beside the parent's. */
const OTHER_OWNERS = new Set<string>([
  ...BALANCE_CONCEPTS.minorityInterest,
  ...BALANCE_CONCEPTS.redeemableMinorities,
  ...BALANCE_CONCEPTS.redeemableUnits,
]);

function hasMinorities({ facts }: FactFiling): boolean {
  const isShown = facts.some(({ concept, value }) => value !== 0 && OTHER_OWNERS.has(concept));
  return isShown || hasUnnamedEquity(facts);
}

const EQUITY = 'us-gaap:StockholdersEquity';
const OTHER_INCOME = 'us-gaap:AccumulatedOtherComprehensiveIncomeLossNetOfTax';
const RETAINED = conceptsOf(BALANCE_LINES.retainedEarnings);

/**
 * Returns true if the parts of the newest equity leave some of it without a concept: it may be that
 * of other owners, as of filers who tag the equity of all as that of the parent.
 */
function hasUnnamedEquity(facts: readonly Fact[]): boolean {
  const stated = facts.filter(({ concept }) => concept === EQUITY);
  const day = Math.max(...stated.map(({ endDay }) => endDay));
  const sheet = facts.filter(({ endDay, startDay }) => endDay === day && startDay === undefined);
  const lines = Object.fromEntries(sheet.map(({ concept, value }) => [concept, value]));
  return unnamedEquity(lines, lines[EQUITY]) > ROUNDING_SHARE * Math.abs(lines[EQUITY]);
}

/** Returns what the parts of the parent's equity leave of it; not a number without main parts. */
export function unnamedEquity(lines: Lines, equity = Number.NaN): number {
  const isByPart = firstAmount(lines, RETAINED) !== undefined && lines[OTHER_INCOME] !== undefined;
  if (!isByPart) return Number.NaN;
  const less = amountsOf(lines, DOUBT_CONCEPTS.equityLess).map((amount) => Math.abs(amount));
  const parts = amountsOf(lines, DOUBT_CONCEPTS.equityParts);
  return [...less, equity].reduce((a, b) => a + b) - parts.reduce((a, b) => a + b, 0);
}

const MINORITY_INCOME = new Set<string>([
  ...PROFIT_CONCEPTS.minorityIncome,
  ...PROFIT_CONCEPTS.redeemableMinorityIncome,
  ...PROFIT_CONCEPTS.otherMinorityIncome,
  ...PROFIT_CONCEPTS.someMinorityIncome,
]);

/** Returns true if a filing gives a part of the profit to other owners than the parent's. */
export function hasMinorityIncome({ facts }: FactFiling): boolean {
  return facts.some(({ concept, value }) => value !== 0 && MINORITY_INCOME.has(concept));
}

/** Returns false if the profit may be that of all owners, or be less than that of the parent. */
function isProfitDecided(lines: Lines, isShared: boolean): boolean {
  const earnings = lines as Earnings;
  const { netIncome, wholeProfit } = firstAmounts(lines, PROFIT_CONCEPTS);
  const parts = minorityParts(lines);
  if (netIncome !== undefined && wholeProfit !== undefined) {
    const rest = wholeProfit - netIncome;
    // Some filers enter the part with the other sign; a profit below that of the parent is a loss.
    const isPart = (part: number) => isSame(part, rest) || (rest > 0 && isSame(-part, rest));
    if (isSame(rest, 0) || parts.some(isPart)) return true;
    return isProved(netIncome, earnings);
  }
  const profit = netIncome ?? wholeProfit;
  if (profit === undefined || parts.length > 0) return true;
  if (wholeProfit !== undefined && !isOfCommon(wholeProfit, earnings)) return false;
  if (!isShared || isProved(profit, earnings)) return true;
  // Income after taxes belongs to all owners, minorities among them.
  const left = profitsLeft(lines);
  return left.length > 0 && !left.some((one) => isSame(one, profit));
}

/** Returns false if stated income of common shares is not the profit. */
function isOfCommon(profit: number, earnings: Earnings): boolean {
  const { netIncomeToCommon, preferredDividends = 0 } = earnings;
  if (netIncomeToCommon === undefined) return true;
  return isSame(netIncomeToCommon + preferredDividends, profit);
}
