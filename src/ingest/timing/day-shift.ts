/** Finds dates that are written a day early or late, by their weekdays and the exchange calendar. */

import { dateFromDay, weekdayFromDay } from '../../base/time/dates.ts';
import type { DateShift } from '../contract/source-options.ts';
import { isTradingDay, isWeekend, WEEKDAYS } from './week-days.ts';

/** A date as written, how many bars have it, and their time of day as written. */
export interface WrittenDate {
  day: number;
  /** Minutes after midnight; 0 for a plain date. */
  minute: number;
  count: number;
}

export interface ShiftFinding {
  shift: Exclude<DateShift, 'written'>;
  /** Fact against the dates as written, as a clause. */
  fact: string;
  /** True if only some of the dates need the shift. */
  isPart: boolean;
}

/**
 * First minute of a day whose time may be the midnight of a zone further east: Auckland's is at
 * 11:00 in UTC. An earlier time may be an evening in New York, as zones further east show it: the
 * close is at 10:00 in Auckland.
 */
export const LATE_MINUTE = 630;

/** Bars below this number are taken as written. */
const COUNT_MIN = 3;
/** Share of bars on days without a session that no calendar of holidays explains. */
const OFF_SHARE_MIN = 0.05;
/** Part of the bars at weekends that may remain there once they are moved. */
const LEFT_SHARE_MAX = 0.1;
/** Part of the bars without a session that may then lie on holidays. */
const HOLIDAY_SHARE_MAX = 0.4;

/** Dates in a row that are judged for themselves: six weeks, with as many Sundays. */
const STRETCH = 30;

/** Returns the day of the session of a written date. Times move only the side they can be of. */
export function shiftedDay({ day, minute }: WrittenDate, shift: DateShift, isTimed: boolean) {
  if (shift === 'next') return !isTimed || minute >= LATE_MINUTE ? day + 1 : day;
  if (shift === 'previous') return !isTimed || minute < LATE_MINUTE ? day - 1 : day;
  return day;
}

/**
 * @param dates In rising order.
 * @param isTimed True if some bars have a time of day, so that a shift moves one side of the day.
 * @returns the one shift that explains dates which are no sessions, of all of them or of a stretch
 *   beside others that are sessions; undefined if no shift explains any, as for other markets.
 */
export function dateShiftOf(
  dates: readonly WrittenDate[],
  isTimed: boolean,
): ShiftFinding | undefined {
  if (!dates.some(({ day }) => isWeekend(day))) return undefined;
  const whole = shiftOfAll(dates, isTimed);
  if (whole !== undefined || dates.length < 2 * STRETCH) return whole;
  const stretches = Array.from({ length: Math.floor(dates.length / STRETCH) }, (_, i) =>
    dates.slice(i * STRETCH, (i + 1) * STRETCH),
  );
  if (!stretches.some((stretch) => stretch.every(({ day }) => !isWeekend(day)))) return undefined;
  for (const stretch of stretches) {
    const found = shiftOfAll(stretch, isTimed);
    if (found !== undefined) return { ...found, isPart: true };
  }
  return undefined;
}

function shiftOfAll(dates: readonly WrittenDate[], isTimed: boolean): ShiftFinding | undefined {
  const counts = dates.reduce((sum, { count }) => sum + count, 0);
  const offDays = (shift: DateShift) =>
    dates.reduce((sum, date) => {
      return isTradingDay(shiftedDay(date, shift, isTimed)) ? sum : sum + date.count;
    }, 0);
  const written = offDays('written');
  const hasWeekends = dates.some(({ day }) => isWeekend(day));
  if (counts < COUNT_MIN || !hasWeekends || written < counts * OFF_SHARE_MIN) return undefined;
  const weekends = (shift: DateShift) =>
    dates.reduce((sum, date) => {
      return isWeekend(shiftedDay(date, shift, isTimed)) ? sum + date.count : sum;
    }, 0);
  // Vendors fill holidays with the last price; no weekday is missing for them.
  const explaining = (['next', 'previous'] as const).filter(
    (shift) =>
      weekends(shift) <= weekends('written') * LEFT_SHARE_MAX &&
      offDays(shift) <= written * HOLIDAY_SHARE_MAX,
  );
  if (explaining.length !== 1) return undefined;
  return { shift: explaining[0], fact: weekendFact(dates, counts), isPart: false };
}

/** `189 of its 1,000 dates are Sundays and none is a Friday`. */
function weekendFact(dates: readonly WrittenDate[], counts: number): string {
  const byWeekday = new Array<number>(7).fill(0);
  for (const { day, count } of dates) byWeekday[weekdayFromDay(day)] += count;
  const weekend = [0, 6].filter((weekday) => byWeekday[weekday] > 0);
  const found = weekend.map((weekday) => `${byWeekday[weekday]} are ${WEEKDAYS[weekday]}s`);
  const empty = [1, 2, 3, 4, 5].filter((weekday) => byWeekday[weekday] === 0);
  const none = empty.length === 1 ? ` and none is a ${WEEKDAYS[empty[0]]}` : '';
  const example = dates.find(({ day }) => isWeekend(day))!;
  return `of its ${counts} dates ${found.join(', ')} (${dateFromDay(example.day)})${none}`;
}
