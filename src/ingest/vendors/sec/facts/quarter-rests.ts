/** Quarters that filings give only as a part of longer times. Pure. */

import {
  FLOWS,
  type FlowField,
  SPAN_DAYS,
  type StatementFigures,
  withGrossProfit,
} from './statement-spans.ts';
import type { Telling, ToldSpan, ToldSpans } from './told-spans.ts';

/** Figures of a quarter that are differences, and those of them that may replace earlier ones. */
export interface QuarterRest {
  endDay: number;
  figures: Partial<Record<FlowField, number>>;
  /** A side of the difference was restated. */
  restated: ReadonlySet<FlowField>;
}

/**
 * Quarters that follow from the times that the newest filing gives: the year less three quarters,
 * so that four quarters add up to it whatever was rounded; else the year less nine months, nine
 * less six, six less three.
 *
 * A figure is only taken where both sides are of one basis: the year was not restated since the
 * shorter times were told. The year before a company's first report is only shown beside the next one: its last
 * quarter is a difference of what that year's reports show beside theirs.
 */
export function quarterRests(told: ToldSpans, currency: string): QuarterRest[] {
  const spans = told.in(currency);
  return spans.flatMap((whole) => {
    if (whole.length === 'quarter' || whole.lastFiling !== told.filing) return [];
    const ways = [threeQuarters(whole, spans), shorterOf(whole, spans)].filter((way) => !!way);
    const rest: Rest = { endDay: whole.endDay, figures: {}, restated: new Set() };
    for (const field of FLOWS) {
      const from = whole.tellings[field];
      if (from?.lastFiling === told.filing) addRest(rest, field, from, ways);
    }
    return Object.keys(rest.figures).some((field) => field !== 'dividendsPerShare') ? [rest] : [];
  });
}

type Rest = QuarterRest & { restated: Set<FlowField> };

/** Takes the first way of which all parts are known and of the basis of the whole. */
function addRest(
  rest: Rest,
  field: FlowField,
  whole: Telling,
  ways: readonly (readonly ToldSpan[])[],
): void {
  for (const way of ways) {
    const parts = way.map(({ tellings }) => tellings[field]);
    if (!parts.every((part) => part !== undefined && isOfOneBasis(whole, part))) continue;
    const left = parts.reduce((value, part) => value - part!.value, whole.value);
    // A dividend below zero is of a year restated for a split. A subtraction leaves dust.
    if (field === 'dividendsPerShare' && left < 0) continue;
    rest.figures[field] = field === 'dividendsPerShare' ? Math.round(left * 1e6) / 1e6 : left;
    if ([whole, ...parts].some((telling) => telling!.isRestated)) rest.restated.add(field);
    return;
  }
}

function isOfOneBasis(whole: Telling, part: Telling): boolean {
  if (part.lastFiling >= whole.firstFiling) return true;
  // A year that only later reports show goes with what such reports show.
  return !whole.isRestated && whole.isBeside === part.isBeside;
}

function shorterOf(whole: ToldSpan, spans: readonly ToldSpan[]): ToldSpan[] | undefined {
  const shorter = spans.find(
    ({ startDay, endDay }) => startDay === whole.startDay && isQuarter(whole.endDay - endDay),
  );
  return shorter && [shorter];
}

/** The quarters that follow one another from the start of a year, up to its last one. */
function threeQuarters(year: ToldSpan, spans: readonly ToldSpan[]): ToldSpan[] | undefined {
  if (year.length !== 'year') return undefined;
  const quarters: ToldSpan[] = [];
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

/** A quarter with figures that follow from others, where no filing gives them. */
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
