/** Reads the cost of revenue from an income statement; null if its lines are of a part. Pure. */

import { COST_CONCEPTS, FLOW_CONCEPTS } from '../concepts/concepts.ts';
import { type Candidate, costs } from '../concepts/sales.ts';
import { absent, type FaceFigure, summed, unknown } from './figure.ts';
import { among, amountsOf, nameOf, type ShownLine } from './lines.ts';
import { type FaceNode, roundingOf, treesOfLines, within } from './tree.ts';

const SALES = /\b(revenues?|sales|turnover)\b/i;
/** Labels of what it costs to win customers, which some tag as cost of goods. */
const OF_CUSTOMERS = /\b(subscriber|customer) (acquisition|promotion)/i;
const COST =
  /^(total )?costs? (of|applicable to) (?!.*\b(funds|capital|removal|debt|borrow\w*|\w*insurance|gas|electric\w*|energy|power|fuel|gold|before)\b)/i;
const COST_TOTAL =
  /^(total )?costs? (of (revenues?|sales|goods|products)|applicable to sales)(?!.*\bother\b)|^total costs?$/i;

/** Concepts of all costs. */
export const TOTAL_COSTS = [
  'us-gaap:CostsAndExpenses',
  'us-gaap:OperatingExpenses',
  'us-gaap:BenefitsLossesAndExpenses',
];

const { benefits: BENEFITS, ...SOLD } = COST_CONCEPTS;
const COSTS = new Set<string>(Object.values(SOLD).flat());

/** @param nodes Totals of the income statement. */
export function costOf(
  lines: readonly ShownLine[],
  nodes: readonly FaceNode[],
  revenue: FaceFigure,
  gross: FaceFigure | undefined,
): FaceFigure {
  const sold = soldLines(nodes, revenue);
  const found = costLines(lines);
  const run = found.some(isTotal) ? [] : runOfCosts(lines, sold);
  const spent = run.length > 0 ? run : found;
  const sum = summed(spent.map((line) => ({ ...line, shown: Math.abs(line.value) })));
  const isOpen = revenue.value === null || gross?.value === undefined || gross.value === null;
  const gap = isOpen ? 0 : revenue.value! - sum.value! - gross.value!;
  const [rule] = costs(amountsOf(lines), revenue.value ?? undefined);
  const [only] = spent;
  const isWhole = rule?.value === sum.value || run.length > 0 || isWholeRun(spent, lines, revenue);
  if (isOpen && !rule?.basis.startsWith('benefits+') && hasCostsBeside(lines, spent, sold)) {
    return unknown('other lines show the cost of a part of revenue');
  }
  const isClear =
    spent.length > 1
      ? !isOpen || isWhole
      : only && (COSTS.has(only.concept) || !isOpen || COST_TOTAL.test(only.label));
  if (isClear && Math.abs(gap) <= roundingOf(lines)) return withBenefits(sum, rule, lines);
  if (!isOpen && isTaxed(lines, gap)) return unknown('gross profit is also after taxes on sales');
  if (!isOpen) {
    const value = revenue.value! - gross.value!;
    return { value, evidence: { verdict: 'proved', lines: gross.evidence.lines } };
  }
  const isOther = lines.some(
    ({ concept, label }) => COSTS.has(concept) && OF_CUSTOMERS.test(label),
  );
  if (isOther) return unknown('the line that is tagged so is of winning customers');
  if (spent.length < 2) return absent('the income statement shows no cost of all revenue');
  return unknown('the income statement shows several costs, and no total of them');
}

const isTotal = ({ concept, label }: ShownLine) =>
  (COST_CONCEPTS.costOfRevenue as readonly string[]).includes(concept) || COST_TOTAL.test(label);

/** Returns true if a tax on sales is what gross profit is less than revenue after its cost. */
function isTaxed(lines: readonly ShownLine[], gap: number): boolean {
  const isTax = ({ label }: ShownLine) => /\b(tax(es)?|duties)\b/i.test(label);
  return lines.some((line) => isTax(line) && Math.abs(line.value) === Math.abs(gap));
}

/** Returns the lines of revenue under its total. */
function soldLines(nodes: readonly FaceNode[], { evidence }: FaceFigure): readonly ShownLine[] {
  const shown = evidence.lines ?? [];
  const isShown = ({ concept }: ShownLine) => shown.some(([name]) => name === concept);
  if (shown.length > 1) return nodes.filter(isShown);
  const total = nodes.find(isShown);
  return total ? [...within(total.parts)].filter(({ parts }) => parts.length === 0) : [];
}

/** Returns the costs behind revenue that have the labels of its lines, one for each. */
function runOfCosts(lines: readonly ShownLine[], sold: readonly ShownLine[]): readonly ShownLine[] {
  const end = lines.findIndex(({ concept }) => concept === sold.at(-1)?.concept);
  const run = lines.slice(end + 2, end + 2 + sold.length);
  return sold.length > 1 && sold.every(({ label }, i) => label === run[i]?.label) ? run : [];
}

