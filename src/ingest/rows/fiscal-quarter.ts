/** A company's own quarters, counted from a year end of its own that is known. Pure. */

import { limits } from '../../base/limits/limits.ts';
import type { FiscalYearEnd } from '../contract/source-options.ts';

const MILLIS_PER_DAY = 86_400_000;
/** Years of 52 or 53 weeks end up to so many days before or after the month they are named by. */
const SWAY_DAYS = 10;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `Oct/2026` → months since the year 0; undefined for another text. */
export function monthFromText(text: string): number | undefined {
  const match = /^([a-z]{3})[a-z]*[/ -](\d{4})$/i.exec(text.trim());
  const month = match ? MONTHS.indexOf(match[1].toLowerCase()) : -1;
  return match && month >= 0 ? Number(match[2]) * 12 + month : undefined;
}

/**
 * `2026-Q3`, the company's own; undefined where it can't be told: no year end is known, the one
 * that is known lies too far away, or the month is not a whole number of quarters from it.
 *
 * @param endMonth Of the quarter, from `monthFromText`.
 */
export function fiscalQuarterOf(
  endMonth: number,
  yearEnd: FiscalYearEnd | undefined,
): string | undefined {
  if (!yearEnd) return undefined;
  // The month's last day is what a year is named by; 3 October still belongs to September.
  const middle = new Date((yearEnd.day - SWAY_DAYS) * MILLIS_PER_DAY);
  const yearEndMonth = middle.getUTCFullYear() * 12 + middle.getUTCMonth();
  const quarters = (endMonth - yearEndMonth) / 3;
  if (!Number.isInteger(quarters) || Math.abs(quarters) > limits.calendar.quartersMax) {
    return undefined;
  }
  const quarter = (((quarters - 1) % 4) + 4) % 4;
  const year = yearEnd.fiscalYear + Math.ceil(quarters / 4);
  return `${year}-Q${quarter + 1}`;
}
