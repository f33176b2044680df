/** Builds the balance sheets of a company. Each restatement is a version of its own. Pure. */

import type { RowOf } from '../../../../base/datasets/dataset.ts';
import { type balanceSheet, unexplainedAssets } from '../../../../base/datasets/filings.ts';
import { decimalSum } from '../../../../base/prices/decimals.ts';
import { BALANCE_CONCEPTS } from '../concepts/concepts.ts';
import { DEBT_CONCEPTS } from '../concepts/debt-concepts.ts';
import { DOUBT_CONCEPTS } from '../concepts/doubt-concepts.ts';
import { LIABILITY_CONCEPTS } from '../concepts/liability-concepts.ts';
import { BALANCE_LINES, conceptsOf, type LineRule } from '../concepts/line-concepts.ts';
import { type Lines, lineTable, openReason, statedLine } from '../concepts/lines.ts';
import type { FactFiling } from '../concepts/parse-companyfacts.ts';
import { figureRules, pickFigures, reportingCurrency } from '../concepts/pick-figures.ts';
import { faceBalance } from '../face/balance.ts';
import { type ShownLine, shownLines } from '../face/lines.ts';
import { dueDebt, dueLines, type KnownDebt, knownDebt } from './debt.ts';
import {
  LESS,
  openEvidence,
  type ToldFigures,
  withEvidence,
  withFace,
  withOpen,
} from './evidence.ts';
import { type FiscalCalendar, withoutQuarters } from './fiscal-calendar.ts';
import { hollowLines, withoutHollow } from './hollow-lines.ts';
import { BALANCE_WORDS, withNamed } from './named-lines.ts';
import { equityOf, isNotedEquity, minoritiesOf, temporaryOf, temporaryParts } from './owners.ts';
import { withoutPartial } from './partial-lines.ts';
import { withoutRepurchases } from './repurchases.ts';
import {
  addVersion,
  type DatedFiling,
  isRescaled,
  labelledVersions,
  NO_PERIOD,
  type PeriodLabel,
  type Version,
  type VersionsOf,
} from './row-versions.ts';
import { undecidedBalance } from './undecided-balance.ts';
import { unnamedReason } from './unnamed-liabilities.ts';

export type BalanceRow = Omit<RowOf<typeof balanceSheet>, 'symbol'>;

const { operatingLeases, financeLeases, ...LINES } = BALANCE_LINES;

const LINE_FIELDS = Object.keys(LINES) as (keyof typeof LINES)[];

type BalanceField =
  | 'totalAssets'
  | 'totalLiabilities'
  | 'totalEquity'
  | 'cash'
  | 'totalDebt'
  | 'shortTermDebt'
  | 'longTermDebt'
  | 'leaseLiabilities'
  | 'minorityInterest'
  | 'temporaryEquity'
  | keyof typeof LINES;

const LINE_CONCEPTS = Object.values<LineRule>(BALANCE_LINES).flatMap(conceptsOf);

const rules = figureRules<string>({
  ...BALANCE_CONCEPTS,
  ...lineTable([DEBT_CONCEPTS, DOUBT_CONCEPTS, LIABILITY_CONCEPTS, { all: LINE_CONCEPTS }]),
});

type Picked = Partial<Record<keyof typeof BALANCE_CONCEPTS, number>> & Lines;

/** Figures of a day as filings gave them so far, and their concepts. */
interface Carried {
  currency: string;
  picked: Picked;
  concepts: Readonly<Partial<Record<string, string>>>;
  debt: KnownDebt;
}

/**
 * Builds a row for each quarter end, and another one for each year end. A filing has a balance
 * sheet of a day if it gives total assets for it.
 */
