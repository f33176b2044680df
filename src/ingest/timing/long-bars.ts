/**
 * Finds bars of several sessions, weeks, months, quarters and years by the steps between the dates
 * of a symbol.
 */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { dateFromDay, weekdayFromDay } from '../../base/time/dates.ts';
import { isTradingDay, sessionSteps, tradingEnds, WEEKDAYS } from './week-days.ts';

/** Bars longer than a day: their name, and the fact that shows them as a clause. */
export interface LongBars {
  words: string;
  fact: string;
  /** First and last date of a run in a series that has other bars, too; none for all dates. */
  stretch?: readonly [from: number, to: number];
}

/** A week or a month, by number, and the marks of a date in it. */
interface Place {
  unit: number;
  /** A file of long bars gives all of its dates one mark, as `Monday` or `first session`. */
  marks: readonly string[];
}

/** Dates of one of several symbols are at least as many as this, and steps of weeks and months. */
const DATES_MIN = 3;
/** Dates of a whole file. */
const WHOLE_MIN = 2;
/** Dates of one of several symbols that are so many sessions apart. */
const EVEN_MIN = 8;
/** Days that a week and a month have at most, and their sessions. */
const UNIT_DAYS = { week: 7, month: 31 };
const UNIT_SESSIONS = { week: 5, month: 21 };

const NAMES = {
  week: new Map([
    [1, 'weekly bars'],
    [2, 'bars of two weeks'],
  ]),
  month: new Map([
    [1, 'monthly bars'],
    [3, 'quarterly bars'],
    [6, 'bars of half years'],
    [12, 'yearly bars'],
  ]),
} as const;

type Unit = keyof typeof NAMES;

/**
 * @param days Dates of one symbol, each once, in rising order.
 * @param isWhole True if they are all dates of a file, of which others could show days.
 * @returns the long bars that the dates show, or undefined where days fit them too: a security that
 *   trades on some days has no mark that all of its weeks share.
 */
export function longBarsOfDays(days: ArrayLike<number>, isWhole = true): LongBars | undefined {
  if (days.length < (isWhole ? WHOLE_MIN : DATES_MIN)) return undefined;
  const dates = Array.isArray(days) ? (days as readonly number[]) : Array.from(days);
  return (
    wholeSeries(dates, 'week', isWhole) ??
    wholeSeries(dates, 'month', isWhole) ??
    evenSteps(dates, isWhole ? DATES_MIN : EVEN_MIN) ??
    longer(longRun(dates, isWhole), unmarkedRun(dates, isWhole))
  );
}

/** Finds dates that all are the same number of sessions apart, but for the newest one. */
function evenSteps(days: readonly number[], datesMin: number): LongBars | undefined {
  const [first, second] = days;
  if (days.length < datesMin || second - first === 1) return undefined;
  const step = sessionSteps(first, second);
  if (step < 2) return undefined;
  const isOdd = (day: number, at: number) => at > 0 && sessionSteps(days[at - 1], day) !== step;
  const odd = days.findIndex(isOdd);
  if (odd !== -1 && (odd < days.length - 1 || odd < datesMin)) return undefined;
  // Most series have ended at an odd step: all of their days are looked up last.
  if (!days.every(isTradingDay)) return undefined;
  return { words: `bars of ${step} sessions`, fact: `its dates are all ${step} sessions apart` };
}

/** The newest bar may be of the running week or month, the oldest of the listing's. */
const TRIMS = [
  { from: 0, to: 0, datesMin: DATES_MIN },
  { from: 0, to: 1, datesMin: DATES_MIN },
  { from: 1, to: 0, datesMin: DATES_MIN + 1 },
  { from: 1, to: 1, datesMin: DATES_MIN + 1 },
];

function wholeSeries(days: readonly number[], unit: Unit, isWhole: boolean): LongBars | undefined {
  // Daily bars have two dates in the same week and month, so that most series end here.
  if (unitsRepeat(days, unit)) return undefined;
  const places = days.map(placeIn[unit]);
  for (const { from, to, datesMin } of TRIMS) {
    const kept = places.slice(from, places.length - to);
    if (kept.length < (isWhole && kept.length === days.length ? WHOLE_MIN : datesMin)) continue;
    const marks = kept.reduce((common, { marks: own }) => shared(common, own), kept[0].marks);
    const steps = stepsOf(kept);
    const step = mostFrequent(steps);
    const words = NAMES[unit].get(step);
    const isRegular =
      steps.every((count) => count >= step) &&
      steps.filter((count) => count === step).length * 2 >= steps.length;
    if (marks.length === 0 || words === undefined || !isRegular) continue;
    if (step > 1 && unit === 'week' && kept.length <= DATES_MIN && !isWhole) continue;
    return { words, fact: `its dates are ${markText(marks[0], unit, step)}` };
  }
  return undefined;
}

