/** Finds dates that are written a day early or late, by their weekdays and the exchange calendar. */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { newYorkMomentMs } from '../../base/time/calendar.ts';
import { dateFromDay, weekdayFromDay } from '../../base/time/dates.ts';
import type { DateShift } from '../contract/choices.ts';
import { movedWeekday } from './moved-weekday.ts';
import { isTradingDay, isWeekend, WEEKDAYS } from './week-days.ts';

/** A date as written, how many bars have it, and their time of day as written. */
export interface WrittenDate {
  day: number;
  /** Minutes after midnight; 0 for a plain date. */
  minute: number;
  /** True if the time is stated as of UTC. */
  isUtc?: boolean;
  count: number;
}

export interface ShiftFinding {
  /** Undefined for dates two days off and for those of one weekday, which no option moves. */
  shift?: Exclude<DateShift, 'written'>;
  /** Fact against the dates as written, as a clause. */
  fact: string;
  /** Fact against the shift, as a clause. */
  doubt?: string;
}

/**
 * Minutes of a day that may be the midnight of a zone further east, from the first one on: Tokyo's
 * is at 10:00 in New York, and the Chathams' at 10:15 in UTC. Minutes to the other may be an evening
 * in New York, as zones further east show it: the close is at 10:00 in Auckland.
 */
export const SIDE_MINUTES = { next: 600, previous: 614 } as const;

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
  if (shift === 'next') return !isTimed || minute >= SIDE_MINUTES.next ? day + 1 : day;
  if (shift === 'previous') return !isTimed || minute <= SIDE_MINUTES.previous ? day - 1 : day;
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
  const hasWeekends = dates.some(isOnWeekend);
  const whole =
    (hasWeekends ? shiftOfAll(dates, isTimed) : undefined) ??
    shiftOfFew(dates, isTimed) ??
    midnightsOfFew(dates);
  if (!hasWeekends || whole !== undefined) return whole;
  const moved = movedWeekday(dates.map(({ day }) => day));
  if (moved !== undefined) return { fact: moved };
  if (dates.length < 2 * STRETCH) return undefined;
  const starts = Array.from({ length: Math.floor(dates.length / STRETCH) }, (_, i) => i * STRETCH);
  const stretches = [...starts, dates.length - STRETCH].map((from) =>
    dates.slice(from, from + STRETCH),
  );
  if (!stretches.some((stretch) => stretch.every((date) => !isOnWeekend(date)))) return undefined;
  for (const stretch of stretches) {
    const found = shiftOfAll(stretch, isTimed);
    if (found !== undefined) return { ...found, doubt: 'its other dates are sessions as written' };
  }
  return undefined;
}

/** Days that dates are moved by. Dates two days off are refused, since no zone explains them. */
const SHIFTS = [
  { shift: 'next', days: 1 },
  { shift: 'previous', days: -1 },
] as const;
const TWO_DAYS = [2, -2] as const;

type Move = (date: WrittenDate) => number;

const movesOf = (isTimed: boolean) =>
  SHIFTS.map(({ shift }) => ({
    shift,
    move: (date: WrittenDate) => shiftedDay(date, shift, isTimed),
  }));

/**
 * Finds the shift of a few dates by exact facts, so that two dates are enough: as written, one is
 * no session and a session between them is missing, or one is at a weekend, and moved by a day they
 * are sessions in a row.
 */
function shiftOfFew(dates: readonly WrittenDate[], isTimed: boolean): ShiftFinding | undefined {
  // Dates that are all sessions show no shift. Most files have such ones.
  if (dates.length > STRETCH || dates.every(isOnSession)) return undefined;
  const missing = missingSession(dates.map(({ day }) => day));
  const explaining = movesOf(isTimed).filter(({ move }) => {
    const [days, moved] = [dates.map(move), dates.filter((date) => move(date) !== date.day)];
    // Vendors fill holidays with the last price: without a gap a holiday alone shows nothing.
    const isFalse = missing === undefined ? moved.some(isOnWeekend) : !moved.every(isOnSession);
    return isFalse && areSessionsInRow(days);
  });
  if (explaining.length !== 1) return undefined;
  const off = dates.find((date) => !isOnSession(date))!.day;
  const gap = missing === undefined ? '' : ` and ${dateFromDay(missing)} is missing`;
  const fact = `${dateFromDay(off)} is a ${WEEKDAYS[weekdayFromDay(off)]} without a session${gap}`;
  return { shift: explaining[0].shift, fact };
}

/** Returns true for plain dates that may show a shift: a few, or some on weekends. */
export function mayShift(days: ArrayLike<number>): boolean {
  return days.length <= STRETCH || Array.prototype.some.call(days, isWeekend);
}

const isOnWeekend = ({ day }: WrittenDate) => isWeekend(day);
const isOnSession = ({ day }: WrittenDate) => isTradingDay(day);

/** Minutes after midnight in New York at which daily bars are stamped: the open and closes. */
const NEW_YORK_MINUTES = [570, 780, 960, 1200];
/** The close on the clock of Chicago. */
const CHICAGO_CLOSE = 900;
const MINUTES_PER_DAY = 1440;

/**
 * Finds dates that are midnights further east, where weekends do not tell: a day later all are
 * sessions. If they are as written, too, nothing decides. Times that daily bars have in New York,
 * or in UTC, are of the day.
 */
