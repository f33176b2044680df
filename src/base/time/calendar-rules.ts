/**
 * Rules and dated exceptions for the days on which the New York Stock Exchange is closed or closes
 * early, in past and future. `calendar.ts` turns them into a table of sessions.
 *
 * Hours are the announced ones. A late opening or a breakdown within a day is not here, because it
 * cuts no daily bar. Sources: the exchange's list of special closings since 1885 and its yearly
 * holiday notices. Tests compare the result with real trading days.
 */

import { dayFromDate, weekdayFromDay } from './dates.ts';

const SUNDAY = 0;
const MONDAY = 1;
const TUESDAY = 2;
const THURSDAY = 4;
const FRIDAY = 5;
const SATURDAY = 6;

/** Returns minutes after midnight in New York. */
const at = (hour: number, minute = 0): number => hour * 60 + minute;

/** Weekdays without a session that no rule gives. Saturdays have had none since 1952. */
export const CLOSURES: readonly (readonly [date: string, reason: string])[] = [
  ['1963-11-25', 'funeral of President Kennedy'],
  ['1968-02-12', "Lincoln's Birthday"],
  ['1968-04-09', 'mourning for Martin Luther King'],
  ['1968-07-05', 'day after Independence Day'],
  ['1968-11-11', 'Veterans Day'],
  ['1969-02-10', 'snow'],
  ['1969-03-31', 'funeral of President Eisenhower'],
  ['1969-07-21', 'Moon landing'],
  ['1972-12-28', 'funeral of President Truman'],
  ['1973-01-25', 'funeral of President Johnson'],
  ['1977-07-14', 'power failure in New York City'],
  ['1985-09-27', 'hurricane Gloria'],
  ['1994-04-27', 'funeral of President Nixon'],
  ['2001-09-11', 'attack on the World Trade Center'],
  ['2001-09-12', 'attack on the World Trade Center'],
  ['2001-09-13', 'attack on the World Trade Center'],
  ['2001-09-14', 'attack on the World Trade Center'],
  ['2004-06-11', 'funeral of President Reagan'],
  ['2007-01-02', 'mourning for President Ford'],
  ['2012-10-29', 'hurricane Sandy'],
  ['2012-10-30', 'hurricane Sandy'],
  ['2018-12-05', 'mourning for President George H. W. Bush'],
  ['2025-01-09', 'mourning for President Carter'],
];

/** Early closes that no rule gives: first and last date, and minutes after midnight. */
const EARLY_CLOSE_SPANS: readonly (readonly [first: string, last: string, minutes: number])[] = [
  ['1966-01-06', '1966-01-14', at(14)], // strike of the city's transport
  ['1967-08-08', '1967-08-18', at(14)], // offices behind with their paperwork, here and below
  ['1968-01-22', '1968-03-01', at(14)],
  ['1969-01-02', '1969-07-03', at(14)],
  ['1969-07-07', '1969-09-26', at(14, 30)],
  ['1969-09-29', '1970-05-01', at(15)],
  ['1974-12-24', '1974-12-24', at(14)],
  ['1975-12-24', '1975-12-24', at(14)],
  ['1987-10-23', '1987-10-30', at(14)], // after the crash of 19 October
  ['1987-11-02', '1987-11-04', at(14, 30)],
  ['1987-11-05', '1987-11-06', at(15)],
  ['1987-11-09', '1987-11-11', at(15, 30)],
  ['1997-12-26', '1997-12-26', at(13)],
  ['1999-12-31', '1999-12-31', at(13)],
  ['2003-12-26', '2003-12-26', at(13)],
];

/** Regular hours: the first day they hold from, opening and closing minutes. */
const REGULAR_HOURS = [
  { fromDay: dayFromDate('1952-09-29'), open: at(10), close: at(15, 30) },
  { fromDay: dayFromDate('1974-10-01'), open: at(10), close: at(16) },
  { fromDay: dayFromDate('1985-09-30'), open: at(9, 30), close: at(16) },
] as const;

/** Minutes of the session after the close, on half days too: to 20:00, or to 17:00. */
export const POST_MINUTES = 4 * 60;
/** Start of the session before the open, and the turn of the trade date, in New York. */
export const PRE_OPEN = at(4);
export const TRADE_DATE_TURN = at(20);

/**
 * Overnight trading from a trade date on: its opening on the evening before in minutes, after a
 * session and after a day without one. Before the first row the trade date turns at midnight.
 */
export interface OvernightHours {
  fromDay: number;
  open: number;
  reopen: number;
}

/** Known rows, the earliest first; docs/sessions.md has the sources. */
const OVERNIGHT_HOURS: readonly OvernightHours[] = [
  // Blue Ocean's alternative trading system: 20:00 to 04:00, Sunday to Thursday.
  { fromDay: dayFromDate('2021-10-04'), open: at(20), reopen: at(20) },
  // Consolidated feeds around the clock, from Sunday 21:00. The announced month is the target.
  { fromDay: dayFromDate('2026-12-07'), open: at(20), reopen: at(21) },
];

let overnightRows = OVERNIGHT_HOURS;

/** Takes the rows of the settings: each is added, or takes the place of the one of its date. */
export function useOvernightHours(rows: readonly OvernightHours[]): void {
  const byDay = new Map([...OVERNIGHT_HOURS, ...rows].map((row) => [row.fromDay, row]));
  overnightRows = [...byDay.values()].sort((a, b) => a.fromDay - b.fromDay);
}

