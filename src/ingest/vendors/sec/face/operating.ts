/** Reads operating income from an income statement, or proves it where no line shows it. Pure. */

import { FLOW_CONCEPTS } from '../concepts/concepts.ts';
import { absent, type FaceFigure, proved, stated, unknown } from './figure.ts';
import { among, nameOf, type ShownLine } from './lines.ts';
import { type FaceNode, roundingOf, treesOfLines } from './tree.ts';

const OPERATING =
  /^(total )?(net )?(operating (income|profit|earnings|\(?loss)|(income|earnings|profit|\(?loss\)?)( \(loss(es)?\)| or loss)? from operations)/i;

const OPERATED = /\boperat(ing|ions)\b/i;

const PART = /\b(discontinued|before|after|lease)\b/i;

const PRETAX = /^IncomeLossFromContinuingOperationsBeforeIncomeTaxes|^ProfitLossBeforeTax$/;

/** Words of expenses of the business itself. */
const OF_BUSINESS =
  /\b(selling|marketing|advertising|demand creation|overhead|general|administrative|research|development|in-process|amortization|depreciation|restructuring|impairments?|operating expenses?|acquisition|integration|merger|litigation)\b/i;

/** Words of income and expenses beside the business. */
const BESIDE =
  /\b(interest|finance|investments?|equity (in|method)|foreign|currency|gains?|loss(es)? on|extinguishment|pensions?|dividends?|other)\b/i;

/** Label of what some filers tag as operating income, after interest and other income. */
const BEFORE_TAX =
  /^(?!.*\binterest\b).*\bbefore\b.*\btax(es)?\b|\bpre-?tax\b|\bafter\b.*\btax(es)?\b/i;

const MINORITY = /\b(non-?controlling|minority) interests?/gi;

const NOT_OPERATING = 'the line that is tagged so is income before or after taxes';
const AFTER_INTEREST = 'the line that is tagged so stands behind interest';
const NO_LINE = 'the income statement shows no line of it';

/** @param gross Line of gross profit. */
export function operatingOf(lines: readonly ShownLine[], gross: ShownLine | undefined): FaceFigure {
  const tagged = lines.find((one) => among(FLOW_CONCEPTS.operatingIncome, one));
  if (tagged && BEFORE_TAX.test(tagged.label.replace(MINORITY, ''))) return unknown(NOT_OPERATING);
  const isInterest = (line: ShownLine) => /^InterestExpense/.test(nameOf(line));
  const isBehind = tagged && lines.slice(0, lines.indexOf(tagged)).some(isInterest);
  if (isBehind && !OPERATED.test(tagged.label)) return unknown(AFTER_INTEREST);
  const line = tagged ?? lines.find(({ label }) => OPERATING.test(label) && !PART.test(label));
  if (line) return stated(line);
  return (gross && lessExpenses(lines, gross)) ?? absent(NO_LINE);
}

/**
 * Returns gross profit less the expenses of the business, if the lines between it and income before
 * taxes add up to that, and each is of one of the two kinds.
 */
function lessExpenses(lines: readonly ShownLine[], gross: ShownLine): FaceFigure | undefined {
  const first = lines.indexOf(gross) + 1;
  const end = lines.findIndex((line, i) => i >= first && PRETAX.test(nameOf(line)));
  if (end <= first) return undefined;
  const between = treesOfLines(lines.slice(first, end), true).flatMap(leaves);
  const left = between.reduce((sum, { shown }) => sum - shown, gross.shown);
  const isClosed = Math.abs(left - lines[end].shown) <= roundingOf(lines);
  if (!isClosed || between.some((line) => isOfBusiness(line) === undefined)) return undefined;
  const spent = between.filter(isOfBusiness);
  const value = spent.reduce((sum, { shown }) => sum - shown, gross.shown);
  return spent.length > 0 ? proved(value, [gross, ...spent]) : undefined;
}

function leaves(node: FaceNode): FaceNode[] {
  return node.parts.length > 0 ? node.parts.flatMap(leaves) : [node];
}

/** @returns undefined if the words of the line name both kinds, or none. */
function isOfBusiness({ label }: ShownLine): boolean | undefined {
  const [inside, beside] = [OF_BUSINESS.test(label), BESIDE.test(label)];
  return inside === beside ? undefined : inside;
}
