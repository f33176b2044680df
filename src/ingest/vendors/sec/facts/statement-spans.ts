/** Reads a filing's income statement of each period that it covers. Pure. */

import type { Evidence } from '../../../../base/datasets/evidence.ts';
import { CASH_LINES } from '../concepts/cash-concepts.ts';
import {
  COST_CONCEPTS,
  FLOW_CONCEPTS,
  MEAN_CONCEPTS,
  PROFIT_CONCEPTS,
  PROOF_CONCEPTS,
  REVENUE_CONCEPTS,
} from '../concepts/concepts.ts';
import { DOUBT_CONCEPTS } from '../concepts/doubt-concepts.ts';
import { conceptsOf, INCOME_LINES, type LineRule } from '../concepts/line-concepts.ts';
import { amountsOf, type Lines, lineTable, openReason } from '../concepts/lines.ts';
import type { FactFiling } from '../concepts/parse-companyfacts.ts';
import {
  type FigureRules,
  figureRules,
  pickFigures,
  reportingCurrency,
} from '../concepts/pick-figures.ts';
import {
  type Earnings,
  isOfParent,
  minorityIncome,
  netIncomes,
  withTaxSign,
} from '../concepts/profits.ts';
import { type Candidate, costs, isCostOfPart, revenues } from '../concepts/sales.ts';
import { faceExpenses, singleLine } from '../face/expenses.ts';
import { faceIncome } from '../face/income.ts';
import { type FaceSpan, shownLines } from '../face/lines.ts';
import {
  openEvidence,
  type ToldFigures,
  undecidedEvidence,
  withEvidence,
  withFace,
  withOpen,
} from './evidence.ts';
import { grossProfits, withGrossProfit } from './gross-profit.ts';
import { hollowLines, withoutHollow } from './hollow-lines.ts';
import { INCOME_WORDS, withNamed } from './named-lines.ts';
import { withoutPartial } from './partial-lines.ts';
import { undecidedIncome } from './undecided-income.ts';

/** Main figures that grow with the length of the period. */
export const MAIN_FLOWS = [
  'revenue',
  'costOfRevenue',
  'grossProfit',
  'operatingIncome',
  'netIncome',
  'netIncomeToCommon',
  'dividendsPerShare',
] as const;

const LINE_FIELDS = Object.keys(INCOME_LINES) as (keyof typeof INCOME_LINES)[];

/** Unpublished figure, which is that of the cash flows. */
const WRITTEN_OFF = 'depreciationAmortization';

/** Figures that grow with the length of the period. */
export const FLOWS = [...MAIN_FLOWS, 'minorityIncome', ...LINE_FIELDS, WRITTEN_OFF] as const;

/** Figures that do not grow with the length of the period. */
export const MEANS = ['eps', 'epsDiluted', 'sharesBasic', 'sharesDiluted'] as const;

export type FlowField = (typeof FLOWS)[number];

export type StatementField = FlowField | (typeof MEANS)[number];

export type Figures<F extends string> = Record<F, number | null>;

export type StatementFigures = Figures<StatementField>;

/** Length of a period. The two between quarters and years are used for differences. */
export type SpanLength = 'quarter' | 'half' | 'nineMonths' | 'year';

export interface Span<F extends string = StatementField> {
  startDay: number;
  endDay: number;
  length: SpanLength;
  figures: Figures<F>;
  /** Amounts of a figure that is one of several concepts or sums, that of `figures` first. */
  candidates: Partial<Record<F, readonly Candidate[]>>;
  evidence?: Evidence;
}

export interface StatementReport<F extends string = StatementField> {
  currency: string;
  spans: Span<F>[];
  /** End of the filing's own period. Other periods are comparisons. */
  newestEndDay: number;
}

/** Days of each length, both ends included. Quarters may have 12 to 17 weeks. */
export const SPAN_DAYS: Readonly<Record<SpanLength, readonly [least: number, most: number]>> = {
  quarter: [75, 125],
  half: [160, 230],
  nineMonths: [245, 290],
  year: [350, 380],
};

