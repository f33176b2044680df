/** Clocks of time zones, by their offset from New York's at each session. */

import { type ClockOf, HALF_HOUR_MS, NEW_YORK_CLOCK, UTC_CLOCK } from './session-profile.ts';

/** Zones of nearly all files: to make the format of another one takes 16 ms. */
const KNOWN: Readonly<Record<string, ClockOf>> = {
  'America/New_York': NEW_YORK_CLOCK,
  UTC: UTC_CLOCK,
};

/** Returns the clock of a zone by its IANA name; undefined for one off the half hours. */
export function clockOfZone(zone: string): ClockOf | undefined {
  if (Object.hasOwn(KNOWN, zone)) return KNOWN[zone];
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  const offsets = new Map<number, number>();
  const offsetAt = (half: number) => {
    const text = format.formatToParts(half * HALF_HOUR_MS).at(-1)?.value ?? '';
    const [, sign = '+', hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(text) ?? [];
    const halves = Number(hours) * 2 + Number(minutes) / 30;
    return sign === '-' ? -halves : halves;
  };
  if (!Number.isInteger(offsetAt(0)) || !Number.isInteger(offsetAt(RECENT_HALF))) return undefined;
  return ({ toUtc, open }) => {
    const found = offsets.get(open) ?? offsetAt(open + toUtc) + toUtc;
    offsets.set(open, found);
    return found;
  };
}

/** A half hour of 2024: zones were once off the half hours. */
const RECENT_HALF = 946_000;
