/** Settles the format of a file's dates: by their digits, the user's option, or the sessions. */

import { sessionsBetween } from '../../base/time/calendar.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import type { DateOrder } from '../contract/choices.ts';
import { type DateFormat, dayFromText, possibleDateFormats } from './date-format.ts';

/** Advice for numbers that may count days, as Arrow and R keep dates. */
function daysAdvice(dates: readonly string[]): string {
  const areDays = dates.every((text) => /^[3-9]\d{3}$|^1\d{4}$|^2[01]\d{3}$/.test(text));
  return areDays
    ? ': if it counts days since 1970, write it as a date, in pandas with pd.to_datetime(date, unit="D")'
    : '';
}

/** @returns the format, or the reason of a refusal, which more rows may lift. */
export function settleDateFormat(
  dates: readonly string[],
  latestDay: number,
  dateOrder: DateOrder | undefined,
): DateFormat | { reason: string; needsMoreRows: true } {
  const formats = possibleDateFormats(dates, latestDay);
  if (formats.length === 0) {
    const reason = areRowNumbers(dates)
      ? `its column of dates counts rows (${dates.slice(0, 3).join(', ')}, …): the dates are lost, so export it again with them`
      : `"${dates[0] ?? ''}" is not a date of a known format${daysAdvice(dates)}`;
    return { reason, needsMoreRows: true };
  }
  if (dateOrder && formats.includes(dateOrder)) return dateOrder;
  if (formats.length === 1) return formats[0];
  const proven = formatOfSessions(dates, formats);
  if (proven !== undefined) return proven;
  const shown = dates.find((text) => formats.every((one) => dayFromText(text, one) !== undefined));
  if (shown === undefined) {
    const examples = formats.map((format) => {
      return `"${dates.find((text) => dayFromText(text, format) !== undefined)}" (${format})`;
    });
    const reason = `its dates have several formats: ${examples.join(', ')}; write them in one`;
    return { needsMoreRows: true, reason };
  }
  const readings = formats.map((format) => {
    return `${dateFromDay(dayFromText(shown, format)!)} (${format})`;
  });
  return {
    needsMoreRows: true,
    reason: `its dates are ambiguous: "${shown}" may be ${readings.join(' or ')}; say which with --date-format`,
  };
}

/** True for 0, 1, 2 or 1, 2, 3: the index of a data frame without its dates. */
function areRowNumbers(dates: readonly string[]): boolean {
  const first = Number(dates[0]);
  return (
    dates.length > 1 &&
    (first === 0 || first === 1) &&
    dates.every((text, at) => Number(text) === first + at)
  );
}

/** Sessions in a row that prove an order of day and month. */
const IN_ROW_MIN = 3;
/** Different times a day of a file of minutes, on average. */
const TIMES_A_DAY_MIN = 3;

/**
 * Returns the only format in which the dates are sessions in a row. In the other one they are the
 * same day of several months: bars of months could be so, unless a month is left out, and bars of
 * minutes could not.
 */
function formatOfSessions(
  dates: readonly string[],
  formats: readonly DateFormat[],
): DateFormat | undefined {
  const daysOf = new Map(
    formats.map((format) => {
      const days = dates
        .map((text) => dayFromText(text, format))
        .filter((day) => day !== undefined);
      return [format, [...new Set(days)].sort((a, b) => a - b)] as const;
    }),
  );
  const [format, ...others] = formats.filter((one) => areInRow(daysOf.get(one)!));
  if (format === undefined || others.length > 0) return undefined;
  const days = daysOf.get(format)!;
  const isOfMinutes = new Set(dates).size >= TIMES_A_DAY_MIN * days.length;
  const leaveOut = formats.every((one) => one === format || leavesMonthOut(daysOf.get(one)!));
  return isOfMinutes || leaveOut ? format : undefined;
}

function areInRow(days: readonly number[]): boolean {
  if (days.length < IN_ROW_MIN) return false;
  const sessions = sessionsBetween(days[0], days[days.length - 1]);
  return sessions.length === days.length && days.every((day, at) => day === sessions[at]);
}

function leavesMonthOut(days: readonly number[]): boolean {
  const months = days.map((day) => {
    const date = dateFromDay(day);
    return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
  });
  return months.some((month, at) => at > 0 && month - months[at - 1] > 1);
}

/** Reason to refuse a file whose days and months a spreadsheet has mixed. */
export const ORDERS =
  'its days before and after the 12th are written in two orders, as by a spreadsheet of another region: write them as 2026-01-31';

/**
 * Returns true for dates that a spreadsheet spoiled: read in one order, most rows rise or fall, and
 * the others jump to days without trading.
 */
export function ofTwoOrders(days: readonly number[], format: DateFormat): boolean {
  if (format !== 'mdy' && format !== 'dmy') return false;
  const steps = days.slice(1).map((day, i) => Math.sign(day - days[i]));
  const rising = steps.filter((step) => step > 0).length;
  const falling = steps.filter((step) => step < 0).length;
  const weekends = days.filter((day) => [2, 3].includes(((day % 7) + 7) % 7)).length;
  return Math.min(rising, falling) > 1 && weekends > 0;
}
