/** Decides on symbols of a file of minutes whose bars do not share the clock of the others. */

import { dateFromDay } from '../../../base/time/dates.ts';
import { clockOfZone } from '../../timing/clock-of-zone.ts';
import { betterFact } from '../../timing/clock-words.ts';
import { clockOfFewBars } from '../../timing/few-bars-clock.ts';
import { hoursText, openPartDays, type PartDays, untoldPartDays } from '../../timing/part-days.ts';
import { isProven } from '../../timing/session-edges.ts';
import {
  type BetterClock,
  betterClock,
  HALVES_PER_DAY,
  NEW_YORK_CLOCK,
  type SessionProfile,
  UTC_CLOCK,
} from '../../timing/session-profile.ts';
import type { DayPart, WeekPart } from './day-parts.ts';
import type { OddSymbol } from './odd-symbols.ts';

/** Symbols of a file whose day is moved against that of the others, and parts of days and weeks. */
interface SurveyedSymbols {
  odd: readonly OddSymbol[];
  few: readonly OddSymbol[];
  parts: readonly DayPart[];
  weeks: readonly WeekPart[];
  profile: SessionProfile;
}

/** Zone of a file, and its words in the report. */
interface FileZone {
  zone: string;
  words: string;
}

export interface SymbolClocks {
  /** Reasons to refuse symbols; by an empty text for the file of one symbol. */
  faults: Map<string, string>;
  notes: string[];
}

/**
 * Returns the reason to refuse a symbol for each whose bars another clock than the file's explains,
 * or whose parts of days no clock; and a note on those of which nothing tells it.
 * @param isStated True if the zone is that of an option, or the file states it.
 */
export function clocksOfSymbols(
  { odd, few, parts, weeks, profile: ofFile }: SurveyedSymbols,
  { zone, words }: FileZone,
  isStated: boolean,
): SymbolClocks {
  const clock = clockOfZone(zone);
  const faults = new Map<string, string>();
  if (clock === undefined) return { faults, notes: [] };
  const judge = ({ symbol }: OddSymbol, better: BetterClock | undefined) => {
    if (better === undefined || faults.has(symbol)) return;
    const reason = `it is of another clock than ${words}: ${betterFact(better)}`;
    faults.set(symbol, `${reason}; ${OWN_FILES}, with --zone`);
  };
  for (const one of odd) judge(one, betterClock(one.profile, clock, [NEW_YORK_CLOCK, UTC_CLOCK]));
  const doubts: string[] = [];
  for (const one of few) {
    const better = clockOfFewBars(one.profile, clock);
    if (better?.isSure) judge(one, better);
    else if (better && !faults.has(one.symbol)) doubts.push(`${one.symbol}: ${betterFact(better)}`);
  }
  if (isStated) return { faults, notes: [] };
  const provenWeeks = new Set<string>();
  for (const { symbol, profile, isOdd } of parts) {
    const found = untoldPartDays(profile, clock);
    if (found !== undefined && !faults.has(symbol)) faults.set(symbol, partFault(found, words));
    const open = found === undefined ? openPartDays(profile, clock, isOdd) : undefined;
    if (open !== undefined)
      doubts.push(`${nameOf(symbol)}bars from ${open.hours} of ${daysText(open)}`);
    if (found !== undefined || !isProven(profile, clock)) continue;
    for (const { day } of profile.sessions) provenWeeks.add(`${symbol} ${mondayOf(day)}`);
  }
  const width = widthOf(ofFile);
  const unsure = weeks.filter(
    ({ symbol, week, ...part }) =>
      !faults.has(symbol) &&
      !provenWeeks.has(`${symbol} ${week}`) &&
      chanceOf(part, width) < RARE_CHANCE,
  );
  const told = [...doubts, ...unsure.map(weekFact)];
  return { faults, notes: told.length === 0 ? [] : [doubtNote(told, words)] };
}

function mondayOf(day: number): number {
  return Math.floor((day + 3) / 7) * 7 - 3;
}

const OWN_FILES = 'put symbols of another time zone into files of their own';
const OWN_DAYS = 'put days of another time zone into files of their own';

function nameOf(symbol: string): string {
  return symbol === '' ? '' : `${symbol}: `;
}

function daysText({ days, first }: PartDays): string {
  return days === 1 ? dateFromDay(first) : `each of ${days} days from ${dateFromDay(first)} on`;
}

function partFault(part: PartDays, words: string): string {
  const hours = `its bars are from ${part.hours} of ${daysText(part)}`;
  const reason = `nothing says that it is of ${words}: ${hours}`;
  return `${reason}; say the zone of all rows with --zone, and ${OWN_DAYS}`;
}

/** Chance of bars near one another below which the report names them. */
const RARE_CHANCE = 1e-4;
const NAMED_MAX = 3;

/** Chance that all bars of a week lie as near one another, of bars in any half hour of the file. */
function chanceOf(
  { first, last, cells }: Pick<WeekPart, 'first' | 'last' | 'cells'>,
  width: number,
): number {
  const own = last - first + 1;
  return own >= width ? 1 : (width - own + 1) * (own / width) ** cells;
}

/** Half hours of a day in which a file has bars of sessions on its own clock. */
function widthOf({ halves }: SessionProfile): number {
  return Math.min(new Set(halves.keys().map((half) => half % HALVES_PER_DAY)).size, SESSION_HALVES);
}

const SESSION_HALVES = 13;

function weekFact({ symbol, week, days, first, last }: WeekPart): string {
  return `${nameOf(symbol)}bars from ${hoursText(first, last)} on ${days} days of the week of ${dateFromDay(week)}`;
}

function doubtNote(facts: readonly string[], words: string): string {
  const named = facts.slice(0, NAMED_MAX).join('; ');
  const more = facts.length > NAMED_MAX ? ` and ${facts.length - NAMED_MAX} more` : '';
  return `read as ${words} like the other rows, which too few bars show (${named}${more}); rows of another zone belong into files of their own, with --zone`;
}
