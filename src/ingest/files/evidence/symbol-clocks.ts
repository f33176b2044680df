/** Decides on symbols of a file of minutes whose bars do not share the clock of the others. */

import { clockOfZone } from '../../timing/clock-of-zone.ts';
import { betterFact } from '../../timing/clock-words.ts';
import { untoldPartDays } from '../../timing/part-days.ts';
import { betterClock, NEW_YORK_CLOCK, UTC_CLOCK } from '../../timing/session-profile.ts';
import type { OddSymbol } from './odd-symbols.ts';

/** Symbols of a file whose day is moved against that of the others, and those with parts of days. */
interface SurveyedSymbols {
  odd: readonly OddSymbol[];
  parts: readonly OddSymbol[];
}

/** Zone of a file, and its words in the report. */
interface FileZone {
  zone: string;
  words: string;
}

/**
 * Returns the reason to refuse a symbol for each whose bars another clock than the file's explains,
 * or whose parts of days no clock.
 * @param isStated True if the zone is that of an option, or the file states it.
 */
export function faultsOfSymbols(
  { odd, parts }: SurveyedSymbols,
  { zone, words }: FileZone,
  isStated: boolean,
): Map<string, string> {
  const clock = clockOfZone(zone);
  const faults = new Map<string, string>();
  if (clock === undefined) return faults;
  for (const { symbol, profile } of isStated ? [] : parts) {
    const found = untoldPartDays(profile, clock);
    if (found === undefined) continue;
    const days = found.days === 1 ? 'of its day' : `of each of its ${found.days} days`;
    const reason = `nothing says that it is of ${words}: its bars are from ${found.hours} ${days}`;
    const remedy = `say the zone of all rows with --zone, and ${OWN_FILES}`;
    faults.set(symbol, `${reason}; ${remedy}`);
  }
  for (const { symbol, profile } of odd) {
    const better = betterClock(profile, clock, [NEW_YORK_CLOCK, UTC_CLOCK]);
    if (better === undefined) continue;
    const reason = `it is of another clock than ${words}: ${betterFact(better)}`;
    faults.set(symbol, `${reason}; ${OWN_FILES}, with --zone`);
  }
  return faults;
}

const OWN_FILES = 'put symbols of another time zone into files of their own';
