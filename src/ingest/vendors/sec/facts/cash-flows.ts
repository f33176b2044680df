/** Reads cash flows from company facts. Filings give years to date; quarters are differences. Pure. */

import type { cashFlow } from '../../../../base/datasets/cash-flow.ts';
import { withDerivedFlows } from '../../../../base/datasets/cash-flow.ts';
import type { RowOf } from '../../../../base/datasets/dataset.ts';
import type { FigureEvidence } from '../../../../base/datasets/evidence.ts';
import { decimalSum } from '../../../../base/prices/decimals.ts';
import {
  CASH_CONCEPTS,
  CASH_LINES,
  CASH_PARTS,
  CASH_TOTALS,
  CHANGE_BEFORE_EXCHANGE,
  FINANCING_CONCEPTS,
  OTHER_FLOWS,
} from '../concepts/cash-concepts.ts';
import { COST_CONCEPTS, PROFIT_CONCEPTS, PROOF_CONCEPTS } from '../concepts/concepts.ts';
import { DOUBT_CONCEPTS } from '../concepts/doubt-concepts.ts';
import { conceptsOf, type LineRule } from '../concepts/line-concepts.ts';
import {
  amountsOf,
  firstAmount,
  type Lines,
  lineTable,
  openReason,
  statedLine,
} from '../concepts/lines.ts';
import type { FactFiling } from '../concepts/parse-companyfacts.ts';
import { figureRules } from '../concepts/pick-figures.ts';
import type { Candidate } from '../concepts/sales.ts';
import { faceCash } from '../face/cash.ts';
import { NEVER_BELOW, UNSIGNED } from '../face/flow-signs.ts';
import { shownLines } from '../face/lines.ts';
import { basisEvidence, type ToldFigures, withFace, withOpen } from './evidence.ts';
import type { FiscalCalendar } from './fiscal-calendar.ts';
import { hollowLines, withoutHollow } from './hollow-lines.ts';
import { CASH_WORDS, withNamed } from './named-lines.ts';
import { withoutPartial } from './partial-lines.ts';
import type { DatedFiling } from './row-versions.ts';
import { type StatementKind, statementRows } from './statement-rows.ts';
import { type Figures, readReport, type Span, type StatementReport } from './statement-spans.ts';

export type CashField = keyof typeof CASH_TOTALS | keyof typeof CASH_LINES;

export type CashFlowRow = Omit<RowOf<typeof cashFlow>, 'symbol'>;

const { costOfRevenue, goodsAndServicesCost, goodsCost, servicesCost } = COST_CONCEPTS;
const SOLD = [...costOfRevenue, ...goodsAndServicesCost, ...goodsCost, ...servicesCost];
const { discontinuedIncome } = PROFIT_CONCEPTS;

/** Depreciation in the concept of cash flows. Others are lines of many lists of all costs, too. */
const [OF_FLOWS] = CASH_LINES.depreciationAmortization.totals;

const rules = figureRules<string>(
  lineTable([{ all: CASH_CONCEPTS, sold: SOLD, ended: discontinuedIncome }, PROOF_CONCEPTS]),
);

const TOTALS = Object.keys(CASH_TOTALS) as (keyof typeof CASH_TOTALS)[];
const LINES = Object.keys(CASH_LINES) as (keyof typeof CASH_LINES)[];
const FLOWS: readonly CashField[] = [...TOTALS, ...LINES];

/** Flows of which a statement has at least two. Other figures alone come from notes. */
const MAIN = ['operatingCashFlow', 'investingCashFlow', 'financingCashFlow'] as const;

/**
 * Reads the statements of cash flows of filings in their order. Of several totals the greatest is
 * the figure: alone, those that the newest annual report gives with a greater one may be a part.
 */
export function cashFlowReports<T extends FactFiling>(
  filings: readonly T[],
): { filing: T; report: StatementReport<CashField> }[] {
  let parts: ReadonlySet<string> = new Set();
  return filings.flatMap((filing) => {
    const report = cashFlowReport(filing, parts);
    const year = report?.spans.find(
      ({ endDay, length }) => length === 'year' && endDay === report.newestEndDay,
    );
    if (year) parts = new Set(LINES.flatMap((field) => partsOf(field, year.candidates[field])));
    return report ? [{ filing, report }] : [];
  });
}

