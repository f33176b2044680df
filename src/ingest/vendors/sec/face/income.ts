/** Reads the figures of an income statement from its lines. Pure. */

import { COST_CONCEPTS, REVENUE_CONCEPTS } from '../concepts/concepts.ts';
import type { Earnings } from '../concepts/profits.ts';
import {
  type Candidate,
  isProved,
  partsOf,
  provedRevenues,
  revenueCandidates,
} from '../concepts/sales.ts';
import { costOf, TOTAL_COSTS } from './costs.ts';
import { absent, type FaceFigure, proved, stated, summed, unknown } from './figure.ts';
import { among, amountsOf, isOwn, type ShownLine } from './lines.ts';
import { operatingOf } from './operating.ts';
import { ownersOf, pretaxOf, profitOf } from './profit.ts';
import { type FaceNode, lengthOfSum, roundingOf, treesOfLines, within } from './tree.ts';
import { BESIDE_SALES, checked, isGross, isNetRevenue, NO_TOTAL } from './whole-revenue.ts';

export type IncomeField =
  | 'revenue'
  | 'costOfRevenue'
  | 'grossProfit'
  | 'operatingIncome'
  | 'pretaxIncome'
  | 'netIncome';

const SALES = /\b(revenues?|sales|turnover)\b/i;
const NO_SALES =
  /\b(costs?|expenses?|before|after|(net |non-?\s?)?interest revenues?|profit|margin|percent|(operating|other) income|deferred|tax(es)?|gains?|loss(es)?|excess|discounts?|returns|allowances)\b/i;
/** Label of a line that holds all revenue. */
const WHOLE = /^(total|net)( net| operating)* (revenues?|sales)\b/i;
const AFTER_PROVISION = /\bafter provision\b/i;
const PER_SHARE = /Per\w*(Share|Unit)/;

/** @param all The income statement of one period, in its order. */
export function faceIncome(
  all: readonly ShownLine[],
  earnings: Earnings,
): Record<IncomeField, FaceFigure> & ReturnType<typeof ownersOf> {
  const lines = all.filter(({ concept }) => !PER_SHARE.test(concept)).map(asSold);
  const nodes = [...within(treesOfLines(lines, false))];
  const amounts = amountsOf(lines);
  const gross = lines.find(isGross);
  const grossStated = gross && stated(gross);
  const operatingIncome = operatingOf(lines, gross);
  const sold = revenueOf(lines, nodes, revenueCandidates(amounts), operatingIncome);
  const isLess = sold.value !== null && gross !== undefined && gross.value > sold.value;
  const hasGain = lines.some((line) => isSpent(line) && line.value < 0);
  const revenue =
    isLess && sold.value! > 0 && !hasGain
      ? unknown('gross profit is more than the line of it')
      : sold;
  const costOfRevenue = lines.some(isNetRevenue)
    ? unknown('the line that is tagged as gross profit is net revenue')
    : costOf(lines, nodes, revenue, grossStated);
  const netIncome = profitOf(lines, amounts, earnings);
  return {
    revenue,
    costOfRevenue,
    grossProfit: grossStated ?? grossOf(revenue, costOfRevenue),
    operatingIncome,
    pretaxIncome: pretaxOf(lines),
    netIncome,
    ...ownersOf(lines, netIncome),
  };
}

/** Returns a line of sales as it is shown, where a filer tags it below zero. */
function asSold(line: ShownLine): ShownLine {
  const isTurned = line.value < 0 && line.shown > 0 && PARTS.has(line.concept);
  return isTurned ? { ...line, value: line.shown } : line;
}

function revenueOf(
  lines: readonly ShownLine[],
  nodes: readonly FaceNode[],
  candidates: readonly Candidate[],
  operating: FaceFigure,
): FaceFigure {
  const sums = provedRevenues(amountsOf(lines));
  const isSales = ({ label }: ShownLine) => SALES.test(label) && !NO_SALES.test(label);
  const lineOf = ({ basis }: Candidate) => lines.find(({ concept }) => concept === basis);
  // Some banks tag what is left after the provision for losses as their revenue.
  const best = candidates.find((one) => !AFTER_PROVISION.test(lineOf(one)?.label ?? ''));
  let line: ShownLine | undefined = best && lineOf(best);
  const end = lines.findIndex(isSpent);
  // Behind the first expense, a bank has revenue of single businesses.
  const isBehind = ({ concept }: ShownLine, at: number) =>
    lines.findIndex((one) => one.concept === concept) >= at;
  const lent = lines.findIndex(({ label }) => /\binterest\b/i.test(label));
  const isNamed = (node: FaceNode) =>
    isSales(node) &&
    !/^other\b/i.test(node.label) &&
    !(lent >= 0 && isBehind(node, lent) && /\b(fees?|commissions?|advisory)\b/i.test(node.label)) &&
    (node.parts.length > 0 ||
      /^(total|net) /i.test(node.label) ||
      (end < 0 && lent < 0) ||
      !isBehind(node, end));
  const named = best ? [] : nodes.filter(isNamed);
  line ??= named.find(({ label }) => WHOLE.test(label)) ?? named[0];
  if (!line && best) {
    return totalOf(best, nodes) ?? checked(wholeOf(best, lines, sums), lines, operating, sums);
  }
  if (!line) return absent('the income statement shows no revenue');
  // A total that holds the line, and is of revenue too.
  for (const node of nodes) {
    const isTotal = node.parts.some((part) => part.concept === line?.concept);
    const isOfIncome = node.parts.some(({ label }) => /\b(income|gains?|loss(es)?)\b/i.test(label));
    if (isTotal && (isSales(node) || (isProved(node, sums) && !isOfIncome))) line = node;
  }
  if (WITH_INCOME.test(line.label)) return salesWithin(line, lines, nodes);
  const expenses = lines.find((one) => among(TOTAL_COSTS, one));
  const others = lines.filter(
    (one, i) =>
      one !== line && isSales(one) && i < lines.findIndex(isSpent) && !isWithin(nodes, line!, one),
  );
  const own = stated(line, line.value < 0 ? Math.max(line.value, line.shown) : line.value);
  if (operating.value === null || !expenses || others.length === 0) {
    return checked(own, lines, operating, sums);
  }
  // Several lines of revenue without a total: the result shows whether they belong to it.
  const rounding = roundingOf(lines);
  const gap = (sum: number) => Math.abs(sum - expenses.value - operating.value!);
  const sum = others.reduce((all, { value }) => all + value, line.value);
  const isSum = gap(line.value) > rounding && gap(sum) <= rounding;
  return isSum ? proved(sum, [line, ...others]) : checked(own, lines, operating, sums);
}