/** Returns the minutes of the evening before a trade date at which it opens; undefined: none. */
export function overnightHours(tradeDay: number): OvernightHours | undefined {
  return overnightRows.findLast(({ fromDay }) => fromDay <= tradeDay);
}

function dayOf(year: number, month: number, dayOfMonth: number): number {
  return Date.UTC(year, month - 1, dayOfMonth) / 86_400_000;
}

/** Returns the `nth` given weekday of a month; `nth` −1 is the last one. */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): number {
  if (nth > 0) {
    const first = dayOf(year, month, 1);
    return first + ((weekday - weekdayFromDay(first) + 7) % 7) + (nth - 1) * 7;
  }
  const last = dayOf(year, month + 1, 0);
  return last - ((weekdayFromDay(last) - weekday + 7) % 7);
}

/** Returns Easter Sunday of the Gregorian calendar, by the method of Gauss. */
function easterSunday(year: number): number {
  const century = Math.floor(year / 100);
  const moonShift =
    (15 + century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25)) % 30;
  const sundayShift = (4 + century - Math.floor(century / 4)) % 7;
  const moon = (19 * (year % 19) + moonShift) % 30;
  const sunday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + sundayShift) % 7;
  let afterMarch22 = moon + sunday;
  if (sunday === 6 && (moon === 29 || (moon === 28 && (11 * moonShift + 11) % 30 < 19))) {
    afterMarch22 -= 7;
  }
  return dayOf(year, 3, 22) + afterMarch22;
}

/** Returns the observed day of a holiday: Friday for a Saturday, Monday for a Sunday. */
function observed(year: number, month: number, dayOfMonth: number): number {
  const day = dayOf(year, month, dayOfMonth);
  const weekday = weekdayFromDay(day);
  return weekday === SATURDAY ? day - 1 : weekday === SUNDAY ? day + 1 : day;
}

/** Returns a year's regular holidays since 1962; some may fall on a weekend. */
export function holidays(year: number): number[] {
  const newYear = dayOf(year, 1, 1);
  const days = [
    // New Year's Day on a Saturday is not observed: the books of the old year close on that Friday.
    weekdayFromDay(newYear) === SUNDAY ? newYear + 1 : newYear,
    year >= 1971 ? nthWeekday(year, 2, MONDAY, 3) : observed(year, 2, 22), // Washington
    easterSunday(year) - 2,
    memorialDay(year),
    observed(year, 7, 4),
    nthWeekday(year, 9, MONDAY, 1), // Labor Day
    nthWeekday(year, 11, THURSDAY, 4), // Thanksgiving
    observed(year, 12, 25),
  ];
  if (year >= 1998) days.push(nthWeekday(year, 1, MONDAY, 3)); // Martin Luther King
  if (year >= 2022) days.push(observed(year, 6, 19)); // Juneteenth
  // Election Day: every year until 1968, then with presidential elections until 1980.
  if (year <= 1968 || (year <= 1980 && year % 4 === 0)) {
    days.push(nthWeekday(year, 11, MONDAY, 1) + 1);
  }
  return days;
}

function memorialDay(year: number): number {
  if (year >= 1971) return nthWeekday(year, 5, MONDAY, -1);
  // 30 May 1970 was a Saturday; the Friday before stayed open, as the last session of the month.
  return year === 1970 ? dayOf(1970, 5, 30) : observed(year, 5, 30);
}

/**
 * Returns the Wednesdays without trading from 12 June to 31 December 1968, on which offices caught
 * up with paperwork. Weeks with another holiday kept their Wednesday session.
 */
export function paperworkWednesdays(isHoliday: (day: number) => boolean): number[] {
  const days: number[] = [];
  const last = dayFromDate('1968-12-31');
  for (let day = dayFromDate('1968-06-12'); day <= last; day += 7) {
    const monday = day - 2;
    if (![0, 1, 2, 3, 4].some((i) => isHoliday(monday + i))) days.push(day);
  }
  return days;
}

/** Returns the days of a year that close early by rule; some may turn out to be no sessions. */
function regularHalfDays(year: number): number[] {
  const days: number[] = [];
  const july4 = dayOf(year, 7, 4);
  const weekday = weekdayFromDay(july4);
  if (year >= 1995 && weekday >= TUESDAY && weekday <= FRIDAY) {
    // Until 2012 the half day came after a Thursday holiday, not before it.
    days.push(weekday === THURSDAY && year <= 2012 ? july4 + 1 : july4 - 1);
  }
  if (year >= 1992) days.push(nthWeekday(year, 11, THURSDAY, 4) + 1);
  const christmasEve = dayOf(year, 12, 24);
  if (year >= 1990 && weekdayFromDay(christmasEve) <= THURSDAY) days.push(christmasEve);
  return days;
}

/** Returns the closing minutes, after midnight in New York, of a year's short sessions by day. */
export function earlyCloses(year: number): Map<number, number> {
  const minutesByDay = new Map<number, number>();
  for (const day of regularHalfDays(year)) minutesByDay.set(day, year >= 1993 ? at(13) : at(14));
  for (const [first, last, minutes] of EARLY_CLOSE_SPANS) {
    if (Number(first.slice(0, 4)) > year || Number(last.slice(0, 4)) < year) continue;
    const lastDay = dayFromDate(last);
    for (let day = dayFromDate(first); day <= lastDay; day++) {
      minutesByDay.set(day, minutes);
    }
  }
  return minutesByDay;
}

/** Returns the regular minutes after midnight in New York, on a day since 1952. */
export function regularHours(day: number): { open: number; close: number } {
  return REGULAR_HOURS.findLast(({ fromDay }) => fromDay <= day)!;
}