/** Selects the totals that are less than one which is a better match; a better one is a note's. */
function partsOf(
  field: keyof typeof CASH_LINES,
  [greatest, ...others]: readonly Candidate[] = [],
): string[] {
  const totals: readonly string[] = CASH_LINES[field].totals ?? [];
  const rank = totals.indexOf(greatest?.basis);
  return others.flatMap(({ basis }) => (totals.indexOf(basis) > rank ? [basis] : []));
}

/**
 * Returns undefined for a filing without a statement of cash flows.
 * @param parts Concepts that are a part of a figure, if they are alone.
 */
function cashFlowReport(
  filing: FactFiling,
  parts: ReadonlySet<string>,
): StatementReport<CashField> | undefined {
  return readReport(filing, rules, (figures, span, currency) => {
    const lines = filing.face ? shownLines(filing, 'CF', span, currency) : [];
    const shown = faceCash(lines);
    const told = figuresOf(figures, shown);
    if (!told) return undefined;
    if (lines.length === 0) {
      const ofParts = LINES.filter((field) => parts.has(told.candidates[field]?.[0]?.basis ?? ''));
      const open = Object.fromEntries(ofParts.map((field) => [field, OF_PARTS]));
      return withOpen(afterExchange(told), { ...undecidedCash(figures, told.figures), ...open });
    }
    const face = withoutHollow(withFace(told, shown), hollowLines(filing, 'CF', lines));
    return withNamed(withoutPartial(afterExchange(face), lines), lines, CASH_WORDS);
  });
}

/** Adds the effect of exchange rates to a change that is the three flows alone. */
function afterExchange(told: ToldFigures<CashField>): ToldFigures<CashField> {
  const { changeInCash: change, exchangeEffect } = told.figures;
  const flows = MAIN.map((field) => told.figures[field]);
  if (change === null || !exchangeEffect || flows.some((flow) => flow === null)) return told;
  if (decimalSum(flows as number[]) !== change) return told;
  const value = decimalSum([change, exchangeEffect]);
  const parts = [...MAIN, 'exchangeEffect' as const];
  const lines = parts.map((field) => [field, null, told.figures[field]] as const);
  return {
    ...told,
    figures: { ...told.figures, changeInCash: value },
    evidence: { ...told.evidence, changeInCash: { verdict: 'proved', lines } },
  };
}

/** @param shown Figures of the statement, which may have totals in concepts of the filer. */
function figuresOf(
  lines: Lines,
  shown: ReturnType<typeof faceCash>,
): ToldFigures<CashField> | undefined {
  const figures = {} as Figures<CashField>;
  const candidates: Span<CashField>['candidates'] = {};
  const evidence: Record<string, FigureEvidence> = {};
  const reasons: Partial<Record<string, string>> = {};
  for (const field of TOTALS) {
    const concept = CASH_TOTALS[field].find((name) => lines[name] !== undefined);
    const value = concept ? lines[concept] : sumOfParts(lines, field);
    figures[field] = value ?? null;
    const basis = concept ?? CASH_PARTS[field as keyof typeof CASH_PARTS]?.join();
    if (value !== undefined) evidence[field] = basisEvidence(basis, value, lines);
  }
  const before = CHANGE_BEFORE_EXCHANGE.find((name) => lines[name] !== undefined);
  const { changeInCash, exchangeEffect } = figures;
  if (changeInCash === null && before !== undefined && exchangeEffect !== null) {
    const value = decimalSum([lines[before]!, exchangeEffect]);
    figures.changeInCash = value;
    const amounts = { ...lines, exchangeEffect };
    evidence.changeInCash = basisEvidence(`${before}+exchangeEffect`, value, amounts);
  }
  const main = MAIN.filter((field) => (shown[field]?.value ?? figures[field]) !== null);
  if (main.length < 2) return undefined;
  for (const field of LINES) {
    const found = statedLine(lines, CASH_LINES[field]);
    const value = found && signedFlow(field, found.value, lines);
    figures[field] = value ?? null;
    const reason = openReason(lines, CASH_LINES[field]) ?? otherReason(lines, field);
    reasons[field] = found && value === undefined ? BELOW : reason;
    if (!found || value === undefined) continue;
    const rule: LineRule = CASH_LINES[field];
    const names = rule.isGreatest ? rule.totals!.filter((name) => lines[name] !== undefined) : [];
    const others = names.filter((name) => name !== found.basis);
    const amounts = others.map((basis) => ({
      basis,
      value: Math.abs(lines[basis]!),
      isPart: true,
    }));
    candidates[field] = [{ basis: found.basis, value }, ...amounts];
  }
  return { figures, candidates, evidence, reasons };
}

