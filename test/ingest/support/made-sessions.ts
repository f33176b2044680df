/** Synthetic minutes of sessions with the profile of real ones. Labelled so: nothing traded them. */

import {
  newYorkMomentMs,
  sessionCloseMs,
  sessionOpenMs,
  sessionsBetween,
} from '../../../src/base/time/calendar.ts';
import { dayFromDate } from '../../../src/base/time/dates.ts';

export interface MadeBar {
  /** Start of the bar in UTC. */
  startMs: number;
  volume: number;
}

export interface MadeOptions {
  from: string;
  to: string;
  /** Minutes after midnight in New York, from which and to which extended hours have bars. */
  extended?: readonly [number, number];
  /** Part of the minutes of extended and of regular hours that have a bar. */
  extendedShare?: number;
  regularShare?: number;
  stepMinutes?: 1 | 5;
  /** True for an open like any other minute. */
  isQuiet?: boolean;
  seed?: number;
}

/** A number from 0 to 1 that follows from its inputs alone. */
function noise(...parts: number[]): number {
  let state = 2166136261;
  for (const part of parts) {
    state = Math.imul(state ^ part, 16777619) >>> 0;
    state = Math.imul(state ^ (state >>> 13), 2246822519) >>> 0;
  }
  return ((state ^ (state >>> 16)) >>> 0) / 4294967296;
}

/**
 * Volume of a minute: a smile with peaks in the first and last minute of a session, and a tenth of
 * its floor in extended hours.
 */
export function madeSessions({
  from,
  to,
  extended,
  extendedShare = 1,
  regularShare = 1,
  stepMinutes = 1,
  isQuiet = false,
  seed = 1,
}: MadeOptions): MadeBar[] {
  const step = stepMinutes * 60_000;
  const bars: MadeBar[] = [];
  for (const day of sessionsBetween(dayFromDate(from), dayFromDate(to))) {
    const [openMs, closeMs] = [sessionOpenMs(day), sessionCloseMs(day)];
    const [firstMs, endMs] = extended
      ? extended.map((minutes) => newYorkMomentMs(day, minutes))
      : [openMs, closeMs];
    for (let startMs = firstMs; startMs < endMs; startMs += step) {
      const isRegular = startMs >= openMs && startMs < closeMs;
      const minute = startMs / 60_000;
      if (noise(seed, minute, 1) >= (isRegular ? regularShare : extendedShare)) continue;
      const jitter = 0.5 + noise(seed, minute, 2);
      const place = (startMs - openMs) / (closeMs - openMs);
      const smile = 1000 * (1 + 3 * (2 * place - 1) ** 2);
      const isEdge = (startMs === openMs && !isQuiet) || startMs + step === closeMs;
      const volume = isRegular ? (isEdge ? 60_000 : smile) : 100;
      bars.push({ startMs, volume: Math.round(volume * jitter * stepMinutes) });
    }
  }
  return bars;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Clock of a zone at a moment: `2024-03-04 09:30:00`. */
export function clockOf(ms: number, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
  formats.set(zone, format);
  return format.format(ms);
}