const LINES = lineTable([REVENUE_CONCEPTS, COST_CONCEPTS, PROFIT_CONCEPTS]);

/** Lines that prove others, and no figure is. */
const PROOFS = lineTable([
  PROOF_CONCEPTS,
  DOUBT_CONCEPTS,
  { result: FLOW_CONCEPTS.operatingIncome },
  { depreciation: CASH_LINES.depreciationAmortization.totals },
]);

/** Concepts that show a statement. Lines alone may come from a note. */
const MAIN = { ...FLOW_CONCEPTS, ...MEAN_CONCEPTS, ...LINES };

const rules = figureRules<string>({
  ...lineTable([{ all: Object.values<LineRule>(INCOME_LINES).flatMap(conceptsOf) }]),
  ...MAIN,
  ...PROOFS,
});

type PickedField = keyof typeof FLOW_CONCEPTS | keyof typeof MEAN_CONCEPTS;
type Picked = Partial<Record<PickedField, number>> & Lines;

/** Least number of figures in a statement. One figure, or a dividend, comes from a note. */
const FIGURES_MIN = 2;

/**
 * Returns undefined for a filing without an income statement.
 * @param flows Cash flows of the filing, whose depreciation counts.
 */
export function statementReport(
  filing: FactFiling,
  flows?: StatementReport<typeof WRITTEN_OFF>,
): StatementReport | undefined {
  const report = incomeReport(filing);
  const spans =
    report &&
    withoutUnproved(report.spans).map((span) => {
      const { startDay, endDay } = span;
      const flow = flows?.spans.find((one) => one.startDay === startDay && one.endDay === endDay);
      const value = flow?.figures[WRITTEN_OFF] ?? null;
      const candidates = { ...span.candidates, [WRITTEN_OFF]: flow?.candidates[WRITTEN_OFF] ?? [] };
      return { ...span, figures: { ...span.figures, [WRITTEN_OFF]: value }, candidates };
    });
  return report && { ...report, spans: spans! };
}

function incomeReport(filing: FactFiling): StatementReport | undefined {
  return readReport(filing, rules, (given: Picked, span, currency) => {
    const figures = withTaxSign(given);
    const told = Object.keys(figures).filter(
      (name) => name in MAIN && name !== 'dividendsPerShare',
    );
    if (told.length < FIGURES_MIN) return undefined;
    const made = completed(figures, filing.apartByClass);
    return shownIncome(made, figures, filing, { span, currency });
  });
}

/**
 * Leaves income to common shares open that is all profit, if no earnings per share prove it and
 * others have a part of the profit of a longer period around it.
 */
function withoutUnproved(spans: readonly Span[]): Span[] {
  const shared = spans.filter(({ figures: { netIncome, netIncomeToCommon } }) => {
    return netIncome !== null && netIncomeToCommon !== null && netIncomeToCommon < netIncome;
  });
  return spans.map((span) => {
    const { eps, epsDiluted, netIncome, netIncomeToCommon } = span.figures;
    const isStated = netIncomeToCommon !== netIncome || eps !== null || epsDiluted !== null;
    const isIn = (one: Span) => one.startDay <= span.startDay && one.endDay >= span.endDay;
    if (isStated || !shared.some(isIn)) return span;
    const evidence = { ...span.evidence, netIncomeToCommon: openEvidence(SHARED) };
    return { ...span, figures: { ...span.figures, netIncomeToCommon: null }, evidence };
  });
}

/** Least number of lines in an income statement. With fewer, it is one with other income. */
const LINES_MIN = 4;

