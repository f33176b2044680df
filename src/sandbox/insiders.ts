/** What insiders of the sandbox file: each deed a filing, in the evening of the next day or two. */

import type { RowOf } from '../base/datasets/datasets.ts';
import type { insider } from '../base/datasets/filings.ts';
import { newYorkDay } from '../base/time/calendar.ts';
import { dateFromDay } from '../base/time/dates.ts';
import { sandboxCloses } from './closes.ts';
import { sandboxFactors, sessionFromDay } from './factors.ts';
import { companyRoot } from './filings.ts';
import { roundToTick } from './prices.ts';
import { integerAt, seedAt } from './random.ts';
import {
  companySeed,
  firstReportAfter,
  isWithin,
  newYorkMs,
  type SandboxSpan,
} from './reporting.ts';
import { type Deed, deedsOfSeat, type InsiderDeed, SEATS } from './seats.ts';
import type { SandboxSecurity } from './universe.ts';

type InsiderRow = RowOf<typeof insider>;

/** A deed with when others learn of it. */
export interface FiledDeed extends InsiderDeed {
  filedAt: number;
}

const CODES: Readonly<Record<Deed, string>> = {
  award: 'A',
  tax: 'F',
  exercise: 'M',
  buy: 'P',
  sell: 'S',
  gift: 'G',
};
/** What options cost, as a part of the price at which they are exercised. */
const STRIKE = 0.6;

/** Those that were filed in a span, oldest first; none of a fund. */
export function filedDeeds(security: SandboxSecurity, span: SandboxSpan): FiledDeed[] {
  const { firstDay, model, type } = security;
  const lastDay = Math.min(newYorkDay(span.throughMs), model.lastDay ?? Number.POSITIVE_INFINITY);
  if (type === 'etf' || lastDay < firstDay) return [];
  const fromDay = Math.max(firstDay, newYorkDay(span.afterMs));
  const quarters = {
    // A deed is filed up to thirty sessions after the report, which is within the quarter.
    from: firstReportAfter(security, fromDay) - 2,
    to: firstReportAfter(security, lastDay),
  };
  const deeds = SEATS.flatMap((_, seat) => deedsOfSeat(security, seat, quarters));
  return deeds
    .map((deed) => ({ ...deed, filedAt: filedAtMs(security, deed) }))
    .filter(({ filedAt }) => isWithin(filedAt, span) && newYorkDay(filedAt) <= lastDay)
    .sort((a, b) => a.filedAt - b.filedAt || a.seat - b.seat);
}

export function sandboxInsiders(security: SandboxSecurity, span: SandboxSpan): InsiderRow[] {
  const close = sandboxCloses(security);
  return filedDeeds(security, span).flatMap((deed) =>
    linesOf(deed, close(deed.day)).map((line, index) => ({
      symbol: security.symbol,
      insiderName: deed.insiderName,
      title: SEATS[deed.seat].title,
      transactionDate: deed.day,
      filedAt: deed.filedAt,
      accession: `sandbox-${companyRoot(security)}-${dateFromDay(deed.day)}-seat${deed.seat + 1}`,
      line: index + 1,
      amends: null,
      ...line,
    })),
  );
}

type Line = Pick<
  InsiderRow,
  | 'transactionType'
  | 'transactionCode'
  | 'shares'
  | 'price'
  | 'totalValue'
  | 'sharesOwnedAfter'
  | 'isDerivative'
>;

/** Options that are exercised are three lines: shares got, shares sold, options gone. */
function linesOf({ kind, shares, ownedAfter }: InsiderDeed, close: number): Line[] {
  const strike = roundToTick(close * STRIKE);
  if (kind !== 'exercise') {
    return [line(kind, shares, kind === 'award' || kind === 'gift' ? 0 : close, ownedAfter)];
  }
  return [
    line('exercise', shares, strike, ownedAfter + shares),
    line('sell', shares, close, ownedAfter),
    { ...line('exercise', shares, strike, 0), isDerivative: 'true' },
  ];
}

function line(kind: Deed, shares: number, price: number, sharesOwnedAfter: number): Line {
  return {
    transactionType: kind,
    transactionCode: CODES[kind],
    shares,
    price,
    totalValue: Math.round(shares * price * 100) / 100,
    sharesOwnedAfter,
    isDerivative: 'false',
  };
}

function filedAtMs(security: SandboxSecurity, { day, seat }: InsiderDeed): number {
  // A new company's awards are told before it trades.
  if (day === security.firstDay) return newYorkMs(day, 7, 0);
  const { days } = sandboxFactors();
  const seed = seedAt(companySeed(security, 'filings'), day);
  const later = 1 + integerAt(seed, seat, 2);
  const filingDay = days[Math.min(sessionFromDay(day) + later, days.length - 1)];
  return newYorkMs(filingDay, 16, 30) + integerAt(seed, seat + 20, 300) * 60_000;
}