/** Words of a line of revenue that do not say what is sold. */
const UNNAMED =
  /\b(net|total|other|revenues?|sales|income|fees|and|products?|services?)\b|[^a-z ]/g;
const OF_BUSINESS =
  /\b(selling|marketing|advertising|general|administrative|research|development|depreciation|amortization|restructuring|impairments?)\b/i;
const OF_SALES = /\bcosts? of (sales|revenues?|goods|products?|services?)\b/i;
const CLAIMS = /^(PolicyholderBenefits|LiabilityForUnpaidClaims)/;
/** Labels of claims, which are those of insured people beside a line of premiums. */
const OF_CLAIMS = /\b(?<!employee )(medical|health ?care|benefits?|claims)\b/i;

const nameOfSold = ({ label }: ShownLine) =>
  label
    .toLowerCase()
    .replace(UNNAMED, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .replace(/^(by|from|of) /, '');

/** Largest share of a cost that other lines of costs may have beside it. */
const BESIDE_SHARE = 0.05;

/** Returns true if lines before the result name what a part of revenue is from, or claims. */
function hasCostsBeside(
  lines: readonly ShownLine[],
  spent: readonly ShownLine[],
  sold: readonly ShownLine[],
): boolean {
  if (spent.length === 0 || sold.length < 2) return false;
  const isInsurer = sold.some(({ label }) => /\bpremiums?\b/i.test(label));
  const names = sold.map(nameOfSold).filter((name) => /[a-z]{4}/.test(name));
  const counted = [...within(treesOfLines(lines, true))]
    .filter((node) => spent.some(({ concept }) => concept === node.concept))
    .flatMap((node) => [...within([node])]);
  const known = new Set([...counted, ...sold].map(({ concept }) => concept));
  const first = lines.findIndex(({ concept }) => concept === sold.at(-1)?.concept) + 1;
  const end = lines.findIndex(
    (line, i) =>
      i > first && (among(FLOW_CONCEPTS.operatingIncome, line) || among(TOTAL_COSTS, line)),
  );
  const beside = lines
    .slice(first, end < 0 ? undefined : end)
    .filter((line) => !known.has(line.concept) && !OF_BUSINESS.test(line.label))
    .filter(
      (line) =>
        CLAIMS.test(nameOf(line)) ||
        (isInsurer && OF_CLAIMS.test(line.label)) ||
        OF_SALES.test(line.label) ||
        names.some((name) => nameOfSold(line).includes(name)),
    );
  const sumOf = (some: readonly ShownLine[]) =>
    some.reduce((sum, { value }) => sum + Math.abs(value), 0);
  return sumOf(beside) > BESIDE_SHARE * sumOf(spent);
}

/** Returns true for costs that follow revenue without a gap, and no other line follows them. */
function isWholeRun(
  spent: readonly ShownLine[],
  lines: readonly ShownLine[],
  revenue: FaceFigure,
): boolean {
  const first = lines.indexOf(spent[0]);
  const next = lines[first + spent.length];
  const isRun = spent.every((line, i) => lines[first + i] === line && COST.test(line.label));
  const isAfter = isAfterSales(lines.slice(0, first), revenue);
  return isRun && isAfter && !/^other\b|^total costs?$/i.test(next?.label ?? '');
}

/** Returns true if the last line is of sales, or the last ones are what the revenue before is of. */
function isAfterSales(before: readonly ShownLine[], { value, evidence }: FaceFigure): boolean {
  const total = before.findIndex(({ concept }) => concept === evidence.lines?.[0]?.[0]);
  const parts = total < 0 ? [] : before.slice(total + 1);
  const sum = parts.reduce((all, line) => all + line.value, 0);
  return SALES.test(before.at(-1)?.label ?? '') || (parts.length > 0 && sum === value);
}

const BARE_TOTAL = /^total costs?$/i;
const OF_COSTS = /\bcosts?\b|^other$/i;

/** Selects lines of costs of revenue, without those that are parts of another one. */
function costLines(lines: readonly ShownLine[]): ShownLine[] {
  const nodes = [...within(treesOfLines(lines, true))];
  const isBareTotal = ({ label, parts }: FaceNode) =>
    BARE_TOTAL.test(label) && parts.length > 1 && parts.every((part) => OF_COSTS.test(part.label));
  const totals = nodes.filter(isBareTotal).map(({ concept }) => concept);
  const spent = lines.filter(
    ({ concept, label }) =>
      (COSTS.has(concept) || COST.test(label) || totals.includes(concept)) &&
      !OF_CUSTOMERS.test(label),
  );
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
