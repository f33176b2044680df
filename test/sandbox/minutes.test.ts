import { describe, expect, it } from 'vitest';
import { type BarColumns, millisFromMicros } from '../../src/base/bars.ts';
import {
  isSession,
  newYorkDay,
  sessionCloseMs,
  sessionOpenMs,
} from '../../src/base/time/calendar.ts';
import { dayFromDate } from '../../src/base/time/dates.ts';
import { sandboxMinutes } from '../../src/sandbox/minutes.ts';
import { sandboxBars } from '../../src/sandbox/prices.ts';
import { sandboxUniverse } from '../../src/sandbox/universe.ts';
import { dailyFromIntraday } from '../compute/support/session-bars.ts';

// Around Thanksgiving 2025: Friday closes at 13:00.
const fromDay = dayFromDate('2025-11-24');
const toDay = dayFromDate('2025-12-03');
const HALF_DAY = dayFromDate('2025-11-28');
const universe = sandboxUniverse({ fromDay, toDay, stocks: 60 });

/** Rows of regular sessions, by day; and how many are outside of them. */
function byDay(bars: BarColumns): { regular: Map<number, number[]>; extended: number } {
  const regular = new Map<number, number[]>();
  let extended = 0;
  for (const startMs of millisFromMicros(bars.timestampUs)) {
    const day = newYorkDay(startMs);
    const isRegular =
      isSession(day) && startMs >= sessionOpenMs(day) && startMs < sessionCloseMs(day);
    if (isRegular) regular.set(day, [...(regular.get(day) ?? []), startMs]);
    else extended++;
  }
  return { regular, extended };
}

describe('minutes of the sandbox', () => {
  it('add up to the daily bar, to the cent and share', () => {
    for (const security of universe) {
      const daily = sandboxBars(security, fromDay, toDay);
      expect(dailyFromIntraday(sandboxMinutes(security, fromDay, toDay))).toEqual(daily);
    }
  });

  it('rise strictly, keep the rules of a bar, and are whole minutes', () => {
    for (const security of universe) {
      const { timestampUs, open, high, low, close, volume } = sandboxMinutes(
        security,
        fromDay,
        toDay,
      );
      const isGood = (_: unknown, row: number) =>
        (row === 0 || timestampUs[row] > timestampUs[row - 1]) &&
        timestampUs[row] % 60_000_000n === 0n &&
        low[row] > 0 &&
        low[row] <= Math.min(open[row], close[row]) &&
        high[row] >= Math.max(open[row], close[row]) &&
        Number.isInteger(volume[row]) &&
        volume[row] >= 1;
      expect(close.every(isGood)).toBe(true);
    }
  });

  it('are 390 a session and 210 on a half day, but for quiet ones; a few are extended', () => {
    const { regular, extended } = byDay(sandboxMinutes(universe[0], fromDay, toDay));
    expect(regular.size).toBe(7);
    for (const [day, minutes] of regular) {
      const full = day === HALF_DAY ? 210 : 390;
      expect(minutes.length).toBeLessThan(full);
      expect(minutes.length).toBeGreaterThan(full * 0.9);
      expect(minutes.at(-1)).toBe(sessionCloseMs(day) - 60_000);
    }
    expect(extended).toBeGreaterThanOrEqual(7);
    expect(extended).toBeLessThan(7 * 12);
  });

  it('of a session are the same whatever sessions are requested with it', () => {
    const [security] = universe;
    const long = sandboxMinutes(security, fromDay, toDay);
    const short = sandboxMinutes(security, HALF_DAY, toDay);
    const start = long.close.length - short.close.length;
    expect(long.timestampUs.subarray(start)).toEqual(short.timestampUs);
    expect(long.close.subarray(start)).toEqual(short.close);
    expect(long.volume.subarray(start)).toEqual(short.volume);
  });
});
