/** Dates in digits that are no year, month and day: day numbers, days of a year, and years last. */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { MalformedInputError } from '../../base/errors.ts';
import { CALENDAR_LAST_DAY } from '../../base/time/calendar.ts';
import { dateFromDay, dayFromDate } from '../../base/time/dates.ts';
import { isTradingDay, isWeekend } from './week-days.ts';

type Rewrite = (text: string) => string;

/**
 * Finds what a column of digits says.
 * @param texts The first of them; empty ones and other texts leave their form open.
 * @returns a function that writes a text as a date with separators; undefined for other columns.
 * @throws {MalformedInputError} the texts are day numbers of several programs.
 */
export function datesInDigits(texts: readonly string[]): Rewrite | undefined {
  if (texts.length === 0) return undefined;
  if (texts.every((text) => DAY_OF_YEAR.test(text))) return dateFromDayOfYear;
  if (texts.every((text) => YEAR_LAST.test(text))) {
    return (text) => text.replace(YEAR_LAST, '$1/$2/$3');
  }
  if (texts.every((text) => FLOAT.test(text)) && texts.some((text) => WHOLE.test(text))) {
    return (text) => (FLOAT.test(text) ? String(Number(text)) : text);
  }
  return datesOfCounts(texts);
}

/** Unix time as Java writes a float: `1.7041536E9`. */
const FLOAT = /^\d\.\d+E\+?(?:9|12|15)$/i;
/** A spreadsheet shows five decimals at most, `1.70415E+12`, and loses the others. */
const WHOLE = /\.\d{6}/;

/** `2017-307`, `2017307`. */
const DAY_OF_YEAR = /^((?:19|20)\d\d)-?([0-3]\d\d)$/;

function dateFromDayOfYear(text: string): string {
  const [, year, day] = DAY_OF_YEAR.exec(text) ?? [];
  const found = day && dateFromDay(dayFromDate(`${year}-01-01`) + Number(day) - 1);
  // Day 000 or 366 of another year is none.
  return found?.startsWith(year) ? found : text;
}

/** `03112017`, or `3112017` where a spreadsheet made it a number. No month is 19 or 20. */
const YEAR_LAST = /^(\d{1,2})(\d\d)((?:19|20)\d\d)$/;

/** Programs that count days, and the day of their 0; Excel's older calendar is that of old Macs. */
const EPOCHS: readonly { program: string; zero: number }[] = [
  { program: 'Excel', zero: dayFromDate('1899-12-30') },
  { program: 'Excel, from 1904', zero: dayFromDate('1904-01-01') },
  { program: 'R and Unix', zero: 0 },
  { program: 'SAS and Stata', zero: dayFromDate('1960-01-01') },
  { program: 'MATLAB', zero: -719_529 },
  { program: 'Python', zero: -719_163 },
];
const COUNT = /^[1-9]\d{4,5}(?:\.\d+)?$/;
/** First day of the counts that are looked at, and of those that are likelier than others. */
const FIRST_DAY = dayFromDate('1950-01-01');
const RECENT_DAY = dayFromDate('1990-01-01');
/** Fewer days are weekdays of several calendars by chance. */
const DAYS_MIN = 5;

function datesOfCounts(texts: readonly string[]): Rewrite | undefined {
  if (!texts.every((text) => COUNT.test(text))) return undefined;
  const counts = [...new Set(texts.map((text) => Math.floor(Number(text))))];
  const areAll = (zero: number, is: (day: number) => boolean) =>
    counts.every((count) => is(zero + count));
  const possible = EPOCHS.filter(({ zero }) => areAll(zero, isWeekday));
  // The weekdays of a few days prove no calendar, and most such files come from Excel.
  const [usual] = possible;
  const isExcels = usual === EPOCHS[0] && areAll(usual.zero, isRecent);
  if (isExcels && counts.length < DAYS_MIN) return dateOf(usual.zero);
  const [epoch, ...others] = [isTradingDay, isRecent].reduce((left, is) => {
    const likely = left.filter(({ zero }) => areAll(zero, is));
    return likely.length > 0 ? likely : left;
  }, possible);
  if (others.length > 0) {
    const dates = [epoch, ...others].map(
      ({ program, zero }) => `${dateFromDay(zero + counts[0])} (${program})`,
    );
    throw new MalformedInputError(
      `its dates are day numbers: "${texts[0]}" may be ${dates.join(' or ')}; write dates as 2026-01-31`,
    );
  }
  return epoch && dateOf(epoch.zero);
}

function isWeekday(day: number): boolean {
  return day >= FIRST_DAY && day <= CALENDAR_LAST_DAY && !isWeekend(day);
}

function isRecent(day: number): boolean {
  return day >= RECENT_DAY;
}

function dateOf(zero: number): Rewrite {
  return (text) => (COUNT.test(text) ? dateFromCount(text, zero) : text);
}

const SECONDS_PER_DAY = MILLIS_PER_DAY / 1000;

function dateFromCount(text: string, zero: number): string {
  const seconds = Math.round((zero + Number(text)) * SECONDS_PER_DAY);
  const [date, time] = new Date(seconds * 1000).toISOString().slice(0, 19).split('T');
  return text.includes('.') && time !== '00:00:00' ? `${date} ${time}` : date;
}
