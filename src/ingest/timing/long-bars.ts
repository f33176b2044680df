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
/** Dates in a row that are long bars of a series which also has daily bars. */
const RUN_AT_END = 5;
const RUN_ANYWHERE = 8;
/** Dates from which one in each week or month is a pattern without a common mark. */
const UNMARKED_MIN = { week: 52, month: 24 };
const UNMARKED_SHARE = 0.9;

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
  const dates = Array.from(days);
  for (const unit of ['week', 'month'] as const) {
    const found =
      wholeSeries(dates, unit, isWhole) ?? unmarkedSeries(dates, unit) ?? run(dates, unit);
    if (found !== undefined) return found;
  }
  return evenSteps(dates, isWhole ? DATES_MIN : RUN_ANYWHERE);
}

/** Finds dates that all are the same number of sessions apart, but for the newest one. */
function evenSteps(days: readonly number[], datesMin: number): LongBars | undefined {
  const [first, second] = days;
  if (days.length < datesMin || second - first === 1 || !days.every(isTradingDay)) return undefined;
  const step = sessionSteps(first, second);
  if (step < 2) return undefined;
  const isOdd = (day: number, at: number) => at > 0 && sessionSteps(days[at - 1], day) !== step;
  const odd = days.findIndex(isOdd);
  if (odd !== -1 && (odd < days.length - 1 || odd < datesMin)) return undefined;
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
    if (days[at] - days[at - 1] < 7 && unitOf[unit](days[at]) === unitOf[unit](days[at - 1])) {
      return true;
    }
  }
  return false;
}

/** Finds one date in almost every week or month, for longer than chance explains. */
function unmarkedSeries(days: readonly number[], unit: Unit): LongBars | undefined {
  if (days.length < UNMARKED_MIN[unit] || unitsRepeat(days, unit)) return undefined;
  const span = unitOf[unit](days[days.length - 1]) - unitOf[unit](days[0]) + 1;
  if (days.length < span * UNMARKED_SHARE) return undefined;
  const words = NAMES[unit].get(1)!;
  return { words, fact: `it has one date in almost every ${unit}, and never two` };
}

/** Steps in days between dates of consecutive weeks or months that share a mark. */
const STEP_DAYS: Record<Unit, readonly [number, number]> = { week: [4, 10], month: [26, 34] };

/** Finds consecutive weeks or months of one mark in a series that has other bars, too. */
function run(days: readonly number[], unit: Unit): LongBars | undefined {
  const [least, most] = STEP_DAYS[unit];
  let start = 0;
  for (let at = 1; at <= days.length; at++) {
    const step = days[at] - days[at - 1];
    if (step >= least && step <= most) continue;
    const found = at - start >= RUN_AT_END ? markedRun(days, { start, end: at, unit }) : undefined;
    if (found !== undefined) return found;
    start = at;
  }
  return undefined;
}

/** Finds the first run of one mark that is long enough, from one place of the dates to another. */
function markedRun(
  days: readonly number[],
  { start, end, unit }: { start: number; end: number; unit: Unit },
): LongBars | undefined {
  const places = days.slice(start, end).map(placeIn[unit]);
  for (let first = 0; first < places.length; first++) {
    let { marks } = places[first];
    let last = first;
    while (last + 1 < places.length && places[last + 1].unit === places[last].unit + 1) {
      const common = shared(marks, places[last + 1].marks);
      if (common.length === 0) break;
      marks = common;
      last++;
    }
    // The newest bar of all may be of the running week.
    const isAtEnd = start + first === 0 || start + last >= days.length - 2;
    if (last - first + 1 < (isAtEnd ? RUN_AT_END : RUN_ANYWHERE)) continue;
    const [from, to] = [dateFromDay(days[start + first]), dateFromDay(days[start + last])];
    const fact = `from ${from} to ${to} its dates are ${markText(marks[0], unit, 1)}`;
    return { words: NAMES[unit].get(1)!, fact };
  }
  return undefined;
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
