/** Computes quarters that filings give only as part of longer periods. Pure. */

import type { Evidence, EvidenceLine, FigureEvidence } from '../../../../base/datasets/evidence.ts';
import { decimalSum } from '../../../../base/prices/decimals.ts';
import { dateFromDay } from '../../../../base/time/dates.ts';
import { openEvidence } from './evidence.ts';
import { withGrossProfit } from './gross-profit.ts';
import {
  SHARED,
  SPAN_DAYS,
  type SpanLength,
  type StatementField,
  type StatementFigures,
} from './statement-spans.ts';
import type { Telling, ToldSpan, ToldSpans } from './told-spans.ts';

/** Figures of a quarter that are differences, and those that may replace earlier ones. */
export interface QuarterRest<F extends string = StatementField> {
  endDay: number;
  figures: Partial<Record<F, number>>;
  /** Fields with a restated side of the difference. */
  restated: ReadonlySet<F>;
  /** Weighted shares of a fourth quarter. */
  shares: ToldSpan['shares'];
  /** Periods that each figure is the difference of, and the basis that it has. */
  evidence: Evidence;
  bases: Partial<Record<F, string>>;
}

/**
 * Computes quarters from the periods in the newest filing: the year less three quarters, so that
 * four quarters add up to it despite rounding; else the year less nine months, nine less six, or
 * six less three.
 *
 * A figure is taken only if both sides share a basis: the year was not restated after the shorter
 * periods were reported.
 */
export function quarterRests<F extends string>(
  told: ToldSpans<F>,
  currency: string,
): QuarterRest<F>[] {
  const spans = told.in(currency);
  return spans.flatMap((whole) => {
    if (whole.length === 'quarter' || whole.lastFiling !== told.filing) return [];
    const quarters = threeQuarters(whole, spans);
    const ways = [quarters, shorterOf(whole, spans)].filter((way) => !!way);
    const shares = quarters ? restOfShares(whole, quarters) : {};
    return restsOf(whole, ways, shares, told);
  });
}

/**
 * Computes second halves: the year less its first six months, where filings give no quarters of it.
 * The newest filing has one of the two, as the report about the next half has the first one beside.
 */
export function halfRests<F extends string>(
  told: ToldSpans<F>,
  currency: string,
): QuarterRest<F>[] {
  const spans = told.in(currency);
  return spans.flatMap((year) => {
    if (year.length !== 'year' || spans.some((span) => isQuarterIn(year, span))) return [];
    const half = spans.find(
      ({ length, startDay, endDay }) =>
        length === 'half' && startDay === year.startDay && isHalf(year.endDay - endDay),
    );
    if (!half || Math.max(half.lastFiling, year.lastFiling) !== told.filing) return [];
    return restsOf(year, [[half]], restOfShares(year, [half]), told);
  });
}

function isQuarterIn(year: ToldSpan<string>, { length, startDay, endDay }: ToldSpan<string>) {
  return length === 'quarter' && startDay >= year.startDay && endDay <= year.endDay;
}

function restsOf<F extends string>(
  whole: ToldSpan<F>,
  ways: readonly (readonly ToldSpan<F>[])[],
  shares: ToldSpan['shares'],
  told: ToldSpans<F>,
): QuarterRest<F>[] {
  const { endDay } = whole;
  const rest: Rest<F> = {
    endDay,
    figures: {},
    restated: new Set(),
    shares,
    evidence: {},
    bases: {},
  };
  for (const field of told.flows) addRest(rest, field, whole, ways, told);
  return Object.keys(rest.figures).some((field) => field !== 'dividendsPerShare') ? [rest] : [];
}

type Rest<F extends string> = QuarterRest<F> & {
  restated: Set<F>;
  evidence: Record<string, FigureEvidence>;
};

