/** Finds a few dates of a long series that are a day early or late, by what stands at both ends. */

import { isTradingDay, sessionSteps } from './week-days.ts';

/** A date of a series: without a session, or with two bars, it may be of the day beside it. */
export interface MarkedDay {
  day: number;
  mark?: 'closed' | 'doubled';
}

export interface ShiftedRun {
  /** The marked day, and the session that has no bar. */
  marked: number;
  missing: number;
  mark: 'closed' | 'doubled';
  /** First and last date of the run, the marked one included. */
  from: number;
  to: number;
}

/** Days from a mark to the missing session at most: a week with a holiday. */
const REACH_DAYS = 8;
/** Part of the sessions that a series lacks at most, so that a missing one shows something. */
const HOLE_SHARE_MAX = 0.01;

/**
 * Finds runs between a marked date and a missing session: moved by a day towards that session, all
 * their dates are sessions. A mark with a missing session on both sides shows nothing, unless one
 * side explains all marks.
 * @param days In rising order, each once.
 */
export function shiftedRuns(days: readonly MarkedDay[]): ShiftedRun[] {
  const marks = days.filter(({ mark }) => mark !== undefined);
  const [first, last] = [days[0]?.day, days[days.length - 1]?.day];
  if (marks.length === 0 || first === last) return [];
  const known = new Set(days.map(({ day }) => day));
  const sessions = days.filter(({ day }) => isTradingDay(day)).length;
  const holes = sessionSteps(first, last) + (isTradingDay(first) ? 1 : 0) - sessions;
  if (holes > marks.length + sessions * HOLE_SHARE_MAX) return [];
  const runs = { early: runsOf(marks, known, 1), late: runsOf(marks, known, -1) };
  const [early, late] = [runs.early, runs.late].map((own) => new Set(own.map(markedOf)));
  const isWhole = (side: ReadonlySet<number>) => side.size === marks.length;
  if (isWhole(early) !== isWhole(late)) return isWhole(early) ? runs.early : runs.late;
  return [
    ...runs.early.filter(({ marked }) => !late.has(marked)),
    ...runs.late.filter(({ marked }) => !early.has(marked)),
  ];
}

const markedOf = ({ marked }: ShiftedRun) => marked;

/** @param step 1 for dates a day early, whose missing session is later. */
function runsOf(
  marks: readonly MarkedDay[],
  known: ReadonlySet<number>,
  step: 1 | -1,
): ShiftedRun[] {
  return marks.flatMap(({ day, mark }) => {
    const missing = missingBeside(day, known, step);
    if (missing === undefined || mark === undefined) return [];
    const [from, to] = [day, missing - step].toSorted((a, b) => a - b);
    return [{ marked: day, missing, mark, from, to }];
  });
}

function missingBeside(day: number, known: ReadonlySet<number>, step: 1 | -1): number | undefined {
  for (let at = day + step; Math.abs(at - day) <= REACH_DAYS; at += step) {
    if (isTradingDay(at) && !known.has(at)) return at;
  }
  return undefined;
}