export function balanceSheets(
  filings: readonly (FactFiling & DatedFiling)[],
  calendar: FiscalCalendar,
): BalanceRow[] {
  const versions: VersionsOf<BalanceField> = new Map();
  /** Parts are carried forward, totals are not: a later filing may show fewer of them. */
  const parts = new Map<number, Carried>();
  for (const filing of filings) {
    const currency = reportingCurrency(filing.facts);
    if (currency === undefined) continue;
    const sheets = pickFigures(filing.facts, rules, currency).filter(
      ({ startDay, figures }) => startDay === undefined && figures.totalAssets !== undefined,
    );
    const newestDay = Math.max(...sheets.map(({ endDay }) => endDay));
    const written = new Set(sheets.map(({ endDay }) => endDay));
    for (const { startDay, endDay: day, figures, concepts: own } of sheets) {
      // A balance sheet a day after a period's end may open the next period.
      const near = calendar.endOf(day, filing.filedAtMs);
      const endDay = written.has(near) ? day : near;
      const isPeriod = calendar.has(endDay, filing.filedAtMs);
      // Balance sheets of other days belong to acquisitions.
      if (day !== newestDay && !isPeriod) continue;
      const before = parts.get(endDay);
      const isCarried =
        before?.currency === currency && !isRescaled({ ...before.picked }, { ...figures });
      const picked: Picked = isCarried ? { ...before.picked, ...figures } : figures;
      const debt = knownDebt(isCarried ? before.debt : undefined, withoutRepurchases(figures));
      const concepts = isCarried ? { ...before.concepts, ...own } : own;
      parts.set(endDay, { currency, picked, concepts, debt });
      const noted = isNotedEquity(picked) ? { wholeEquity: undefined } : {};
      const made = balanceFigures({ ...picked, ...noted }, debt, { ...concepts, ...noted });
      const lines = shownLines(filing, 'BS', { startDay, endDay: day }, currency);
      const { figures: balance, evidence } =
        lines.length > 0
          ? shownBalance(made, filing, lines)
          : namedBalance(made, picked, debt, filing);
      addVersion(versions, String(endDay), filing, { currency, figures: balance, evidence });
    }
  }
  return [...versions].flatMap(([key, list]) => {
    const end = Number(key);
    const date = calendar.dateOf(end, list[0].filedAt);
    const labels = calendar.labelsOf(end);
    const ofYears = withoutQuarters(labels).map(({ filing, label }, i) => {
      return { filing, label: labels[i].label.isYearEnd ? label : null };
    });
    return [
      ...labelledVersions(list, ofYears, null).map((row) => balanceRow(date, 'annual', row)),
      ...labelledVersions(list, labels, NO_PERIOD).map((row) => balanceRow(date, 'quarterly', row)),
    ];
  });
}

function balanceRow(
  date: number,
  period: BalanceRow['period'],
  version: Version<BalanceField> & PeriodLabel,
): BalanceRow {
  const { totalDebt: debt, cash } = version;
  const netDebt = debt === null || cash === null ? null : decimalSum([debt, -cash]);
  return {
    date,
    period,
    ...version,
    netDebt,
    unexplainedAssets: unexplainedAssets({ ...version }),
  };
}

/** Figures from the concepts of a filing, and those of filings before it. */
function balanceFigures(
  picked: Picked,
  debt: KnownDebt,
  concepts: Readonly<Partial<Record<string, string>>>,
): ToldFigures<BalanceField> {
  const figures = balanceOf(picked, debt);
  const { wholeEquity, parentEquity, minorityInterest } = concepts;
  const due = dueLines(debt.lines);
  const named = Object.entries(concepts).map(([name, concept]) => [concept, picked[name]]);
  return withEvidence(
    { figures, candidates: {}, reasons: reasonsOf(picked, debt, figures) },
    {
      ...linesOf((rule) => statedLine(picked, rule)?.basis),
      totalAssets: concepts.totalAssets,
      totalLiabilities: concepts.liabilities ?? `totalAssets${LESS}totalEquity`,
      totalEquity: wholeEquity ?? basisOf([parentEquity, minorityInterest]),
      cash: concepts.cash ?? concepts.allCash,
      totalDebt: basisOf(due.all),
      temporaryEquity: basisOf(temporaryParts(picked).map((part) => concepts[part])),
      shortTermDebt: basisOf(due.current),
      longTermDebt: basisOf(due.noncurrent),
      leaseLiabilities: basisOf(LEASES.map((rule) => statedLine(picked, rule)?.basis)),
      minorityInterest:
        minorityInterest ?? (wholeEquity && parentEquity && `${wholeEquity}${LESS}${parentEquity}`),
    },
    { ...picked, ...debt.lines, ...Object.fromEntries(named), ...figures },
  );
}

function basisOf(names: readonly (string | undefined)[]): string | undefined {
  return names.filter((name) => name !== undefined).join('+') || undefined;
}

