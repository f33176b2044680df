/** Bars of a part of days, which no edge of sessions places on a clock. */

import { isProven, openingPeak } from './session-edges.ts';
import {
  BARS_MIN,
  barsBetween,
  type ClockOf,
  HALVES_PER_DAY,
  NEW_YORK_CLOCK,
  type SessionProfile,
  UTC_CLOCK,
} from './session-profile.ts';

/** Days of parts that no clock but a wrong one explains; a single one may be a first day. */
const DAYS_MIN = 2;
/** Clocks of files beside New York's and UTC, in half hours from New York's. */
const LIKELY_OFFSETS = [-2, -4, -6, 10, 12];
/** Volume of the first minute as a multiple of the others': of an open, and of another minute. */
const PEAK = 8;
const NO_PEAK = 1.3;

/** Days on which a symbol has bars in a part of the day alone. */
export interface PartDays {
  days: number;
  /** The first of them, since the epoch. */
  first: number;
  /** `13:30 to 16:00` on their own clock. */
  hours: string;
}

/**
 * Finds dense bars of some hours that neither begin at the open nor end at the close as sessions
 * do. Those of a single day, or few, must also begin with the opening of another clock.
 */
export function untoldPartDays(profile: SessionProfile, clock: ClockOf): PartDays | undefined {
  const parts = isProven(profile, clock) ? quietWeeks(profile, clock) : [profile];
  return parts.filter((part) => isUntold(part, clock)).map(partOf)[0];
}

/**
 * Finds bars of a part of a day that may be of another clock, which nothing tells: few of them only
 * where they do not begin at an open, and their symbol has whole sessions on other days, or none.
 * @param isOdd True for bars of such a symbol.
 */
export function openPartDays(
  profile: SessionProfile,
  clock: ClockOf,
  isOdd: boolean,
): PartDays | undefined {
  const mayBeOther = hasMany(profile)
    ? isOdd || isInSessions(profile, clock)
    : isOdd && Number.isNaN(openingPeak(profile, clock));
  return mayBeOther && !isProven(profile, clock) ? partOf(profile) : undefined;
}

function hasMany({ halves }: SessionProfile): boolean {
  return halves.values().reduce((sum, half) => sum + half.bars, 0) >= BARS_MIN;
}

/** Weeks of mornings whose first minutes have no more volume than others. */
function quietWeeks(profile: SessionProfile, clock: ClockOf): SessionProfile[] {
  const { halves, sessions } = profile;
  const weekOf = (day: number) => Math.floor((day + 3) / 7);
  const weeks = Map.groupBy(halves, ([half]) => weekOf(Math.floor(half / HALVES_PER_DAY)));
  return [...weeks]
    .map(([week, own]) => ({
      ...profile,
      halves: new Map(own),
      sessions: sessions.filter(({ day }) => weekOf(day) === week),
    }))
    .filter((week) => openingPeak(week, clock) < NO_PEAK);
}

function isUntold(profile: SessionProfile, clock: ClockOf): boolean {
  if (isProven(profile, clock)) return false;
  const areMany = hasMany(profile) && daysOf(profile).size >= DAYS_MIN;
  if (areMany && isInSessions(profile, clock)) return true;
  const others = [NEW_YORK_CLOCK, UTC_CLOCK, ...LIKELY_OFFSETS.map((offset) => () => offset)];
  const peak = areMany ? 0 : PEAK;
  return others.some((other) => isProven(profile, other) && openingPeak(profile, other) > peak);
}

/** Returns false for nights and weekends, which a feed of all hours has, too. */
function isInSessions(profile: SessionProfile, clock: ClockOf): boolean {
  return profile.sessions.some((session) => {
    const offset = clock(session);
    return barsBetween(profile, session.open + offset, session.close + offset) > 0;
  });
}

/** Describes the part of days that a profile has. */
function partOf(profile: SessionProfile): PartDays {
  const times = [...profile.halves.keys()].map((half) => half % HALVES_PER_DAY);
  const days = daysOf(profile);
  const hours = hoursText(Math.min(...times), Math.max(...times));
  return { days: days.size, first: Math.min(...days), hours };
}

function daysOf({ halves }: SessionProfile): Set<number> {
  return new Set(halves.keys().map((half) => Math.floor(half / HALVES_PER_DAY)));
}

/** `13:30 to 16:00`, by the first and last half hour of a day. */
export function hoursText(first: number, last: number): string {
  return `${timeOf(first)} to ${timeOf(last + 1)}`;
}

function timeOf(half: number): string {
  return `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`;
}