/** Takes the first way whose parts are all known and share the basis of the whole. */
function addRest<F extends string>(
  rest: Rest<F>,
  field: F,
  year: ToldSpan<F>,
  ways: readonly (readonly ToldSpan<F>[])[],
  told: ToldSpans<F>,
): void {
  for (const way of ways) {
    // The difference stands next to the shorter periods, so it has their basis.
    const basis = way.at(-1)?.tellings[field]?.basis;
    rest.evidence[field] = openEvidence(openReason(field, year, way));
    if (basis === undefined) continue;
    const whole = told.on(basis, field, year);
    const parts = way.map((part) => told.on(basis, field, part));
    // The report about a half tells of the first half of the year before, not of that year.
    const isOfHalf = way[0].length === 'half' && year.length === 'year';
    const newest = isOfHalf ? [whole, ...parts] : [whole];
    if (!whole || newest.every((one) => one?.lastFiling !== told.filing)) continue;
    if (!parts.every((part) => part !== undefined && isOfOneBasis(whole, part))) continue;
    // A year without a business that was sold, after quarters with it.
    const isRecast = told.isRecast(field, whole.firstFiling);
    if (isRecast && parts.some((part) => part!.lastFiling < whole.firstFiling)) {
      rest.evidence[field] = openEvidence(RECAST);
      continue;
    }
    if (field === 'netIncomeToCommon' && isSharedApart(year, way)) {
      rest.evidence[field] = openEvidence(SHARED);
      continue;
    }
    const left = decimalSum([whole.value, ...parts.map((part) => -part!.value)]);
    // Corrections of the months before are small, and keep the sums of quarters right.
    const most = field === 'dividendsPerShare' ? 0 : CORRECTED_SHARE * whole.value;
    if (PAYMENTS.has(field) && -left > most) {
      rest.evidence[field] = openEvidence(BELOW_ZERO);
      continue;
    }
    const spans = [year, ...way];
    const isMixed = [whole, ...parts].some(
      (telling, i) => spans[i].tellings[field]!.byBasis.get(basis) !== telling,
    );
    if (field === STEADY && isMixed && !isInLine(left / whole.value, year, way.at(-1)!)) {
      rest.evidence[field] = openEvidence(OF_OTHER);
      continue;
    }
    rest.figures[field] = left;
    rest.bases[field] = basis;
    const lines = [
      periodLine(year, whole.value),
      ...way.map((part, i) => periodLine(part, -parts[i]!.value)),
    ];
    rest.evidence[field] = { verdict: 'difference', lines };
    if ([whole, ...parts].some((telling) => telling!.isRestated)) rest.restated.add(field);
    return;
  }
}

/** Least share of a profit that others have, so that a period without their line says too much. */
const SHARED_LEAST = 0.005;

/** Returns true if others have a part of a period's profit, and nothing of the shorter ones'. */
function isSharedApart(whole: ToldSpan<string>, way: readonly ToldSpan<string>[]): boolean {
  const sharesOf = [whole, ...way].map(({ tellings: { netIncome, netIncomeToCommon } }) => {
    const [profit, common] = [netIncome, netIncomeToCommon].map(
      (told) => told?.byBasis.get(told.basis)?.value ?? Number.NaN,
    );
    return (profit - common) / Math.abs(profit);
  });
  const [own, ...parts] = sharesOf;
  return own > SHARED_LEAST && parts.every((share) => share === 0);
}

/** Income statements may have only the part of it that no cost of goods holds. */
const STEADY = 'depreciationAmortization';
const OF_OTHER = 'its periods have several concepts, and the difference is not in line with them';

/** Largest factor between a steady amount a day of a difference, and of the time before it. */
const STEADY_FACTOR_MAX = 1.5;

/** @param share Difference, as a share of the whole. */
function isInLine(share: number, { startDay, endDay }: ToldSpan<string>, last: ToldSpan<string>) {
  const days = (endDay - last.endDay) / (endDay - startDay + 1);
  const factor = ((1 - days) * share) / (days * (1 - share));
  return factor <= STEADY_FACTOR_MAX && factor >= 1 / STEADY_FACTOR_MAX;
}

const LENGTH_NAMES: Readonly<Record<SpanLength, string>> = {
  quarter: 'quarter',
  half: 'six months',
  nineMonths: 'nine months',
  year: 'year',
};

const RECAST = 'its report restates an earlier period, and shorter periods were filed before';
const BELOW_ZERO = 'the shorter periods have more, as before a split or another classification';

/** Largest share of a period that a correction of the months before is. */
const CORRECTED_SHARE = 0.05;

/** Amounts of which no part is below zero: such a difference is of other definitions. */
const PAYMENTS: ReadonlySet<string> = new Set([
  'dividendsPerShare',
  'capitalExpenditure',
  'dividendsPaid',
  'shareRepurchases',
  'shareIssuance',
  'debtIssued',
  'debtRepaid',
]);

/** Returns the reason why a difference is open, until it is known to be one. */
function openReason<F extends string>(
  field: F,
  whole: ToldSpan<F>,
  way: readonly ToldSpan<F>[],
): string {
  const missing = [whole, ...way].find(({ tellings }) => !tellings[field]);
  if (!missing) return 'the periods of the difference have other definitions, or were restated';
  return `unknown in the ${periodName(missing)}`;
}