/** Takes the figures that the income statement shows. */
function shownIncome(
  made: ToldFigures<StatementField>,
  picked: Picked,
  filing: FactFiling,
  { span, currency }: { span: FaceSpan; currency: string },
): ToldFigures<StatementField> {
  const tables = (['IS', 'CI'] as const).map((one) => shownLines(filing, one, span, currency));
  const lines = tables.find(({ length }) => length >= LINES_MIN);
  if (!lines) return withOpen(made, undecidedIncome(picked, made.figures, filing));
  const shown = { ...faceExpenses(lines), ...faceIncome(lines, picked as Earnings) };
  const hollow = hollowLines(filing, tables[0] === lines ? 'IS' : 'CI', lines);
  const face = withoutPartial(withoutHollow(withFace(made, shown), hollow), lines);
  const { netIncome, netIncomeToCommon } = made.figures;
  // The part of minorities is what another profit leaves.
  const isOther = face.figures.netIncome !== netIncome && !shown.minorityIncome;
  const decided = isOther
    ? withOpen(face, { minorityIncome: OTHER_PROFIT }, undecidedEvidence)
    : face;
  const ofPart = lines.find(({ concept, label }) => DILUTED.has(concept) && ENDED.test(label));
  const reason = ofPart && `"${ofPart.label}" alone is tagged so`;
  const whole = withOpen(decided, { epsDiluted: reason }, undecidedEvidence);
  const told = withNamed(whole, lines, INCOME_WORDS);
  const isSame = netIncome !== null && netIncome === netIncomeToCommon;
  if (!isSame || picked.netIncomeToCommon !== undefined || shown.netIncomeToCommon) return told;
  return { ...told, figures: { ...told.figures, netIncomeToCommon: told.figures.netIncome } };
}

/** Filers tag earnings of discontinued operations so, and the total in a concept of their own. */
const DILUTED = new Set<string>(MEAN_CONCEPTS.epsDiluted);
const ENDED = /^(?!.*\bnet\b).*\bdiscontinued\b/i;

const OTHER_PROFIT = 'the statement shows another profit than the one that leaves it';

/**
 * Reads a statement of each period that a filing covers.
 * @param read Returns undefined for figures that are no statement.
 * @returns undefined for a filing without one.
 */
export function readReport<F extends string>(
  filing: FactFiling,
  picking: FigureRules<string>,
  read: (
    figures: Readonly<Record<string, number | undefined>>,
    span: FaceSpan,
    currency: string,
  ) => ToldFigures<F> | undefined,
): StatementReport<F> | undefined {
  const currency = reportingCurrency(filing.facts);
  if (currency === undefined) return undefined;
  const isAnnual = /^(10-K|20-F|40-F)/.test(filing.form) || filing.fiscalPeriod === 'FY';
  const spans: Span<F>[] = [];
  for (const set of pickFigures(filing.facts, picking, currency)) {
    const { startDay, endDay, figures, concepts } = set;
    const length = startDay === undefined ? undefined : lengthOf(endDay - startDay + 1);
    if (startDay === undefined || length === undefined) continue;
    // Utilities show the last twelve months every quarter. Those are not years.
    if (length === 'year' && !isAnnual) continue;
    const told = read(figures, set, currency);
    if (told) spans.push({ startDay, endDay, length, ...withEvidence(told, concepts, figures) });
  }
  if (spans.length === 0) return undefined;
  return { currency, spans, newestEndDay: Math.max(...spans.map(({ endDay }) => endDay)) };
}

function lengthOf(days: number): SpanLength | undefined {
  return (Object.keys(SPAN_DAYS) as SpanLength[]).find(
    (length) => days >= SPAN_DAYS[length][0] && days <= SPAN_DAYS[length][1],
  );
}

