/** Reads the figures of a statement of cash flows from its lines. Pure. */

import { CASH_LINES, CASH_PARTS, CASH_TOTALS } from '../concepts/cash-concepts.ts';
import type { LineRule } from '../concepts/line-concepts.ts';
import {
  AMORTIZED,
  BORROWED,
  CAPITAL,
  DEPRECIATED,
  LEFT,
  LINE_LABELS,
  type LineField,
  MAYBE_LABELS,
  NOT_MAYBE,
  OTHER_WRITTEN_OFF,
  WRITTEN_OFF,
} from './cash-labels.ts';
import { type FaceFigure, stated, summed, unknown } from './figure.ts';
import { isNetFlow, paidTaxes, receivedAmount, UNSIGNED } from './flow-signs.ts';
import { among, isOwn, type ShownLine } from './lines.ts';
import { roundingOf, treesOfLines } from './tree.ts';

type TotalField = keyof typeof CASH_TOTALS;

const INVESTED: ReadonlySet<string> = new Set(['capitalExpenditure', 'acquisitions']);

/** Lines of financing: elsewhere, the same words are of what a company lends. */
const FINANCED: ReadonlySet<string> = new Set(['debtIssued', 'debtRepaid', 'shareIssuance']);

/** Labels of totals in concepts of the filer. */
const TOTAL_LABELS: Partial<Record<TotalField, RegExp>> = {
  operatingCashFlow: /^(total |net )*cash\b.*\boperating activities$/i,
  investingCashFlow: /^(total |net )*cash\b.*\binvesting activities$/i,
  financingCashFlow: /^(total |net )*cash\b.*\bfinancing activities$/i,
  exchangeEffect:
    /\b(exchange|currency|translation)\b.*\bcash\b|^(effects? of )?(foreign (currency|exchange)|currency|exchange rates?|translation)\b/i,
};
const PART = /\b(continuing|discontinued|before)\b/i;

/** Label of what is a section's total, or one of its parts. */
const OF_SECTION = /\bcash\b.*\b(operating|investing|financing) activities\b/i;

/** Sections, each with its total, in the order of the statement. */
const SECTIONS = ['operatingCashFlow', 'investingCashFlow', 'financingCashFlow'] as const;

/**
 * Reads the totals and the lines that a statement has several of: where a section adds up, each of
 * its lines counts once.
 */
export function faceCash(lines: readonly ShownLine[]): Partial<Record<string, FaceFigure>> {
  const figures: Partial<Record<string, FaceFigure>> = {};
  for (const field of Object.keys(CASH_TOTALS) as TotalField[]) {
    const line = totalOf(lines, field);
    const figure = line ? stated(line) : withEnded(lines, field);
    if (figure) figures[field] = figure;
  }
  const invested = new Set(closedLines(lines, 'investingCashFlow'));
  const closed = invested.union(new Set(closedLines(lines, 'financingCashFlow')));
  for (const field of Object.keys(CASH_LINES) as LineField[]) {
    const isOfField = INVESTED.has(field) ? invested : closed;
    const figure = lineOf(lines, field, isOfField);
    if (figure) figures[field] = figure;
  }
  const writtenOff = writtenOffOf(lines);
  if (writtenOff) figures.depreciationAmortization = writtenOff;
  return proving({ ...continuingFlows(lines, figures), ...figures }, roundingOf(lines)) ?? figures;
}

/** Returns flows of continuing operations in the place of those that no line shows. */
function continuingFlows(
  lines: readonly ShownLine[],
  figures: Partial<Record<string, FaceFigure>>,
): Partial<Record<string, FaceFigure>> {
  const flows: Partial<Record<string, FaceFigure>> = {};
  for (const section of SECTIONS) {
    const [continuing, ended] = CASH_PARTS[section];
    const line = lines.find(({ concept }) => concept === continuing);
    const isOther = figures[section] || lines.some(({ concept }) => concept === ended);
    if (line && !isOther) flows[section] = stated(line);
  }
  return flows;
}

function totalOf(lines: readonly ShownLine[], field: TotalField): ShownLine | undefined {
  const known = lines.find((line) => among(CASH_TOTALS[field], line));
  // Flows of continuing operations and the others are added by the rules of company facts.
  const parts: readonly string[] = CASH_PARTS[field as keyof typeof CASH_PARTS] ?? [];
  if (known || lines.some(({ concept }) => parts.includes(concept))) return known;
  const label = TOTAL_LABELS[field];
  // Exchange rates also change what stands in a section.
  const from =
    field === 'exchangeEffect' ? lines.findLastIndex((one) => OF_SECTION.test(one.label)) : -1;
  return lines.find(
    (line, i) => i > from && isOwn(line) && label?.test(line.label) && !PART.test(line.label),
  );
}