const periodName = ({ length, endDay }: Pick<ToldSpan<string>, 'length' | 'endDay'>) =>
  `${LENGTH_NAMES[length]} to ${dateFromDay(endDay)}`;

function periodLine(span: ToldSpan<string>, value: number): EvidenceLine {
  return [periodName(span), null, value];
}

/** Largest factor between weighted shares of a year and its quarters. More is a split. */
const SHARES_FACTOR_MAX = 1.3;

/**
 * Returns four times a year's weighted shares less those of three quarters; so with two halves.
 *
 * A period with a loss counts no dilution, so diluted shares of a year do not follow from those of
 * its quarters where some have it and others don't, nor where they leave less than the basic ones.
 */
function restOfShares(
  year: Pick<ToldSpan, 'shares'>,
  parts: readonly Pick<ToldSpan, 'shares'>[],
): ToldSpan['shares'] {
  const shares: ToldSpan['shares'] = {};
  for (const field of ['sharesBasic', 'sharesDiluted'] as const) {
    const mean = year.shares[field];
    if (mean === undefined) continue;
    const counts = parts.map((part) => part.shares[field] ?? Number.NaN);
    const rest = counts.reduce((sum, count) => sum - count, (parts.length + 1) * mean);
    const isNear = (count: number) =>
      count <= mean * SHARES_FACTOR_MAX && count >= mean / SHARES_FACTOR_MAX;
    if ([...counts, rest].every(isNear)) shares[field] = rest;
  }
  const { sharesBasic, sharesDiluted } = shares;
  const isBelow = sharesBasic && sharesDiluted && sharesDiluted < sharesBasic;
  const isMixed = new Set([year, ...parts].map(hasDilution)).size > 1;
  return isBelow || isMixed ? { sharesBasic } : shares;
}

/** Without both counts, a period counts as one with dilution. */
function hasDilution({ shares: { sharesBasic, sharesDiluted } }: Pick<ToldSpan, 'shares'>) {
  return sharesBasic === undefined || sharesDiluted === undefined || sharesDiluted > sharesBasic;
}

function isOfOneBasis(whole: Telling, part: Telling): boolean {
  if (part.lastFiling >= whole.firstFiling) return true;
  // A year from comparisons in later reports goes with other such periods.
  return !whole.isRestated && whole.isBeside === part.isBeside;
}

function shorterOf<F extends string>(
  whole: ToldSpan<F>,
  spans: readonly ToldSpan<F>[],
): ToldSpan<F>[] | undefined {
  const shorter = spans.find(
    ({ startDay, endDay }) => startDay === whole.startDay && isQuarter(whole.endDay - endDay),
  );
  return shorter && [shorter];
}

/** The three consecutive quarters from the start of a year up to its last quarter. */
function threeQuarters<F extends string>(
  year: ToldSpan<F>,
  spans: readonly ToldSpan<F>[],
): ToldSpan<F>[] | undefined {
  if (year.length !== 'year') return undefined;
  const quarters: ToldSpan<F>[] = [];
  let nextDay = year.startDay;
  for (let quarter = 1; quarter <= 3; quarter++) {
    const found = spans.find(
      ({ length, startDay }) => length === 'quarter' && startDay === nextDay,
    );
    if (!found) return undefined;
    quarters.push(found);
    nextDay = found.endDay + 1;
  }
  return isQuarter(year.endDay - nextDay + 1) ? quarters : undefined;
}

function isQuarter(days: number): boolean {
  const [least, most] = SPAN_DAYS.quarter;
  return days >= least && days <= most;
}

function isHalf(days: number): boolean {
  const [least, most] = SPAN_DAYS.half;
  return days >= least && days <= most;
}

/** Completes a quarter with figures that follow from others and that no filing gives. */
export function completedQuarter(figures: StatementFigures): StatementFigures {
  const { revenue, costOfRevenue, grossProfit } = figures;
  const { netIncomeToCommon, sharesBasic, sharesDiluted } = figures;
  return {
    ...figures,
    ...withGrossProfit(revenue, costOfRevenue, grossProfit),
    eps: figures.eps ?? perShare(netIncomeToCommon, sharesBasic),
    epsDiluted: figures.epsDiluted ?? perShare(netIncomeToCommon, sharesDiluted),
  };
}

function perShare(income: number | null, shares: number | null): number | null {
  return income === null || shares === null || shares <= 0 ? null : income / shares;
}
