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
/** Dates of a series by mark at least: more marks are of another market, or of dates by chance. */
const DAYS_PER_MARK = 10;
/** Part of the sessions that a series lacks at most, so that a missing one shows something. */
const HOLE_SHARE_MAX = 0.01;

/**
 * Finds runs between a marked date and a missing session: moved by a day towards that session, all
 * their dates are sessions. A mark with a missing session on both sides shows nothing, unless one
 * side explains all marks. Runs have no date in common.
 * @param days In rising order, each once.
 */
export function shiftedRuns(days: readonly MarkedDay[]): ShiftedRun[] {
  const marks = days.filter(({ mark }) => mark !== undefined);
  const [first, last] = [days[0]?.day, days[days.length - 1]?.day];
  if (marks.length === 0 || days.length < marks.length * DAYS_PER_MARK) return [];
  const known = new Set(days.map(({ day }) => day));
  const sessions = days.filter(({ day }) => isTradingDay(day)).length;
  const holes = sessionSteps(first, last) + (isTradingDay(first) ? 1 : 0) - sessions;
  if (holes > marks.length + sessions * HOLE_SHARE_MAX) return [];
  const runs = { early: runsOf(marks, known, 1), late: runsOf(marks, known, -1) };
  const [early, late] = [runs.early, runs.late].map((own) => new Set(own.map(markedOf)));
  const isWhole = (side: ReadonlySet<number>) => side.size === marks.length;
  if (isWhole(early) !== isWhole(late)) return merged(isWhole(early) ? runs.early : runs.late);
  return merged([
    ...runs.early.filter(({ marked }) => !late.has(marked)),
    ...runs.late.filter(({ marked }) => !early.has(marked)),
  ]);
}

/** Makes one run of those that have dates in common, with the mark of the first. */
function merged(runs: readonly ShiftedRun[]): ShiftedRun[] {
  const whole: ShiftedRun[] = [];
  for (const run of runs.toSorted((a, b) => a.from - b.from || a.marked - b.marked)) {
    const last = whole.at(-1);
    if (last === undefined || run.from > last.to) whole.push({ ...run });
    else last.to = Math.max(last.to, run.to);
  }
  return whole;
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
    // Rows that are a day off leave one such day; newer rows leave several in a row.
    const isRevised = marks.some(
      (other) => other.mark === 'doubled' && isBesideOrIn(other.day, { day, from, to }),
    );
    if (isRevised) return [];
    return [{ marked: day, missing, mark, from, to }];
  });
}

/** True for another day of a run, or the session next to its marked day. */
function isBesideOrIn(other: number, { day, from, to }: { day: number; from: number; to: number }) {
  if (other === day) return false;
  const [first, second] = [day, other].toSorted((a, b) => a - b);
  return (other >= from && other <= to) || sessionSteps(first, second) === 1;
}

function missingBeside(day: number, known: ReadonlySet<number>, step: 1 | -1): number | undefined {
  for (let at = day + step; Math.abs(at - day) <= REACH_DAYS; at += step) {
    if (isTradingDay(at) && !known.has(at)) return at;
  }
  return undefined;
}