/** Returns the reasons why figures are unknown though lines of them are given. */
function reasonsOf(
  picked: Picked,
  { lines, amount }: KnownDebt,
  { totalDebt }: Record<BalanceField, number | null>,
): Partial<Record<string, string>> {
  const isOwed = dueLines(lines).all.length > 0;
  const open = amount === null ? OPEN_DEBT : MORE_DEBT;
  const dated = totalDebt === null ? NO_DEBT : NOT_ALL;
  return {
    ...linesOf((rule) => openReason(picked, rule)),
    ...(isOwed && { totalDebt: open, shortTermDebt: dated, longTermDebt: dated }),
    ...(picked.allCash !== undefined && { cash: 'cash is given with restricted cash' }),
    leaseLiabilities: LEASES.map((rule) => openReason(picked, rule)).find((reason) => reason),
  };
}

const OPEN_DEBT = 'the lines of borrowings fit more than one sum';
const NO_DEBT = 'totalDebt is unknown';
const NOT_ALL = 'debt by date is not all of it';
const MORE_DEBT = 'the lines of borrowings are more than all liabilities';

/** Takes the figures that the balance sheet shows. */
function shownBalance(
  made: ToldFigures<BalanceField>,
  filing: FactFiling,
  lines: readonly ShownLine[],
): ToldFigures<BalanceField> {
  const face = withFace(made, faceBalance(lines, made.figures));
  const shown = withoutHollow(face, hollowLines(filing, 'BS', lines));
  const told = withNamed(withoutPartial(shown, lines), lines, BALANCE_WORDS);
  const { totalDebt, shortTermDebt, longTermDebt } = told.figures;
  if (totalDebt === made.figures.totalDebt) return told;
  // The parts by date follow from concepts: they belong to another sum.
  const isSum = Number(shortTermDebt) + Number(longTermDebt) === totalDebt;
  if (isSum) return told;
  return withoutDates(told);
}

/** Leaves figures open that company facts may give a part of. */
function namedBalance(
  made: ToldFigures<BalanceField>,
  picked: Picked,
  debt: KnownDebt,
  filing: FactFiling,
): ToldFigures<BalanceField> {
  const unnamed = unnamedReason(picked, debt, made.figures.totalLiabilities, filing);
  const open = { ...undecidedBalance(picked, made.figures, debt, filing), totalDebt: unnamed };
  const told = withOpen(made, open);
  return unnamed === undefined ? told : withoutDates(told);
}

function withoutDates(told: ToldFigures<BalanceField>): ToldFigures<BalanceField> {
  const open = openEvidence(told.figures.totalDebt === null ? NO_DEBT : NOT_ALL);
  return {
    ...told,
    figures: { ...told.figures, shortTermDebt: null, longTermDebt: null },
    evidence: { ...told.evidence, shortTermDebt: open, longTermDebt: open },
  };
}

function balanceOf(picked: Picked, known: KnownDebt): Record<BalanceField, number | null> {
  const debt = known.amount;
  const { totalAssets = null } = picked;
  const temporaryEquity = temporaryOf(picked);
  const cash = picked.cash ?? (picked.restrictedCash ? null : (picked.allCash ?? null));
  const totalEquity = equityOf(picked);
  const rest =
    totalAssets === null || totalEquity === null
      ? null
      : decimalSum([totalAssets, -totalEquity, -(temporaryEquity ?? 0)]);
  const totalLiabilities = picked.liabilities ?? rest;
  // Lines that overlap add up to more than all that the company owes.
  const isPossible = debt === null || totalLiabilities === null || debt <= totalLiabilities;
  return {
    totalAssets,
    totalLiabilities,
    totalEquity,
    cash,
    totalDebt: isPossible ? debt : null,
    ...(isPossible ? dueDebt(known) : { shortTermDebt: null, longTermDebt: null }),
    leaseLiabilities: leasesOf(picked),
    minorityInterest: minoritiesOf(picked),
    temporaryEquity,
    ...linesOf((rule) => statedLine(picked, rule)?.value ?? null),
  };
}

function linesOf<T>(read: (rule: LineRule) => T): Record<keyof typeof LINES, T> {
  const entries = LINE_FIELDS.map((field) => [field, read(LINES[field])]);
  return Object.fromEntries(entries) as Record<keyof typeof LINES, T>;
}

const LEASES: readonly LineRule[] = [operatingLeases, financeLeases];

/** Adds leases of the kinds that are given; null if a side of one is missing. */
function leasesOf(picked: Picked): number | null {
  const kinds = LEASES.filter((rule) =>
    conceptsOf(rule).some((concept) => picked[concept] !== undefined),
  );
  if (kinds.length === 0) return null;
  const amounts = kinds.flatMap((rule) => statedLine(picked, rule)?.value ?? []);
  return amounts.length < kinds.length ? null : decimalSum(amounts);
}
