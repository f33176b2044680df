/** Settles whether the dates of bars are days, and which session each of them means. */

import type { BaseInterval } from '../../base/time/intervals.ts';
import { dayCounts, needLook } from '../../store/duckdb/connection/day-counts.ts';
import type { DateShift } from '../contract/choices.ts';
import { type Answer, type Reading, settle } from '../contract/reading.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { dateShiftOf, mayBeOtherDays, mayShift, type WrittenDate } from './day-shift.ts';
import { longBarsOfDays } from './long-bars.ts';
import { sessionSteps } from './week-days.ts';

export const READ_INTERVALS = 'bars of 1d, 1m and 5m are read: 5m to 4h are made from 1m';

/** Bar length that a file's name, a column or a vendor's layout states. */
export interface StatedLength {
  /** Undefined for a length that is not stored. */
  interval: BaseInterval | undefined;
  /** `weekly bars`, `daily bars`. */
  words: string;
  /** Clause that names the place: `its name says "weekly"`. */
  fact: string;
}

/** Reason why dates are none of daily bars, for all of them or for those of a stretch. */
export interface DayFault {
  reason: string;
  stretch?: readonly [from: number, to: number];
}

type DayOptions = Pick<SourceOptions, 'interval' | 'dates'>;

/**
 * Finds why the plain dates of one symbol are not its sessions.
 * @param days In rising order, each once.
 * @param isWhole False for one of several symbols: a few even steps of one show nothing.
 * @returns the reasons of refusals, worded to follow the file's name. The last of them may be of all
 *   dates, and each other one is of a stretch.
 */
export function faultsOfDays(
  days: ArrayLike<number>,
  options: DayOptions,
  isWhole = true,
): DayFault[] {
  const faults: DayFault[] = [];
  for (let left = Array.from(days); ; ) {
    const longBars = options.interval === '1d' ? undefined : longBarsOfDays(left, isWhole);
    if (longBars === undefined) break;
    const { words, fact, stretch } = longBars;
    const reason = longBarsReason(words, fact);
    if (stretch === undefined) return faults.length === 0 ? [{ reason }] : faults;
    faults.push({ reason, stretch });
    const others = left.filter((day) => day < stretch[0] || day > stretch[1]);
    // A series with mostly long bars has no daily bars.
    if (others.length * 2 < days.length) return [{ reason }];
    left = others;
  }
  const shifted = shiftFault(days, options);
  return shifted === undefined ? faults : [{ reason: shifted }];
}

function shiftFault(days: ArrayLike<number>, options: DayOptions): string | undefined {
  if (!mayShift(days)) return undefined;
  const dates = Array.from(days, (day) => ({ day, minute: 0, count: 1 }));
  const settled = settleDates(dates, options);
  return 'reason' in settled ? settled.reason : undefined;
}

/** The same for dates in any order. A stretch is left to the rows. */
export function faultOfSample(days: readonly number[], options: DayOptions): string | undefined {
  const rising = [...new Set(days)].sort((a, b) => a - b);
  if (!needLook(dayCounts(rising))) return shiftFault(rising, options);
  return faultsOfDays(rising, options).find(({ stretch }) => stretch === undefined)?.reason;
}

/** Answers about plain dates that no fact settles: few that could be of the days beside them, or apart. */
export function daysReading(days: readonly number[], { dates, interval }: DayOptions): Reading {
  const words = `${WORDS.written}, by default: the days beside them are sessions, too`;
  const isOpen = dates === undefined && mayBeOtherDays(days);
  const areApart = interval === undefined && !haveNeighbours(days);
  const fact = 'by default: no two of its dates are sessions in a row';
  return {
    ...(areApart && { interval: { value: '1d', words: 'daily bars', facts: [fact] } }),
    ...(isOpen && { dates: { value: 'written', words, facts: [] } }),
  };
}

/** Returns true for a single date, and for dates of which two are sessions in a row. */
function haveNeighbours(days: readonly number[]): boolean {
  const rising = [...new Set(days)].sort((a, b) => a - b);
  return (
    rising.length < 2 || rising.some((day, at) => at > 0 && sessionSteps(rising[at - 1], day) === 1)
  );
}

/**
 * Finds why a length that a name states is not read. A name may be a title, or tell the range of the
 * file: where a symbol can have two dates, they decide.
 * @param isThorough True if `days` are of all rows.
 */
export function faultOfStated(
  days: readonly number[],
  {
    interval,
    stated,
    hasTimes,
    isThorough,
  }: Pick<SourceOptions, 'interval'> & {
    stated?: StatedLength;
    hasTimes: boolean;
    isThorough: boolean;
  },
): string | undefined {
  if (stated === undefined || stated.interval !== undefined || interval !== undefined) return;
  if (hasTimes || !isThorough || new Set(days).size > 1) return;
  return longBarsReason(stated.words, stated.fact);
}

const DAYS_REMEDY = 'if they are bars of days, say so with --interval 1d';

/** `it holds weekly bars (its dates are all Mondays, a week apart), and bars of 1d, …`. */
export function longBarsReason(words: string, fact: string): string {
  return `it holds ${words} (${fact}), and ${READ_INTERVALS}; ${DAYS_REMEDY}`;
}

/**
 * Settles the session of each date. A time of day that is midnight further east proves the next
 * day, where the weekdays agree. Nothing proves it for plain dates: they may be another market's.
 */
export function settleDates(
  dates: readonly WrittenDate[],
  { dates: asked }: Pick<SourceOptions, 'dates'>,
): Answer<DateShift> | { reason: string } {
  if (asked !== undefined) {
    return { value: asked, words: WORDS[asked], facts: [`--dates says ${asked}`] };
  }
  const isTimed = dates.some(({ minute }) => minute !== 0);
  const found = dateShiftOf(dates, isTimed);
  return settle<DateShift>({
    aspect: 'dates',
    candidates: [
      {
        value: 'written',
        words: WORDS.written,
        contradictions: found === undefined ? [] : [found.fact],
      },
      ...(found?.shift === undefined
        ? []
        : [
            {
              value: found.shift,
              words: WORDS[found.shift],
              facts: ['those are then days of trading'],
              contradictions: [
                ...(isTimed ? [] : ['no time of day says so']),
                ...(found.doubt === undefined ? [] : [found.doubt]),
              ],
            },
          ]),
    ],
    remedy:
      found !== undefined && found.shift === undefined
        ? 'correct them, or say with --dates written that they are right'
        : 'say which with --dates written|next|previous',
  });
}

const WORDS: Record<DateShift, string> = {
  written: 'sessions of the dates as written',
  next: 'sessions of the day after each date',
  previous: 'sessions of the day before each date',
};
