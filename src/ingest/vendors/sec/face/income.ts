/** Reads the figures of an income statement from its lines. Pure. */

import {
  COST_CONCEPTS,
  FLOW_CONCEPTS,
  PROFIT_CONCEPTS,
  REVENUE_CONCEPTS,
} from '../concepts/concepts.ts';
import { type Candidate, costs, type Earnings, netIncomes, revenues } from '../concepts/sales.ts';
import { absent, type FaceFigure, proved, stated, summed, unknown } from './figure.ts';
import { isOwn, type ShownLine } from './lines.ts';
import { type FaceNode, foldedLines, roundingOf, within } from './tree.ts';

export type IncomeField =
  | 'revenue'
  | 'costOfRevenue'
  | 'grossProfit'
  | 'operatingIncome'
  | 'netIncome';

const SALES = /\b(revenues?|sales|turnover)\b/i;
const NO_SALES =
  /\b(costs?|expenses?|before|profit|margin|percent|(operating|other) income|deferred|tax(es)?|gains?|loss(es)?|excess|discounts?|returns|allowances)\b/i;
const COST =
  /^(total )?costs? (of|applicable to) (?!.*\b(funds|capital|removal|debt|borrow\w*|\w*insurance|gas|electric\w*|energy|power|fuel|gold|before)\b)/i;