const WITH_INCOME = /\b(and|&) other income\b/i;
/** Returns the sum of the sales in a total that has other income too. */
function salesWithin(
  total: ShownLine,
  lines: readonly ShownLine[],
  nodes: readonly FaceNode[],
): FaceFigure {
  const behind = lines.slice(lines.findIndex(({ concept }) => concept === total.concept) + 1);
  const above = nodes.find(({ concept }) => concept === total.concept)?.parts ?? [];
  const parts =
    above.length > 0
      ? above
      : behind.slice(
          0,
          lengthOfSum(behind, (sum) => sum === total.shown),
        );
  const sales = parts.filter(({ label }) => !BESIDE_SALES.test(label));
  if (sales.length === 0) return unknown('the total of revenue has other income, too');
  return proved(summed(sales).value!, sales);
}

const isSpent = ({ label }: ShownLine) => /\b(costs?|expenses?)\b/i.test(label);

/** Returns true if one of two lines is a part of the other. */
function isWithin(nodes: readonly FaceNode[], a: ShownLine, b: ShownLine): boolean {
  const holds = (x: ShownLine, y: ShownLine) =>
    nodes.some(
      (node) =>
        node.concept === x.concept &&
        [...within(node.parts)].some((part) => part.concept === y.concept),
    );
  return a.concept === b.concept || holds(a, b) || holds(b, a);
}

const { interestExpense: _, ...SOLD } = REVENUE_CONCEPTS;
const PARTS = new Set<string>(Object.values(SOLD).flat());

/** Returns the total that the statement shows for a sum by the rules of company facts. */
function totalOf({ value }: Candidate, nodes: readonly FaceNode[]): FaceFigure | undefined {
  const isWhole = (node: FaceNode) =>
    /^(total|net)\b.*\b(revenues?|sales)\b/i.test(node.label) &&
    !NO_SALES.test(node.label) &&
    node.value >= value;
  const total = nodes.find(
    (node) => isWhole(node) && node.parts.some(({ concept }) => PARTS.has(concept)),
  );
  return total && stated(total);
}

/**
 * Returns a sum of lines, with the filer's own lines of income before the first expense if the
 * result proves them.
 * @param sums All costs plus the result behind them.
 */
function wholeOf(
  best: Candidate,
  lines: readonly ShownLine[],
  sums: readonly number[],
): FaceFigure {
  const isExpense = (line: ShownLine) =>
    EXPENSE.test(line.label) || among(COST_CONCEPTS.benefits, line);
  const isLender = ({ concept, value }: ShownLine) =>
    INTEREST.has(concept) && Math.abs(value) > best.value;
  if (best.basis === 'leases' && lines.some(isLender)) return unknown(NO_TOTAL);
  const before = lines.slice(0, lines.findIndex(isExpense));
  const others = before.filter((line) => isOwn(line) && line.value !== 0);
  if (best.basis !== 'insurer' || others.length === 0) return sumOf(best, lines);
  const sum = before.reduce((all, { shown }) => all + shown, 0);
  return sums.some((one) => Math.abs(one - sum) <= roundingOf(lines))
    ? proved(sum, before)
    : unknown(NO_TOTAL);
}

const INTEREST = new Set<string>([
  ...REVENUE_CONCEPTS.netInterestIncome,
  ...REVENUE_CONCEPTS.interestIncome,
]);

const EXPENSE = /\b(benefits|claims|losses and|expenses?|costs?)\b/i;

/** Returns a sum of lines by the rules of company facts, as of a bank or an insurer. */
function sumOf({ value, basis }: Candidate, lines: readonly ShownLine[]): FaceFigure {
  const concepts = partsOf(basis);
  const parts = lines.filter(({ concept }) => concepts.includes(concept));
  const net = parts.some(among.bind(undefined, REVENUE_CONCEPTS.netInterestIncome));
  const isGross = (line: ShownLine) =>
    among(REVENUE_CONCEPTS.interestIncome, line) || among(REVENUE_CONCEPTS.interestExpense, line);
  const shown = parts.filter((line) => !net || !isGross(line));
  return { value, evidence: summed(shown).evidence };
}

function grossOf(revenue: FaceFigure, cost: FaceFigure): FaceFigure {
  // A cost that is not all of it leaves no gross profit, by the rules of company facts either.
  if (cost.value === null && !cost.evidence.isAbsent) return { ...cost };
  if (revenue.value === null && !revenue.evidence.isAbsent) return { ...revenue };
  if (revenue.value === null || cost.value === null) {
    return absent('the income statement shows neither gross profit nor all costs of revenue');
  }
  const lines = [...(revenue.evidence.lines ?? []), ...(cost.evidence.lines ?? [])];
  return { value: revenue.value - cost.value, evidence: { verdict: 'proved', lines } };
}
