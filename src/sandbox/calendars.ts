/** Forthcoming events: reports with their estimates, and expiration dates of options. */

import { MILLIS_PER_DAY } from '../base/bars.ts';
import type { DatasetRow } from '../base/datasets/dataset.ts';
import {
  CALENDAR_LAST_DAY,
  isSession,
  newYorkDay,
  nextSession,
  previousSession,
  sessionOpenMs,
} from '../base/time/calendar.ts';
import { nthWeekday } from '../base/time/calendar-rules.ts';
import { weekdayFromDay } from '../base/time/dates.ts';
import { dilutedShares, estimateOf, perShare } from './filings.ts';
import { type Company, newYorkMs, quarterAt } from './quarters.ts';
import { sharesOn } from './universe.ts';

/** Returns a row for each quarter, announced half a year ahead or at the listing. */
export function earningsRows({ security, quarters }: Company): DatasetRow[] {
  const listedMs = newYorkMs(security.firstDay, 7, 45);
  return quarters.map((quarter) => {
    const asOf = Math.max(listedMs, quarterAt(security, quarter.number - 2).reportMs);
    const { netIncome, revenue } = estimateOf(security, quarter);
    const shares = sharesOn(security, newYorkDay(asOf));
    return {
      symbol: security.symbol,
      companyName: security.companyName,
      date: quarter.reportDay,
      fiscalQuarter: `${quarter.fiscalYear}-Q${quarter.fiscalQuarter}`,
      time: quarter.time,
      epsEstimate: perShare(netIncome, dilutedShares(shares, netIncome)),
      revenueEstimate: Number(revenue.toPrecision(4)),
      asOf,
    };
  });
}

const FRIDAY = 5;
const MONTHS = 13;
const WEEKS = 6;
/** Market value from which a company has weekly options. */
const WEEKLY_CAP = 3e9;

/** Returns the expirations of the last week, known from its first session on; older ones are not made. */
export function expirationRows({ security, toDay }: Company): DatasetRow[] {
  const day = Math.min(toDay, security.lastDay);
  const monday = day - ((weekdayFromDay(day) + 6) % 7);
  const listedDay = Math.max(security.firstDay, nextSession(monday - 1));
  const first = new Date(listedDay * MILLIS_PER_DAY);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + 1];
  const fridays = Array.from({ length: MONTHS }, (_, i) => nthWeekday(year, month + i, FRIDAY, 3));
  if (security.typicalCap >= WEEKLY_CAP) {
    for (let week = 0; week < WEEKS; week++) fridays.push(monday + 4 + 7 * week);
  }
  // Where the exchange is closed on that Friday, the session before is the last one.
  const dates = fridays
    .filter((friday) => friday <= CALENDAR_LAST_DAY)
    .map((friday) => (isSession(friday) ? friday : previousSession(friday)));
  return [...new Set(dates)]
    .filter((date) => date >= listedDay)
    .sort((a, b) => a - b)
    .map((date) => ({ symbol: security.symbol, asOf: sessionOpenMs(listedDay), date }));
}
