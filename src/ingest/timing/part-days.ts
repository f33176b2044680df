/** Bars of the same part of each day, which no edge of sessions places on a clock. */

import { isProven } from './session-edges.ts';
import {
  BARS_MIN,
  type ClockOf,
  HALVES_PER_DAY,
  type SessionProfile,
  UTC_CLOCK,
} from './session-profile.ts';

/** Days of part-days that no clock but a wrong one explains; a single one may be a first day. */
const DAYS_MIN = 2;
/** Clocks of files beside New York's and UTC, in half hours from New York's. */
const LIKELY_OFFSETS = [-2, -4, -6, 10, 12];
/** Part of the minutes of a part-day that have a bar, as a divisor. */
const DENSE = 3;

/** The hours of a day that a symbol's bars fill, as `13:30 to 16:00` on their own clock. */
export interface PartDays {
  days: number;
  hours: string;
}

/**
 * Finds bars that fill a part of each day which neither begins at the open nor ends at the close
 * as sessions do. Bars of a single day must also begin as a session of another clock.
 */
export function untoldPartDays(profile: SessionProfile, clock: ClockOf): PartDays | undefined {
  const halves = [...profile.halves.values()];
  const days = new Set(halves.map(({ half }) => Math.floor(half / HALVES_PER_DAY))).size;
  const times = halves.map(({ half }) => half % HALVES_PER_DAY);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const bars = halves.reduce((sum, half) => sum + half.bars, 0);
  const isDense = bars * DENSE >= days * (last + 1 - first) * profile.barsPerHalf;
  if (bars < BARS_MIN || !isDense || isProven(profile, clock)) return undefined;
  if (days < DAYS_MIN && !beginsElsewhere(profile)) return undefined;
  return { days, hours: `${timeOf(first)} to ${timeOf(last + 1)}` };
}

function beginsElsewhere(profile: SessionProfile): boolean {
  const others = [UTC_CLOCK, ...LIKELY_OFFSETS.map((offset) => () => offset)];
  return others.some((other) => isProven(profile, other));
}

function timeOf(half: number): string {
  return `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`;
}
