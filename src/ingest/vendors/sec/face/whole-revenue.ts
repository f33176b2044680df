/** Compares revenue with the other lines of an income statement, which show if it is a part. Pure. */

import { FLOW_CONCEPTS } from '../concepts/concepts.ts';
import { GAINS_SHARE } from '../concepts/sales.ts';
import { type FaceFigure, proved, unknown } from './figure.ts';
import { among, isOwn, nameOf, type ShownLine } from './lines.ts';
import { type FaceNode, roundingOf, treesOfLines, within } from './tree.ts';

export const isNetRevenue = (line: ShownLine) =>
  among(FLOW_CONCEPTS.grossProfit, line) && /^(total )?(net )?revenues?\b/i.test(line.label);

export function isGross(line: ShownLine): boolean {
  return (
    (among(FLOW_CONCEPTS.grossProfit, line) && !isNetRevenue(line)) ||
    (isOwn(line) && /^(total )?gross (profit|margin|income)\b/i.test(line.label))
  );
}

/** Words of income that is no sale. */
export const BESIDE_SALES =
  /\b(income|gains?|loss(es)?|interest(?!.*\bsales)|dividends?|equity)\b/i;

const SPENT =
  /\b(costs?|expenses?|administrative|materials|fuel|salaries)\b|Cost|Expense|Administrative/i;

export const NO_TOTAL =
  'the lines of revenue have no total, and the result does not prove their sum';

/**
 * Compares revenue with the lines of income before the first expense. Without a total, all of them
 * are revenue if the result proves so, or it is open.
 */
export function checked(
  revenue: FaceFigure,
  lines: readonly ShownLine[],
  operating: FaceFigure,
  sums: readonly number[],
): FaceFigure {
  if (revenue.value === null) return revenue;
  const end = lines.findIndex(
    (line) => line.shown < 0 || SPENT.test(`${line.label} ${nameOf(line)}`),
  );
  const roots = treesOfLines(lines.slice(0, Math.max(end, 0)), false);
  const shown = new Set(revenue.evidence.lines?.map(([name]) => name));
  const isKnown = (node: FaceNode) => [...within([node])].some(({ concept }) => shown.has(concept));
  const isTotal = (node: FaceNode) =>
    isKnown(node) && (node.parts.length > 0 || /\btotal\b/i.test(node.label));
  const others = roots.filter(
    (node) =>
      !isKnown(node) && !isGross(node) && node.value !== 0 && !BESIDE_SALES.test(node.label),
  );
  const rounding = roundingOf(lines);
  const total = roots.find(isTotal);
  if (total) return isWhole(total, revenue, shown) ? revenue : unknown(NO_TOTAL);
  // Columns by segment leave lines without amounts: costs and the result show more.
  const isPart = sums.some((sum) => sum > revenue.value! * (1 + GAINS_SHARE));
  if (others.length === 0 || !roots.some(isKnown)) return isPart ? unknown(NO_TOTAL) : revenue;
  const rest = others.reduce((sum, { value }) => sum + value, -revenue.value);
  if (Math.abs(rest) <= rounding) return revenue;
  const whole = others.reduce((sum, { value }) => sum + value, revenue.value);
  const behind = lines.findLastIndex(({ concept }) => shown.has(concept)) + 1;
  const proofs = [
    ...sums,
    ...spentAndLeft(lines.slice(end), operating),
    ...spentAndLeft(lines.slice(behind), operating),
  ];
  const isShown = (amount: number) => proofs.some((one) => Math.abs(one - amount) <= rounding);
  if (isShown(revenue.value)) return revenue;
  const known = roots.filter(isKnown);
  return isShown(whole) ? proved(whole, [...known, ...others]) : unknown(NO_TOTAL);
}

/** Returns true if a total is the revenue itself, or has only little income beside it. */
function isWhole(
  { concept, parts }: FaceNode,
  revenue: FaceFigure,
  shown: ReadonlySet<string>,
): boolean {
  if (shown.has(concept) || parts.length === 0) return true;
  const isKnown = (node: FaceNode) => [...within([node])].some((one) => shown.has(one.concept));
  const isOther = ({ label, value }: FaceNode) =>
    value === 0 || /^other (income|\(expense)/i.test(label);
  const beside = parts.filter((part) => !isKnown(part) && !isOther(part));
  const sum = beside.reduce((all, { value }) => all + Math.abs(value), 0);
  const isOfIncome = beside.every(({ label }) => BESIDE_SALES.test(label));
  return isOfIncome && sum <= GAINS_SHARE * Math.abs(revenue.value!);
}

/** Returns the expenses of a statement plus the operating income behind them. */
function spentAndLeft(lines: readonly ShownLine[], { value, evidence }: FaceFigure): number[] {
  const [name] = evidence.lines?.[0] ?? [];
  const at = lines.findIndex(({ concept }) => concept === name);
  if (value === null || at <= 0) return [];
  const spent = treesOfLines(
    lines.slice(0, at).filter((line) => !isGross(line)),
    false,
  );
  return [spent.reduce((sum, node) => sum + Math.abs(node.value), value)];
}