const ENDED = 'a line in a concept of the filer may be of discontinued operations';

/**
 * Adds flows of discontinued operations that the filer has in its own concept to those of the
 * others. Without the word in its label, such a line leaves the figure open.
 */
function withEnded(lines: readonly ShownLine[], field: TotalField): FaceFigure | undefined {
  if (!(field in CASH_PARTS) || field === 'exchangeEffect') return undefined;
  const [continuing, ended] = CASH_PARTS[field as keyof typeof CASH_PARTS];
  const line = lines.find(({ concept }) => concept === continuing);
  if (!line || lines.some(({ concept }) => concept === ended)) return undefined;
  const word = new RegExp(`\\b${field.replace('CashFlow', '')} activities`, 'i');
  const isOfSection = (one: ShownLine) => isOwn(one) && word.test(one.label);
  const found = lines.slice(lines.indexOf(line) + 1).filter(isOfSection);
  const [first, ...others] = found;
  const isEnded = first && others.length === 0 && /\bdiscontinued\b/i.test(first.label);
  return isEnded ? summed([line, first]) : first && unknown(ENDED);
}

/** Returns the lines of a section, from the total of the one before it to its own. */
function linesOf(
  lines: readonly ShownLine[],
  section: (typeof SECTIONS)[number],
): readonly ShownLine[] {
  const total = totalOf(lines, section);
  if (!total) return [];
  const end = lines.indexOf(total);
  const before = SECTIONS.map((other) => totalOf(lines, other))
    .map((line) => (line ? lines.indexOf(line) : -1))
    .filter((at) => at < end);
  return lines.slice(Math.max(-1, ...before) + 1, end);
}

/** Returns the lines of a section that add up to its total; none if they do not. */
function closedLines(
  lines: readonly ShownLine[],
  section: (typeof SECTIONS)[number],
): readonly ShownLine[] {
  const own = linesOf(lines, section);
  const total = totalOf(lines, section);
  const rounding = roundingOf(own);
  const isClosed = [false, true]
    .map((isLoose) => treesOfLines(own, isLoose))
    .some((nodes) => {
      const gap = nodes.reduce((sum, { shown }) => sum + shown, -Number(total?.shown));
      return Math.abs(gap) <= rounding;
    });
  return isClosed ? own : [];
}

/**
 * Adds depreciation and amortization that stand in lines of their own. All of a section are added to
 * the profit, so each counts once, unless one is the total of the others.
 */
function writtenOffOf(lines: readonly ShownLine[]): FaceFigure | undefined {
  const own = linesOf(lines, 'operatingCashFlow').filter(
    ({ label, value }) => value !== 0 && WRITTEN_OFF.test(label) && !OTHER_WRITTEN_OFF.test(label),
  );
  const [depreciated, ...more] = own.filter(({ label }) => DEPRECIATED.test(label));
  const amortized = own.filter(({ label }) => AMORTIZED.test(label));
  const isEach = more.length === 0 && own.length === 1 + amortized.length;
  if (!depreciated || amortized.length === 0 || !isEach) return undefined;
  const figure = summed(own.map((line) => ({ ...line, shown: Math.abs(line.value) })));
  return own.some(({ value }) => 2 * Math.abs(value) === figure.value) ? undefined : figure;
}

/** Returns true for what was received less what was paid, which is neither. */
function isNet({ concept, label }: ShownLine): boolean {
  return /ProceedsFrom(Repayments|Payments)/.test(concept) || /\bnet( \(.*\))?$/i.test(label);
}

