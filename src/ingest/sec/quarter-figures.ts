/** Quarters that filings give only as a part of longer times. Pure. */

import { DAYS_APART_MAX } from './fiscal-calendar.ts';
import {
  FLOWS,
  SPAN_DAYS,
  type Span,
  type StatementFigures,
  type StatementReport,
  withGrossProfit,
} from './statement-spans.ts';

export interface QuarterFigures {
  endDay: number;
  figures: StatementFigures;
}

/** What filings have said of a time until now. */
export interface KnownSpan extends Span {
  currency: string;
  /** The end of the time that the filing is about which told it last. */
  toldForDay: number;
}

/**
 * The quarters that a filing tells of, directly or as a difference: the year less three quarters,
 * so that four quarters add up to it whatever was rounded; else the year less nine months, nine
 * less six, six less three. A difference takes both times from one filing; only at the end of its
 * own time, what earlier filings said of the shorter ones: a year that was restated later does not
 * go with quarters that were not. The year before a company's first report is only shown beside
 * the next one: its last quarter is a difference of what that year's reports show beside theirs.
 *
 * Means have no difference, so a fourth quarter has earnings per share only where they, or its mean
 * shares, are stated.
 *
 * @param known Of earlier filings, the newest of each time.
 * @param isTold Whether earlier filings gave the quarter that ends on a day.
 */
export function quartersOf(
  report: StatementReport,
  known: readonly KnownSpan[],
  isTold: (endDay: number) => boolean,
): QuarterFigures[] {
  const quarters = new Map<number, QuarterFigures>();
  for (const { endDay, length, figures } of report.spans) {
    if (length === 'quarter') quarters.set(endDay, { endDay, figures });
  }
  const inCurrency = known.filter(({ currency }) => currency === report.currency);
  for (const span of report.spans) {
    if (span.length === 'quarter') continue;
    const isBeside = span.endDay !== report.newestEndDay;
    const earlier = inCurrency.filter(
      ({ toldForDay }) => !isBeside || (toldForDay > span.endDay && !isTold(span.endDay)),
    );
    const rest = lastQuarter(span, report.spans, earlier);
    if (!rest) continue;
    const stated = quarters.get(span.endDay)?.figures;
    const figures = stated ? filled(stated, rest) : rest;
    quarters.set(span.endDay, { endDay: span.endDay, figures });
  }
  return [...quarters.values()];
}

function lastQuarter(
  span: Span,
  own: readonly Span[],
  earlier: readonly Span[],
): StatementFigures | undefined {
  const shorter = own.find(isAllButQuarter(span)) ?? earlier.find(isAllButQuarter(span));
  const ofShorter = shorter && difference(span.figures, [shorter.figures]);
  const quarters = span.length === 'year' ? threeQuarters(span, [...own, ...earlier]) : undefined;
  const ofQuarters = quarters && difference(span.figures, quarters);
  return ofQuarters && ofShorter ? filled(ofQuarters, ofShorter) : (ofQuarters ?? ofShorter);
}

function isAllButQuarter(span: Span): (shorter: Span) => boolean {
  return ({ startDay, endDay }) =>
    Math.abs(startDay - span.startDay) <= DAYS_APART_MAX && isQuarter(span.endDay - endDay);
}

function isQuarter(days: number): boolean {
  const [least, most] = SPAN_DAYS.quarter;
  return days >= least && days <= most;
}

/** The quarters that follow one another from the start of a year, up to its last one. */
function threeQuarters(year: Span, spans: readonly Span[]): StatementFigures[] | undefined {
  const figures: StatementFigures[] = [];
  let nextDay = year.startDay;
  for (let quarter = 1; quarter <= 3; quarter++) {
    const found = spans.find(
      ({ length, startDay }) =>
        length === 'quarter' && Math.abs(startDay - nextDay) <= DAYS_APART_MAX,
    );
    if (!found) return undefined;
    figures.push(found.figures);
    nextDay = found.endDay + 1;
  }
  return isQuarter(year.endDay - nextDay + 1) ? figures : undefined;
}

function difference(
  whole: StatementFigures,
  parts: readonly StatementFigures[],
): StatementFigures | undefined {
  const rest: StatementFigures = {
    ...whole,
    eps: null,
    epsDiluted: null,
    sharesBasic: null,
    sharesDiluted: null,
  };
  for (const field of FLOWS) {
    for (const part of parts) {
      const [from, less] = [rest[field], part[field]];
      rest[field] = from === null || less === null ? null : from - less;
    }
  }
  rest.dividendsPerShare = dividendOf(rest.dividendsPerShare);
  const isTold = FLOWS.some((field) => field !== 'dividendsPerShare' && rest[field] !== null);
  return isTold ? rest : undefined;
}

/** Without the dust of a subtraction; less than nothing is of a year restated for a split. */
function dividendOf(difference: number | null): number | null {
  return difference === null || difference < 0 ? null : Math.round(difference * 1e6) / 1e6;
}

function filled(stated: StatementFigures, rest: StatementFigures): StatementFigures {
  const figures = { ...stated };
  for (const field of FLOWS) figures[field] ??= rest[field];
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