/** Names flows that no figure is read from, and that are in the place of one. */
function otherReason(lines: Lines, field: keyof typeof CASH_LINES): string | undefined {
  const others: readonly string[] = OTHER_FLOWS[field as keyof typeof OTHER_FLOWS] ?? [];
  const given = others.filter((name) => lines[name]).map((name) => name.replace(/.*:/, ''));
  return given.length > 0 ? `may be a part, or hold others: ${given.join(', ')}` : undefined;
}

const BELOW = 'it is tagged below zero, so it is not what was received alone';

/** Returns a flow above zero if it was paid; undefined if its sign says that it is another thing. */
function signedFlow(field: keyof typeof CASH_LINES, value: number, lines: Lines) {
  if (UNSIGNED.has(field)) return Math.abs(value);
  if (field === 'taxesPaid') {
    // Filers that tag interest below zero tag all payments so.
    return (firstAmount(lines, CASH_LINES.interestPaid.totals) ?? 0) < 0 ? -value : value;
  }
  return value < 0 && NEVER_BELOW.has(field) ? undefined : value;
}

/** Rule of a figure with the lines of it that only company facts alone are read for. */
function wholeRule(field: keyof typeof OTHER_FLOWS & CashField, debts = /(?!)/): LineRule {
  const { longTermFlows, otherDebtFlows } = DOUBT_CONCEPTS;
  const flows = [...longTermFlows, ...otherDebtFlows].filter((concept) => debts.test(concept));
  const own: LineRule = CASH_LINES[field];
  const others = flows.filter((concept) => !own.totals?.includes(concept));
  const lines = new Set([...own.lines!, ...others, ...OTHER_FLOWS[field]]);
  return { totals: own.totals, lines: [...lines], isAlsoLine: true };
}

/** Flows that are received less what is paid belong to neither. */
const WHOLES = {
  debtIssued: wholeRule('debtIssued', /:ProceedsFrom(?!Repayments)/),
  debtRepaid: wholeRule('debtRepaid', /:Repayments/),
  shareIssuance: wholeRule('shareIssuance'),
};

const OF_PARTS = 'the annual report before gives it as a part of a greater amount';
const IS_PART = 'other lines show that it may be a part';
const UNNAMED = 'company facts leave out flows of financing, which may be a part of it';
const FROM_NOTE = 'the flows of financing add up without it, so it may be from a note';
const NO_SIGN = 'it is tagged below zero, and no payment shows which sign is paid';
const OF_CONTINUING = 'it may be a line of costs, which leaves out discontinued operations';
const IS_APART = 'amortization of intangible assets may be a line of its own';

/**
 * Largest shares of a flow of debt that flows of financing may be which no concept names: of a line,
 * and of a total of all debt, beside which they are mostly leases and property paid later.
 */
const [UNNAMED_SHARE, BESIDE_TOTAL_SHARE] = [0.05, 0.1];

/**
 * Largest gaps, as shares, between a flow and what all flows are too much: if notes give it twice,
 * and if they give one that the statement does not show.
 */
const [TWICE_SHARE, NOTED_SHARE] = [0.01, 0.1];

