/** What companies of the sandbox file: a report a quarter, now and then an amendment. */

import { CALENDAR_LAST_DAY, previousSession } from '../base/time/calendar.ts';
import { sandboxFactors, yearFromDay } from './factors.ts';
import { integerAt, seedAt } from './random.ts';
import {
  companySeed,
  type FiscalQuarter,
  firstReportAfter,
  fiscalPeriod,
  isWithin,
  newYorkMs,
  quartersAround,
  type SandboxSpan,
} from './reporting.ts';
import type { SandboxSecurity } from './universe.ts';

export interface SandboxFiling {
  filedAt: number;
  /** In New York: share counts are on the split basis of this day. */
  day: number;
  form: '10-Q' | '10-K' | '10-K/A' | '424B4';
  accession: string;
  periods: FiledPeriod[];
}

/** A quarter or year whose figures a filing states. */
export interface FiledPeriod {
  period: 'annual' | 'quarterly';
  /** Its last quarter. */
  number: number;
  isRestated: boolean;
  endDay: number;
  fiscalYear: number;
  /** Null for a year. */
  fiscalQuarter: number | null;
}

const AT = { delay: 1, minute: 2, amends: 3, amendedAfter: 4 } as const;
/** One in so many annual reports is amended, within the next year. */
const AMENDED_EVERY = 25;
/** Quarters that a prospectus tells of. */
const PROSPECTUS_QUARTERS = 12;

/** All of a span, oldest first; none of a fund. */
export function sandboxFilings(security: SandboxSecurity, span: SandboxSpan): SandboxFiling[] {
  if (security.type === 'etf') return [];
  const quarters = quartersAround(security, span, { before: 6, after: 0 });
  const filings = quarters.map((quarter) => reportFiling(security, quarter));
  filings.push(prospectus(security));
  for (const quarter of quarters) {
    const amendment = amendmentOf(security, quarter);
    if (amendment) filings.push(amendment);
  }
  const lastDay = security.model.lastDay ?? Number.POSITIVE_INFINITY;
  return filings
    .filter(({ filedAt, day }) => isWithin(filedAt, span) && day <= lastDay)
    .sort((a, b) => a.filedAt - b.filedAt);
}

/** Root of a company's ticker, which its classes share. */
export function companyRoot({ symbol }: SandboxSecurity): string {
  return symbol.split('.')[0].toLowerCase();
}

/** The fourth quarter has no report of its own: its figures are in that of the year. */
function reportFiling(security: SandboxSecurity, quarter: FiscalQuarter): SandboxFiling {
  const isYear = quarter.fiscalQuarter === 4;
  const delay = integerAt(delaySeed(security, AT.delay), quarter.number, isYear ? 8 : 3);
  const { days } = sandboxFactors();
  const evening = quarter.time === 'after_market' ? quarter.session - 1 : quarter.session;
  const day = days[Math.min(evening + delay, days.length - 1)];
  const quarterly = periodOf(security, quarter.number, 'quarterly');
  return {
    ...filedOn(security, day, quarter.number),
    form: isYear ? '10-K' : '10-Q',
    accession: `sandbox-${companyRoot(security)}-${quarter.fiscalYear}-q${quarter.fiscalQuarter}`,
    periods: isYear ? [periodOf(security, quarter.number, 'annual'), quarterly] : [quarterly],
  };
}

/** Restates a year and its last quarter. */
function amendmentOf(security: SandboxSecurity, quarter: FiscalQuarter): SandboxFiling | undefined {
  if (quarter.fiscalQuarter !== 4) return undefined;
  const { number, fiscalYear, reportDay } = quarter;
  if (integerAt(delaySeed(security, AT.amends), number, AMENDED_EVERY) > 0) return undefined;
  const after = 40 + integerAt(delaySeed(security, AT.amendedAfter), number, 270);
  const day = previousSession(Math.min(reportDay + after, CALENDAR_LAST_DAY));
  return {
    ...filedOn(security, day, number),
    form: '10-K/A',
    accession: `sandbox-${companyRoot(security)}-${fiscalYear}-amended`,
    periods: [
      periodOf(security, number, 'annual', true),
      periodOf(security, number, 'quarterly', true),
    ],
  };
}

/** On the morning of the first day: the quarters before, and the full years among them. */
function prospectus(security: SandboxSecurity): SandboxFiling {
  const { firstDay } = security;
  const next = firstReportAfter(security, firstDay);
  const periods: FiledPeriod[] = [];
  for (let number = next - PROSPECTUS_QUARTERS; number < next; number++) {
    const quarterly = periodOf(security, number, 'quarterly');
    const hasYear = number >= next - PROSPECTUS_QUARTERS + 3;
    if (quarterly.fiscalQuarter === 4 && hasYear) {
      periods.push(periodOf(security, number, 'annual'));
    }
    periods.push(quarterly);
  }
  return {
    filedAt: newYorkMs(firstDay, 6, 30),
    day: firstDay,
    form: '424B4',
    accession: `sandbox-${companyRoot(security)}-${yearFromDay(firstDay)}-prospectus`,
    periods,
  };
}

function periodOf(
  security: SandboxSecurity,
  number: number,
  period: FiledPeriod['period'],
  isRestated = false,
): FiledPeriod {
  const { endDay, fiscalYear, fiscalQuarter } = fiscalPeriod(security, number);
  return {
    period,
    number,
    isRestated,
    endDay,
    fiscalYear,
    fiscalQuarter: period === 'annual' ? null : fiscalQuarter,
  };
}

/** In the evening, after any news of the results. */
function filedOn(
  security: SandboxSecurity,
  day: number,
  number: number,
): Pick<SandboxFiling, 'filedAt' | 'day'> {
  const minute = integerAt(delaySeed(security, AT.minute), number, 45);
  return { filedAt: newYorkMs(day, 16, 45) + minute * 60_000, day };
}

function delaySeed(security: SandboxSecurity, position: number): number {
  return seedAt(companySeed(security, 'filings'), position);
}