/** Returns true for two dates in one week or month, other than the first two or the last two. */
function unitsRepeat(days: readonly number[], unit: Unit): boolean {
  for (let at = 2; at < days.length - 1; at++) {
    if (
      days[at] - days[at - 1] < UNIT_DAYS[unit] &&
      unitOf[unit](days[at]) === unitOf[unit](days[at - 1])
    ) {
      return true;
    }
  }
  return false;
}

/** Finds dates in a row of which no two are in one week or month, where chance does not explain it. */
function unmarkedRun(days: readonly number[], isWhole: boolean): LongBars | undefined {
  const longest = { week: longestApart(days, 'week'), month: { start: 0, last: 0 } };
  const isUnlikely = (unit: Unit) =>
    chanceApart(days, longest[unit], unit) <= CHANCE_MAX[isWhole ? 'whole' : 'several'];
  if (!isUnlikely('week')) return undefined;
  longest.month = longestApart(days, 'month');
  const unit = isUnlikely('month') ? 'month' : 'week';
  const { start, last } = longest[unit];
  const stretch = [days[start], days[last]] as const;
  const fact = `no two of ${last - start + 1} dates in a row are in one ${unit}`;
  const words = NAMES[unit].get(1)!;
  const isAll = last - start + 1 === days.length;
  if (isAll) return { words, fact };
  return { words, fact: `from ${stretch.map(dateFromDay).join(' to ')} ${fact}`, stretch };
}

function longer(a: LongBars | undefined, b: LongBars | undefined): LongBars | undefined {
  const lengthOf = ({ stretch = [0, Infinity] }: LongBars) => stretch[1] - stretch[0];
  return a && b && lengthOf(b) > lengthOf(a) ? b : (a ?? b);
}

type Stretch = Pick<Run, 'start' | 'last'>;

/** Returns the longest run of dates of which each has its week or month for itself. */
function longestApart(days: readonly number[], unit: Unit): Stretch {
  const units = days.map(unitOf[unit]);
  let longest = { start: 0, last: 0 };
  let start = 0;
  for (let at = 0; at < units.length; at++) {
    if (units[at] === units[at - 1] || units[at] === units[at + 1]) start = at + 1;
    else if (at - start > longest.last - longest.start) longest = { start, last: at };
  }
  return longest;
}

/** Returns how many such runs dates on any sessions would make, of which no two are in one week or month. */
function chanceApart(days: readonly number[], { start, last }: Stretch, unit: Unit): number {
  const units = unitOf[unit](days[last]) - unitOf[unit](days[start]) + 1;
  let chance = days.length - (last - start);
  for (let taken = 0; taken <= last - start; taken++) {
    chance *= ((units - taken) * UNIT_SESSIONS[unit]) / (units * UNIT_SESSIONS[unit] - taken);
  }
  return chance;
}

/** Gaps on each side of a run that show how often the series has holes. */
const GAPS_BESIDE = 30;
const RUN_GAPS_MIN = 3;
/** Runs that holes explain as seldom as this are long bars, in a file of one symbol and of several. */
const CHANCE_MAX = { whole: 1e-3, several: 1e-5 };

/** Consecutive dates that are evenly apart, from one place to another, and what they have in common. */
interface Run {
  start: number;
  last: number;
  words: string;
  marked: string;
}

/**
 * Finds dates in a row that are evenly apart in a series which has other bars, too: so many sessions,
 * or one mark in each week or month. Holes beside the run tell how likely such a run is by chance.
 */
function longRun(days: readonly number[], isWhole: boolean): LongBars | undefined {
  const isLong = new Array<boolean>(days.length - 1);
  for (let at = 1; at < days.length; at++) isLong[at - 1] = leavesOut(days[at - 1], days[at]);
  for (let start = 0; start + RUN_GAPS_MIN < days.length; start++) {
    if (!isLong[start] || !isLong[start + 1] || !isLong[start + RUN_GAPS_MIN - 1]) continue;
    const runs = [markedRun(days, start, 'week'), markedRun(days, start, 'month')];
    const found = [...runs, steppedRun(days, start)].find(
      (run) => run && chanceOf(run, isLong) <= CHANCE_MAX[isWhole ? 'whole' : 'several'],
    );
    if (found === undefined) continue;
    const stretch = [days[found.start], days[found.last]] as const;
    const [from, to] = stretch.map(dateFromDay);
    const fact = `from ${from} to ${to} its dates are ${found.marked}`;
    return { words: found.words, fact, stretch };
  }
  return undefined;
}

