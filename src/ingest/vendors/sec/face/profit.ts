/** Reads net income of the parent from an income statement. Pure. */

import { FLOW_CONCEPTS, PROFIT_CONCEPTS } from '../concepts/concepts.ts';
import { INCOME_LINES } from '../concepts/line-concepts.ts';
import { type Earnings, netIncomes } from '../concepts/profits.ts';
import { absent, type FaceFigure, proved, stated, unknown } from './figure.ts';
import { among, isOwn, type ShownLine } from './lines.ts';
import { roundingOf } from './tree.ts';

const PARENT_PROFIT = /\b(attributable|applicable|available) to\b/i;
const MINORITY = /\b(minority|non-?controlling)\b/i;
const BARE = /^net (income|earnings|loss|\(loss\) income)( \((loss|income)\))?$/i;
const PROFIT = /\bnet (income|earnings|profit|\(?loss\)?)/i;

/** Filers tag the part of minorities with either sign; what the statement proves decides. */
export function profitOf(
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
  const isAbove = (line: ShownLine | undefined) => line && lines.indexOf(line) < at;
  const before =
    [whole, parent].find(isAbove) ??
    lines.slice(0, at).findLast(({ label }) => PROFIT.test(label)) ??
    whole ??
    parent;
  if (!minority || !before) {
    // Some tag as net income what preferred shares leave.
    const profit =
      (parent && whole && isOfCommon(parent) ? whole : (parent ?? whole)) ??
      lines.find(({ label }) => BARE.test(label));
    return profit ? stated(profit) : absent('the income statement shows no net income');
  }
  const all = lines.slice(at).filter(isMinority);
  const parts = [minority, all.reduce((sum, { value }) => sum + value, 0)];
  const isRest = ({ label, value }: ShownLine) =>
    PROFIT.test(label) &&
    !MINORITY.test(label) &&
    parts.some((part) => gapTo(part, value - before.value) <= roundingOf(lines));
  const rest = lines.slice(at + 1).find((line) => !isOfCommon(line) && isRest(line));
  if (rest) return stated(rest);
  const left = leftToParent(lines, at, before);
  if (left !== undefined) return proved(left, [before, lines[at]]);
  const common = lines.slice(at + 1).find(isRest);
  if (common) return stated(common);
  if (parent) return stated(parent);
  // The rules of company facts do not know minorities in concepts of the filer.
  const [found] = isOwn(lines[at]) ? [] : netIncomes(amounts, earnings);
  return found
    ? proved(found.value, [before, lines[at]])
    : unknown('the profit may hold the part of minorities');
}

/** Returns what the profit leaves to minorities, and to common shares, where lines show it. */
export function ownersOf(
  lines: readonly ShownLine[],
  netIncome: FaceFigure,
): Partial<Record<'minorityIncome' | 'netIncomeToCommon', FaceFigure>> {
  const [minorityIncome, netIncomeToCommon] = [minorityOf(lines, netIncome), commonOf(lines)];
  return {
    ...(minorityIncome && { minorityIncome }),
    ...(netIncomeToCommon && { netIncomeToCommon }),
  };
}

/**
 * Returns the part of minorities with the sign by which it and net income are a profit that the
 * statement shows.
 */
function minorityOf(
  lines: readonly ShownLine[],
  { value: profit }: FaceFigure,
): FaceFigure | undefined {
  if (profit === null) return undefined;
  const known = lines.filter((line) => among(MINORITIES, line));
  const named = lines.filter((line) => isMinority(line) && !among(PROFITS, line));
  const rounding = roundingOf(lines);
  for (const part of [...known, ...named].filter(({ value }) => value !== 0)) {
    const above = lines.slice(0, lines.indexOf(part)).filter(({ label }) => PROFIT.test(label));
    const isWhole = (amount: number) =>
      above.some(({ value }) => Math.abs(value - amount) <= rounding);
    const signed = [part.value, -part.value].find((value) => isWhole(profit + value));
    if (signed !== undefined) return stated(part, signed);
  }
  return undefined;
}

const MINORITIES: readonly string[] = [
  ...PROFIT_CONCEPTS.minorityIncome,
  ...PROFIT_CONCEPTS.someMinorityIncome,
];
const PROFITS: readonly string[] = [...PROFIT_CONCEPTS.netIncome, ...PROFIT_CONCEPTS.wholeProfit];

const TO_COMMON =
  /^(?!.*\b(continuing|discontinued|before|comprehensive|each class|class [a-z]|participating|per)\b).*\b(income|earnings|loss|profit)\b.*\b(to|for) (\S+ ){0,5}(common|units\b)/i;

/** Returns what is left to common shares, in a concept that the rules of company facts do not know. */
function commonOf(lines: readonly ShownLine[]): FaceFigure | undefined {
  if (lines.some((line) => among(FLOW_CONCEPTS.netIncomeToCommon, line))) return undefined;
  const line = lines.find(({ label }) => TO_COMMON.test(label));
  return line && stated(line);
}

/** Distance of a difference from a part that was added or subtracted. */
const gapTo = (part: number, difference: number) => Math.abs(Math.abs(difference) - Math.abs(part));

function isMinority({ label }: ShownLine): boolean {
  return MINORITY.test(label) && !/\b(before|including|excluding)\b/i.test(label);
}

function isOfCommon(line: ShownLine): boolean {
  return among(FLOW_CONCEPTS.netIncomeToCommon, line) || /\bcommon\b/i.test(line.label);
}

/**
 * Returns profit with the part of minorities added or subtracted, if one of the two ways, with the
 * dividends of preferred shares behind it, leaves what common shares have.
 */
function leftToParent(
  lines: readonly ShownLine[],
  at: number,
  before: ShownLine,
): number | undefined {
  const end = lines.findIndex((line, i) => i > at && isOfCommon(line) && PROFIT.test(line.label));
  if (end <= at + 1) return undefined;
  const between = lines.slice(at + 1, end);
  const taken = between.reduce((sum, { value }) => sum + Math.abs(value), 0);
  const ways = [-lines[at].value, lines[at].value].filter(
    (part) => Math.abs(before.value + part - taken - lines[end].value) <= roundingOf(lines),
  );
  return ways.length === 1 ? before.value + ways[0] : undefined;
}

const BEFORE_TAX = /\b(income|earnings|loss|profit)\b.*\bbefore\b.*\btax(es|ation)?\b/i;
const TAXES: readonly string[] = INCOME_LINES.incomeTax.totals;
const PRETAX: readonly string[] = INCOME_LINES.pretaxIncome.totals;

/**
 * Returns income before taxes in a concept that the rules of company facts do not know, if it less
 * the tax is the next result, with or without what stands between.
 */
export function pretaxOf(lines: readonly ShownLine[]): FaceFigure {
  const at = lines.findIndex((line) => among(TAXES, line));
  const line = lines.slice(0, Math.max(at, 0)).findLast(({ label }) => BEFORE_TAX.test(label));
  if (!line || lines.some((one) => among(PRETAX, one))) return absent(NO_PRETAX);
  const left = line.value - lines[at].value;
  const [next, after] = lines.slice(at + 1).map(({ value }) => value);
  const gaps = [left - next, left + next - after].map(Math.abs);
  return gaps.some((gap) => gap <= roundingOf(lines)) ? stated(line) : absent(NO_PRETAX);
}

const NO_PRETAX = 'the income statement shows no income before taxes that its tax proves';