function lineOf(
  lines: readonly ShownLine[],
  field: LineField,
  closed: ReadonlySet<ShownLine>,
): FaceFigure | undefined {
  const { totals = [], lines: concepts = [], sum, beside = [] }: LineRule = CASH_LINES[field];
  const amount = (line: ShownLine) => {
    // An amount below zero was paid. One above it was received, if the section adds up.
    if (field === 'acquisitions' && (closed.has(line) || line.shown < 0)) return -line.shown;
    if (field === 'taxesPaid') return paidTaxes(line, lines);
    return UNSIGNED.has(field) ? Math.abs(line.value) : receivedAmount(line);
  };
  const total = lines.find(({ concept }) => totals.includes(concept));
  if (total && field === 'acquisitions' && LEFT.test(total.label)) return unknown(partOf(total));
  const isWhole = total && (field !== 'capitalExpenditure' || isAllOf(total, lines, concepts));
  if (isWhole)
    return isNetOf(field, total) ? unknown(netReason(total)) : stated(total, amount(total));
  const part = total && CAPITAL.test(total.label) ? total : undefined;
  if (sum || lines.some(({ concept }) => beside.includes(concept))) return undefined;
  const own = FINANCED.has(field) ? linesOf(lines, 'financingCashFlow') : [];
  const isNamed = (line: ShownLine) =>
    (FINANCED.has(field) ? own.includes(line) && !isNet(line) : isOwn(line)) &&
    LINE_LABELS[field]?.test(line.label.replace(/\(note \w+\)/i, ''));
  const isLease = (line: ShownLine) => LEASED.has(line.concept) && !BORROWED.test(line.label);
  const found = lines.filter(
    (line) => (concepts.includes(line.concept) && !isLease(line)) || line === part || isNamed(line),
  );
  if (total && found.length === 0) return unknown(partOf(total));
  const net = found.find((line) => isNetOf(field, line));
  if (net) return unknown(netReason(net));
  const other = maybeLine(lines, field, found);
  if (other) return unknown(partOf(other));
  const [only] = found;
  if (found.length === 1) return stated(only, amount(only));
  const isCounted = found.length > 1 && found.every((line) => closed.has(line));
  if (!isCounted)
    return found.some((line) => !concepts.includes(line.concept)) ? unknown(SEVERAL) : undefined;
  return summed(found.map((line) => ({ ...line, shown: amount(line) })));
}

/** Concepts of repaid debt that filers use for leases alone, too. */
const LEASED = new Set(['us-gaap:RepaymentsOfLongTermDebtAndCapitalSecurities']);

/** Returns true if a line in the concept of a total is all of it, by its label and other lines. */
function isAllOf(
  total: ShownLine,
  lines: readonly ShownLine[],
  concepts: readonly string[],
): boolean {
  const others = lines.filter((line) => among(concepts, line));
  const gap = others.reduce((rest, { shown }) => rest - shown, total.shown);
  return CAPITAL.test(total.label) && (others.length === 0 || Math.abs(gap) <= roundingOf(lines));
}

const isNetOf = (field: LineField, line: ShownLine) =>
  FINANCED.has(field) && isNetFlow(field, line);

const partOf = ({ label }: ShownLine) => `"${label}" may be a part of it`;

const netReason = ({ label }: ShownLine) => `"${label}" is what was received less what was paid`;

/** Returns a line of the filer in the same section that may belong to a figure. */
function maybeLine(
  lines: readonly ShownLine[],
  field: LineField,
  found: readonly ShownLine[],
): ShownLine | undefined {
  const [words, sign] = MAYBE_LABELS[field] ?? [];
  if (!words || !sign) return undefined;
  const section = field === 'capitalExpenditure' ? 'investingCashFlow' : 'financingCashFlow';
  const own = field === 'depreciationAmortization' ? 'operatingCashFlow' : section;
  const isMaybe = ({ label }: ShownLine) =>
    words.test(label) && (INVESTED.has(field) || !NOT_MAYBE.test(label));
  return linesOf(lines, own).find(
    (line) => isOwn(line) && line.shown * sign > 0 && isMaybe(line) && !found.includes(line),
  );
}

const SEVERAL = 'the statement has several lines of it, and its section does not add up';

/**
 * Marks the flows as proved if they and the effect of exchange rates are the change in cash.
 * @returns undefined if they are not.
 */
function proving(
  figures: Partial<Record<string, FaceFigure>>,
  rounding: number,
): Partial<Record<string, FaceFigure>> | undefined {
  const { changeInCash: change, exchangeEffect } = figures;
  const flows = SECTIONS.map((section) => figures[section]);
  if (!change || flows.some((flow) => (flow?.value ?? null) === null)) return undefined;
  const all = [...flows, change, ...(exchangeEffect ? [exchangeEffect] : [])] as FaceFigure[];
  // Some tag outflows above zero, and show them below it.
  const amounts = [({ value }: FaceFigure) => Number(value), shownAmount].find((amount) => {
    const sum = all.reduce((rest, figure) => rest + amount(figure), -2 * amount(change));
    return Math.abs(sum) <= rounding;
  });
  if (!amounts) return undefined;
  for (const field of [...SECTIONS, 'changeInCash']) {
    const { evidence, ...figure } = figures[field]!;
    const value = amounts({ ...figure, evidence });
    figures[field] = { value, evidence: { ...evidence, verdict: 'proved' } };
  }
  if (exchangeEffect)
    figures.exchangeEffect = { ...exchangeEffect, value: amounts(exchangeEffect) };
  return figures;
}

function shownAmount({ evidence }: FaceFigure): number {
  return Number(evidence.lines?.[0][2]);
}
