/** Counts a company's own quarters from a known year end of its own. Pure. */

import { limits } from '../../base/limits/limits.ts';
import type { FiscalYearEnd } from '../contract/source-options.ts';

const MILLIS_PER_DAY = 86_400_000;
/** Years of 52 or 53 weeks end up to this many days before or after the month that names them. */
const SWAY_DAYS = 10;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Converts `Oct/2026` to months since the year 0. Returns undefined for another text. */
export function monthFromText(text: string): number | undefined {
  const match = /^([a-z]{3})[a-z]*[/ -](\d{4})$/i.exec(text.trim());
  const month = match ? MONTHS.indexOf(match[1].toLowerCase()) : -1;
  return match && month >= 0 ? Number(match[2]) * 12 + month : undefined;
}

/**
 * Names the company's own quarter, as `2026-Q3`. Returns undefined if no year end is known, if the
 * known one is too far away, or if the month is not a whole number of quarters from it.
 *
 * @param endMonth Last month of the quarter, from `monthFromText`.
 */
export function fiscalQuarterOf(
  endMonth: number,
  yearEnd: FiscalYearEnd | undefined,
): string | undefined {
  if (!yearEnd) return undefined;
  // The month's last day names the year; 3 October still belongs to September.
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