function midnightsOfFew(dates: readonly WrittenDate[]): ShiftFinding | undefined {
  const late = dates.filter(({ minute }) => minute >= SIDE_MINUTES.next);
  if (late.length === 0 || late.length > STRETCH || !late.every(isMidnightOfEast)) return undefined;
  if (!late.every(({ day }) => isTradingDay(day + 1))) return undefined;
  const holiday = late.find((date) => !isOnSession(date));
  const { day, minute } = holiday ?? late[0];
  const time = `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`;
  const fact = `${time} of ${dateFromDay(day)} may be midnight further east`;
  if (holiday) return { shift: 'next', fact: `${fact}, and that day has no session` };
  return { shift: 'next', fact, doubt: 'the dates as written are days of trading, too' };
}

function isMidnightOfEast({ day, minute, isUtc = false }: WrittenDate): boolean {
  const momentMs = day * MILLIS_PER_DAY + (minute * MILLIS_PER_DAY) / MINUTES_PER_DAY;
  const isNewYork = NEW_YORK_MINUTES.some((time) => newYorkMomentMs(day, time) === momentMs);
  const isLocal = !isUtc && [...NEW_YORK_MINUTES, CHICAGO_CLOSE].includes(minute);
  return minute % 15 === 0 && !isNewYork && !isLocal;
}

/** Days of one week, at most, that are sessions in a row a day earlier or later, too. */
const EITHER_MAX = 4;

/** Returns true for a few days that weekdays do not tell from those beside them. */
export function mayBeOtherDays(days: readonly number[]): boolean {
  const rising = [...new Set(days)].sort((a, b) => a - b);
  if (rising.length < 2 || rising.length > EITHER_MAX) return false;
  return [0, 1, -1].filter((by) => areSessionsInRow(rising.map((day) => day + by))).length > 1;
}

function areSessionsInRow(days: readonly number[]): boolean {
  return days.every(isTradingDay) && missingSession(days) === undefined;
}

/** Returns the first day of trading between days in rising order that is none of them. */
function missingSession(days: readonly number[]): number | undefined {
  for (const [at, day] of days.entries()) {
    for (let next = (days[at - 1] ?? day) + 1; next < day; next++) {
      if (isTradingDay(next)) return next;
    }
  }
  return undefined;
}

function shiftOfAll(dates: readonly WrittenDate[], isTimed: boolean): ShiftFinding | undefined {
  // Most files have no date on a weekend, and then nothing explains a shift.
  if (!dates.some(isOnWeekend)) return undefined;
  const explaining = movesOf(isTimed).filter(({ move }) => explains(dates, move));
  if (explaining.length === 1) {
    const [{ shift, move }] = explaining;
    const weekends = dates.filter(isOnWeekend);
    const left = weekends.filter((date) => move(date) === date.day);
    const isInDoubt = left.length > weekends.length * LEFT_SHARE_MAX;
    const doubt = isInDoubt && `the time of ${dateFromDay(left[0].day)} is of that day`;
    const fact = weekendFact(dates.filter((date) => move(date) !== date.day));
    return { shift, fact, ...(doubt && { doubt }) };
  }
  const twoDays = TWO_DAYS.filter((days) => explains(dates, ({ day }) => day + days));
  if (explaining.length > 0 || twoDays.length !== 1) return undefined;
  const side = twoDays[0] > 0 ? 'later' : 'earlier';
  return { fact: `${weekendFact(dates)}, and two days ${side} all are sessions` };
}

/** Returns true if the dates that a shift moves are sessions then, and many are none as written. */
function explains(dates: readonly WrittenDate[], move: Move): boolean {
  const moved = dates.filter((date) => move(date) !== date.day);
  const sumOf = (isCounted: (date: WrittenDate) => boolean) =>
    moved.reduce((sum, date) => (isCounted(date) ? sum + date.count : sum), 0);
  const counts = sumOf(() => true);
  const weekends = sumOf(({ day }) => isWeekend(day));
  const off = sumOf(({ day }) => !isTradingDay(day));
  if (counts < COUNT_MIN || weekends === 0 || off < counts * OFF_SHARE_MIN) return false;
  // Vendors fill holidays with the last price; no weekday is missing for them.
  return (
    sumOf((date) => isWeekend(move(date))) <= weekends * LEFT_SHARE_MAX &&
    sumOf((date) => !isTradingDay(move(date))) <= off * HOLIDAY_SHARE_MAX
  );
}

/** `189 of its 1,000 dates are Sundays and none is a Friday`. */
function weekendFact(dates: readonly WrittenDate[]): string {
  const counts = dates.reduce((sum, { count }) => sum + count, 0);
  const byWeekday = new Array<number>(7).fill(0);
  for (const { day, count } of dates) byWeekday[weekdayFromDay(day)] += count;
  const weekend = [0, 6].filter((weekday) => byWeekday[weekday] > 0);
  const found = weekend.map((weekday) => `${byWeekday[weekday]} are ${WEEKDAYS[weekday]}s`);
  const empty = [1, 2, 3, 4, 5].filter((weekday) => byWeekday[weekday] === 0);
  const none = empty.length === 1 ? ` and none is a ${WEEKDAYS[empty[0]]}` : '';
  const example = dates.find(({ day }) => isWeekend(day))!;
  return `of its ${counts} dates ${found.join(', ')} (${dateFromDay(example.day)})${none}`;
}