const COST_TOTAL = /^(total )?costs? of (revenues?|sales|goods|products)(?!.*\bother\b)/i;
const OPERATING =
  /^(total )?(net )?(operating (income|profit|earnings|\(?loss)|(income|earnings|profit|\(?loss\)?)( \(loss(es)?\)| or loss)? from operations)/i;
const PER_SHARE = /Per\w*(Share|Unit)/;
const PARENT_PROFIT = /\b(attributable|applicable|available) to\b/i;
const MINORITY = /\b(minority|non-?controlling)\b/i;
const PROFIT = /\bnet (income|earnings|profit|\(?loss\)?)/i;

/** Amounts of lines by concept, for the rules of company facts. */
function amountsOf(lines: readonly ShownLine[]): Record<string, number> {
  return Object.fromEntries(lines.toReversed().map(({ concept, value }) => [concept, value]));
}

/** @param all The income statement of one period, in its order. */
export function faceIncome(
  all: readonly ShownLine[],
  earnings: Earnings,
): Record<IncomeField, FaceFigure> {
  const lines = all.filter(({ concept }) => !PER_SHARE.test(concept));
  const nodes = [...within(foldedLines(lines, false))];
  const amounts = amountsOf(lines);
  const operatingIncome = operatingOf(lines);
  const revenue = revenueOf(lines, nodes, revenues(amounts), operatingIncome);
  const gross = lines.find(isGross);
  const grossStated = gross && stated(gross);
  const costOfRevenue = costOf(lines, amounts, revenue, grossStated);
  return {
    revenue,
    costOfRevenue,
    grossProfit: grossStated ?? grossOf(revenue, costOfRevenue),
    operatingIncome,
    netIncome: profitOf(lines, amounts, earnings),
  };
}

const among = (concepts: readonly string[], line: ShownLine) => concepts.includes(line.concept);

function isGross(line: ShownLine): boolean {
  return (
    among(FLOW_CONCEPTS.grossProfit, line) ||
    (isOwn(line) && /^(total )?gross (profit|margin|income)\b/i.test(line.label))
  );
}

function operatingOf(lines: readonly ShownLine[]): FaceFigure {
  const own = (line: ShownLine) => isOwn(line) && OPERATING.test(line.label);
  const line = lines.find((one) => among(FLOW_CONCEPTS.operatingIncome, one)) ?? lines.find(own);
  return line ? stated(line) : absent('the income statement shows no line of it');
}

const TOTAL_COSTS = [
  'us-gaap:CostsAndExpenses',
  'us-gaap:OperatingExpenses',
  'us-gaap:BenefitsLossesAndExpenses',
];

function revenueOf(
  lines: readonly ShownLine[],
  nodes: readonly FaceNode[],
  [best]: readonly Candidate[],
  operating: FaceFigure,
): FaceFigure {
  const isSales = ({ label }: ShownLine) => SALES.test(label) && !NO_SALES.test(label);
  let line: ShownLine | undefined = best && lines.find(({ concept }) => concept === best.basis);
  line ??= best ? undefined : nodes.find((node) => isOwn(node) && isSales(node));
  if (!line) return best ? sumOf(best, lines) : absent('the income statement shows no revenue');
  // A total that holds the line, and is of revenue too.
  for (const node of nodes) {
    if (node.parts.some((part) => part.concept === line?.concept) && isSales(node)) line = node;
  }
  const expenses = lines.find((one) => among(TOTAL_COSTS, one));
  const others = lines.filter(
    (one, i) =>
      one !== line && isSales(one) && i < lines.findIndex(isSpent) && !isWithin(nodes, line!, one),
  );
  if (operating.value === null || !expenses || others.length === 0) return stated(line);
  // Several lines of revenue without a total: the result shows whether they belong to it.
  const rounding = roundingOf(lines);
  const gap = (sum: number) => Math.abs(sum - expenses.value - operating.value!);
  const sum = others.reduce((all, { value }) => all + value, line.value);
  const isSum = gap(line.value) > rounding && gap(sum) <= rounding;
  return isSum ? proved(sum, [line, ...others]) : stated(line);
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

/** Returns a sum of lines by the rules of company facts, as of a bank or an insurer. */
function sumOf({ value }: Candidate, lines: readonly ShownLine[]): FaceFigure {
  const concepts = new Set<string>(Object.values(REVENUE_CONCEPTS).flat());
  return {
    value,
    evidence: { ...summed(lines.filter(({ concept }) => concepts.has(concept))).evidence },
  };
}

const { benefits: BENEFITS, ...SOLD } = COST_CONCEPTS;
const COSTS = new Set<string>(Object.values(SOLD).flat());

function costOf(
  lines: readonly ShownLine[],
  amounts: Record<string, number>,
  revenue: FaceFigure,
  gross: FaceFigure | undefined,
): FaceFigure {
  const spent = costLines(lines);
  const sum = summed(spent.map((line) => ({ ...line, shown: Math.abs(line.value) })));
  const isOpen = revenue.value === null || gross?.value === undefined || gross.value === null;
  const gap = isOpen ? 0 : revenue.value! - sum.value! - gross.value!;
  const [rule] = costs(amounts, revenue.value ?? undefined);
  const [only] = spent;
  const isClear =
    spent.length > 1
      ? !isOpen || rule?.value === sum.value || isWholeRun(spent, lines)
      : only && (COSTS.has(only.concept) || !isOpen || COST_TOTAL.test(only.label));
  if (isClear && Math.abs(gap) <= roundingOf(lines)) return withBenefits(sum, rule, lines);
  if (!isOpen) {
    const value = revenue.value! - gross.value!;
    return { value, evidence: { verdict: 'proved', lines: gross.evidence.lines } };
  }
  if (spent.length < 2) return absent('the income statement shows no cost of all revenue');
  return unknown('the income statement shows several costs, and no total of them');
}

/** Returns true for costs that follow revenue without a gap, and no other line follows them. */
function isWholeRun(spent: readonly ShownLine[], lines: readonly ShownLine[]): boolean {
  const first = lines.indexOf(spent[0]);
  const next = lines[first + spent.length];
  const isRun = spent.every((line, i) => lines[first + i] === line && COST.test(line.label));
  const isAfterSales = first > 0 && SALES.test(lines[first - 1].label);
  return isRun && isAfterSales && !/^other\b|^total costs?$/i.test(next?.label ?? '');
}

/** Selects lines of costs of revenue, without those that are parts of another one. */
function costLines(lines: readonly ShownLine[]): ShownLine[] {
  const nodes = [...within(foldedLines(lines, true))];
  const spent = lines.filter(({ concept, label }) => COSTS.has(concept) || COST.test(label));
  const holders = nodes.filter(({ concept }) => spent.some((line) => line.concept === concept));
  return spent.filter(
    (line) =>
      !holders.some(({ parts }) =>
        [...within(parts)].some((part) => part.concept === line.concept),
      ),
  );
}

/** Adds the medical costs of a health plan that sells goods too. */
function withBenefits(
  sum: FaceFigure,
  rule: Candidate | undefined,
  lines: readonly ShownLine[],
): FaceFigure {
  if (!rule?.basis.startsWith('benefits+') || rule.value <= sum.value!) return sum;
  const isMedical = ({ concept }: ShownLine) => (BENEFITS as readonly string[]).includes(concept);
  const spent = lines.filter((line) => COSTS.has(line.concept) || isMedical(line));
  return { value: rule.value, evidence: summed(spent).evidence };
}

function grossOf(revenue: FaceFigure, cost: FaceFigure): FaceFigure {
  if (revenue.value === null || cost.value === null) {
    return absent('the income statement shows neither gross profit nor all costs of revenue');
  }
  const lines = [...(revenue.evidence.lines ?? []), ...(cost.evidence.lines ?? [])];
  return { value: revenue.value - cost.value, evidence: { verdict: 'proved', lines } };
}

/** Returns net income of the parent. Filers tag the part of minorities with either sign. */
function profitOf(
  lines: readonly ShownLine[],
  amounts: Record<string, number>,
  earnings: Earnings,
): FaceFigure {
  const at = lines.findIndex(
    (line) => among(PROFIT_CONCEPTS.minorityIncome, line) || isMinority(line),
  );
  const minority = lines[at]?.value;
  const parent = lines.find((line) => among(PROFIT_CONCEPTS.netIncome, line));
  const whole = lines.find((line) => among(PROFIT_CONCEPTS.wholeProfit, line));
  if (parent && PARENT_PROFIT.test(parent.label)) return stated(parent);
  const before = whole ?? parent ?? lines.slice(0, at).findLast(({ label }) => PROFIT.test(label));
  if (!minority || !before) {
    const profit = parent ?? whole;
    return profit ? stated(profit) : absent('the income statement shows no net income');
  }
  const isRest = ({ label, value }: ShownLine) =>
    PROFIT.test(label) &&
    !MINORITY.test(label) &&
    [-minority, minority].some(
      (part) => Math.abs(value - before.value - part) <= roundingOf(lines),
    );
  const rest = lines.slice(at + 1).find(isRest);
  if (rest) return stated(rest);
  if (parent) return stated(parent);
  const [found] = netIncomes(amounts, earnings);
  return found
    ? proved(found.value, [before, lines[at]])
    : unknown('the profit may hold the part of minorities');
}

function isMinority({ label }: ShownLine): boolean {
  return MINORITY.test(label) && !/\b(before|including|excluding)\b/i.test(label);
}