const PAID = /:(Rep|P)ayments?(?!s?ForProceeds)|Paid|:(Withdrawal|FinanceLease|EarlyRepayment)/;

function signedAmount(concept: string, amount: number): number {
  if (PAID.test(concept)) return -Math.abs(amount);
  return concept.includes(':PaymentsForProceeds') ? -amount : amount;
}

/**
 * Returns the reasons of figures that company facts alone don't decide: they leave out the order of
 * lines, and those in concepts of the filer.
 */
function undecidedCash(
  lines: Lines,
  figures: Figures<CashField>,
): Readonly<Partial<Record<CashField, string | undefined>>> {
  const { financingCashFlow, depreciationAmortization, acquisitions, taxesPaid } = figures;
  const named = FINANCING_CONCEPTS.map((name) => signedAmount(name, lines[name] ?? 0));
  const gap = (financingCashFlow ?? Number.NaN) - decimalSum(named);
  // A note gives the flow of another year once more: without it, the section adds up.
  const issued = Number(figures.debtIssued);
  const isOnly = amountsOf(lines, conceptsOf(WHOLES.debtIssued)).filter(Boolean).length === 1;
  const isNoted = isOnly && Math.abs(gap + issued) <= NOTED_SHARE * issued;
  const partOf = (field: keyof typeof WHOLES, unnamed: number) => {
    const value = Number(figures[field]);
    const whole = statedLine(lines, WHOLES[field]);
    if (Math.abs(whole?.value ?? Number.NaN) !== value) {
      return openReason(lines, WHOLES[field]) ?? IS_PART;
    }
    const totals: readonly string[] = CASH_LINES[field].totals ?? [];
    const share = totals.includes(whole!.basis) ? BESIDE_TOTAL_SHARE : UNNAMED_SHARE;
    // Notes give flows twice: without one of them, the others may be the total.
    const isTwice = named.some((flow) => Math.abs(gap + flow) <= TWICE_SHARE * value);
    return unnamed <= share * value || isTwice ? undefined : UNNAMED;
  };
  const [amortization = 0] = amountsOf(lines, DOUBT_CONCEPTS.amortization);
  const isInOneList = lines[OF_FLOWS] === undefined && amountsOf(lines, SOLD).length === 0;
  const isEnded =
    isInOneList &&
    [PROOF_CONCEPTS.costs, discontinuedIncome].every((concepts) =>
      amountsOf(lines, concepts).some(Boolean),
    );
  const isSigned = firstAmount(lines, CASH_LINES.interestPaid.totals) !== undefined;
  return {
    debtIssued: isNoted ? FROM_NOTE : partOf('debtIssued', gap),
    debtRepaid: partOf('debtRepaid', -gap),
    shareIssuance: partOf('shareIssuance', 0),
    depreciationAmortization:
      2 * amortization > Number(depreciationAmortization)
        ? IS_APART
        : isEnded
          ? OF_CONTINUING
          : undefined,
    acquisitions: Number(acquisitions) < 0 ? NO_SIGN : undefined,
    taxesPaid: Number(taxesPaid) < 0 && !isSigned ? NO_SIGN : undefined,
  };
}

function sumOfParts(lines: Lines, field: keyof typeof CASH_TOTALS): number | undefined {
  if (!(field in CASH_PARTS)) return undefined;
  const [continuing, discontinued] = CASH_PARTS[field as keyof typeof CASH_PARTS];
  const own = lines[continuing];
  return own === undefined ? undefined : decimalSum([own, lines[discontinued] ?? 0]);
}

const CASH: StatementKind<CashField> = { flows: FLOWS, fields: FLOWS };

/** @param reports Reports in the order of filing. */
export function cashFlows(
  reports: readonly { filing: DatedFiling; report: StatementReport<CashField> }[],
  calendar: FiscalCalendar,
): CashFlowRow[] {
  return statementRows(reports, calendar, CASH).map((row) => ({
    ...row,
    ...withDerivedFlows({ ...row }),
  }));
}