/** Adds figures that follow from others and are missing in the filing. */
function completed(
  picked: Picked,
  apartByClass: ReadonlySet<string> = new Set(),
): ToldFigures<StatementField> {
  const { sharesBasic = null, sharesDiluted = null, preferredDividends = 0 } = picked;
  const profits = netIncomes(picked, picked as Earnings);
  const sales = revenues(picked);
  const given = costs(picked, sales[0]?.value);
  const spent = isCostOfPart(picked, given[0]) ? [] : given;
  const netIncome = profits[0]?.value ?? null;
  // Without a line of preferred dividends, earnings per share may show some.
  const isLeft =
    netIncome !== null &&
    isOfParent(netIncome, { ...picked, netIncomeToCommon: undefined } as Earnings);
  const leftToCommon = isLeft ? netIncome - preferredDividends : null;
  const netIncomeToCommon = picked.netIncomeToCommon ?? leftToCommon;
  const figures = {
    ...withGrossProfit(
      sales[0]?.value ?? null,
      spent[0]?.value ?? null,
      picked.grossProfit ?? null,
    ),
    operatingIncome: picked.operatingIncome ?? null,
    netIncome,
    netIncomeToCommon,
    // Dividends are often entered as a loss of equity, below zero.
    dividendsPerShare:
      picked.dividendsPerShare === undefined ? null : Math.abs(picked.dividendsPerShare),
    eps: signedLike(netIncomeToCommon, picked.eps ?? null, sharesBasic),
    epsDiluted: signedLike(netIncomeToCommon, picked.epsDiluted ?? null, sharesDiluted),
    sharesBasic,
    sharesDiluted,
  };
  const { costOfRevenue } = figures;
  const [first, ...parts] = spent;
  const cost =
    costOfRevenue === null || !first ? [] : [{ ...first, value: costOfRevenue }, ...parts];
  const lines = { ...singleLines(picked), minorityIncome: minorityIncome(picked) };
  return {
    figures: { ...figures, ...mapped(lines, (line) => line?.value ?? null), [WRITTEN_OFF]: null },
    candidates: {
      ...mapped(lines, (line) => (line ? [line] : [])),
      ...{ revenue: sales, netIncome: profits, costOfRevenue: cost },
      grossProfit: grossProfits(picked.grossProfit, sales, cost),
    },
    reasons: {
      netIncomeToCommon: netIncome === null ? undefined : SHARED,
      ...mapped(INCOME_LINES, (rule: LineRule) => openReason(picked, rule)),
      ...mapped({ eps: MEAN_CONCEPTS.eps, epsDiluted: MEAN_CONCEPTS.epsDiluted }, (concepts) =>
        concepts.some((concept) => apartByClass.has(concept)) ? APART_BY_CLASS : undefined,
      ),
      ...mapped(WHOLES, ([table, reason]) =>
        amountsOf(picked, Object.values<readonly string[]>(table).flat()).length > 0
          ? reason
          : undefined,
      ),
    },
  };
}

const APART_BY_CLASS = 'given by class of shares, and no source says of which class a ticker is';

/** Reason for open income to common shares beside a known profit. */
export const SHARED =
  'others, as preferred shares, may have a part of the profit that no line gives';

/** Reason for an open profit. */
export const MAY_HOLD_MINORITIES = 'the profit may hold the part of minorities';

/** Figures that are the whole of some lines, each with the reason why these may be a part. */
const WHOLES = {
  revenue: [REVENUE_CONCEPTS, 'no line of revenue is known to be all of it'],
  costOfRevenue: [COST_CONCEPTS, 'no line of cost is known to be all of it'],
  netIncome: [PROFIT_CONCEPTS, MAY_HOLD_MINORITIES],
} as const;

function singleLines(lines: Lines): Record<keyof typeof INCOME_LINES, Candidate | undefined> {
  return mapped(INCOME_LINES, (rule: LineRule, field) => singleLine(lines, field, rule));
}

function mapped<K extends string, V, T>(
  table: Readonly<Record<K, V>>,
  map: (value: V, name: K) => T,
): Record<K, T> {
  const entries = Object.entries<V>(table).map(([name, value]) => [name, map(value, name as K)]);
  return Object.fromEntries(entries) as Record<K, T>;
}

/** Largest gap, as a share, between earnings per share and income ÷ shares for a wrong sign. */
const SLIP_SHARE = 0.05;

/** Fixes the sign: "Loss per share: 0.50" is often entered without its minus. */
function signedLike(
  income: number | null,
  perShare: number | null,
  shares: number | null,
): number | null {
  if (income === null || perShare === null || shares === null) return perShare;
  if (income * perShare >= 0) return perShare;
  const isSlip = Math.abs(perShare * shares + income) <= SLIP_SHARE * Math.abs(income);
  return isSlip ? -perShare : perShare;
}