/** Returns true for dates with a session between them. Most are neighbours, without a look at the calendar. */
function leavesOut(from: number, to: number): boolean {
  const isOverWeekend = to - from === 3 && weekdayFromDay(to) === 1;
  return to - from > 1 && !isOverWeekend && sessionSteps(from, to) > 1;
}

function steppedRun(days: readonly number[], start: number): Run {
  const step = sessionSteps(days[start], days[start + 1]);
  let last = start + 1;
  while (last + 1 < days.length && sessionSteps(days[last], days[last + 1]) === step) last++;
  return { start, last, words: `bars of ${step} sessions`, marked: `all ${step} sessions apart` };
}

/** Returns the run from a date on; undefined for one too short to show anything. */
function markedRun(days: readonly number[], start: number, unit: Unit): Run | undefined {
  // Units are cheap, and marks need the calendar.
  for (let at = start; at < start + RUN_GAPS_MIN; at++) {
    if (unitOf[unit](days[at + 1]) !== unitOf[unit](days[at]) + 1) return undefined;
  }
  let place = placeIn[unit](days[start]);
  let last = start;
  let { marks } = place;
  while (last + 1 < days.length) {
    const next = placeIn[unit](days[last + 1]);
    const common = shared(marks, next.marks);
    if (next.unit !== place.unit + 1 || common.length === 0) break;
    [place, marks] = [next, common];
    last++;
  }
  return { start, last, words: NAMES[unit].get(1)!, marked: markText(marks[0], unit, 1) };
}

/** Returns how many such runs holes like those beside it would make. */
function chanceOf({ start, last }: Run, isLong: readonly boolean[]): number {
  if (last - start < RUN_GAPS_MIN) return 1;
  const before = isLong.slice(Math.max(0, start - GAPS_BESIDE), start);
  const beside = [...before, ...isLong.slice(last, last + GAPS_BESIDE)];
  const holes = beside.filter(Boolean).length;
  // The newest bar may be of the running week.
  const isAtEnd = start === 0 || last >= isLong.length - 1;
  return (isAtEnd ? 2 : isLong.length) * ((holes + 1) / (beside.length + 2)) ** (last - start);
}

function stepsOf(places: readonly Place[]): number[] {
  return places.slice(1).map(({ unit }, index) => unit - places[index].unit);
}

/** Returns the most frequent value; of several the least, as others are multiples with holes. */
function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, times], [b, others]) => others - times || a - b)[0][0];
}

function shared(a: readonly string[], b: readonly string[]): readonly string[] {
  return a.filter((mark) => b.includes(mark));
}

function markText(mark: string, unit: Unit, step: number): string {
  const units = step === 1 ? `each ${unit}` : `every ${step} ${unit}s`;
  if (unit === 'week' && (WEEKDAYS as readonly string[]).includes(mark)) {
    return `all ${mark}s, ${step === 1 ? 'a week' : `${step} weeks`} apart`;
  }
  return `the ${mark} of ${step === 1 ? units : `a month, ${step} months apart`}`;
}

const unitOf: Record<Unit, (day: number) => number> = {
  // Weeks begin on Mondays; day 0 is a Thursday.
  week: (day) => Math.floor((day + 3) / 7),
  month(day) {
    const date = new Date(day * MILLIS_PER_DAY);
    return date.getUTCFullYear() * 12 + date.getUTCMonth();
  },
};

const placeIn: Record<Unit, (day: number) => Place> = {
  week(day) {
    const unit = unitOf.week(day);
    const monday = unit * 7 - 3;
    const { first, last } = tradingEnds(monday, monday + 6);
    return {
      unit,
      marks: [
        WEEKDAYS[weekdayFromDay(day)],
        ...(day === first ? ['first session'] : []),
        ...(day === last ? ['last session'] : []),
      ],
    };
  },
  month(day) {
    const date = new Date(day * MILLIS_PER_DAY);
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
    const firstDay = Date.UTC(year, month, 1) / MILLIS_PER_DAY;
    const lastDay = Date.UTC(year, month + 1, 0) / MILLIS_PER_DAY;
    const { first, last } = tradingEnds(firstDay, lastDay);
    return {
      unit: unitOf.month(day),
      marks: [
        ...(day === firstDay ? ['first day'] : []),
        ...(day === lastDay ? ['last day'] : []),
        ...(day === first ? ['first session'] : []),
        ...(day === last ? ['last session'] : []),
        `day ${date.getUTCDate()}`,
      ],
    };
  },
};
