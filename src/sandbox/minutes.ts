/** One-minute bars: those of a session add up to its daily bar, to the cent and share. */

import {
  BAR_FIELDS,
  type BarColumns,
  type BarValues,
  MILLIS_PER_DAY,
  microsFromMillis,
  millisFromMicros,
} from '../base/bars.ts';
import { previousSession, sessionCloseMs, sessionOpenMs } from '../base/time/calendar.ts';
import { roundToTick, sandboxBars } from './prices.ts';
import { highUniform, integerAt, lowUniform, normalAt, seedAt, uniformAt } from './random.ts';
import type { SandboxSecurity } from './universe.ts';

const MILLIS_PER_MINUTE = 60_000;
/** Part of the minutes without a trade. */
const QUIET = 0.02;
/** Extended hours: a few bars within two hours of a session. */
const EXTENDED_MINUTES = 120;
const EXTENDED_BARS_MAX = 6;

type MinuteBar = BarValues & { startMs: number };

/**
 * Returns raw bars of sessions, stamped with their start, with the extended hours after the close
 * before and before the open.
 */
export function sandboxMinutes(
  security: SandboxSecurity,
  fromDay: number,
  toDay: number,
): BarColumns {
  const daily = sandboxBars(security, previousSession(fromDay), toDay);
  const bars: MinuteBar[] = [];
  for (const [row, midnightMs] of millisFromMicros(daily.timestampUs).entries()) {
    const day = midnightMs / MILLIS_PER_DAY;
    if (day < fromDay) continue;
    const seed = seedAt(security.noiseSeed, day);
    const [open, high, low, close, volume] = BAR_FIELDS.map((name) => daily[name][row]);
    const bar = { open, high, low, close, volume };
    if (row > 0) {
      const closeMs = sessionCloseMs(previousSession(day));
      bars.push(...extendedBars(daily.close[row - 1], closeMs, seedAt(seed, 8)));
    }
    const earlyMs = sessionOpenMs(day) - EXTENDED_MINUTES * MILLIS_PER_MINUTE;
    bars.push(...extendedBars(bar.open, earlyMs, seedAt(seed, 9)), ...sessionBars(bar, day, seed));
  }
  const [open, high, low, close, volume] = BAR_FIELDS.map((name) =>
    Float64Array.from(bars, (bar) => bar[name]),
  );
  const timestampUs = microsFromMillis(bars.map(({ startMs }) => startMs));
  return { timestampUs, open, high, low, close, volume };
}

function sessionBars(bar: BarValues, day: number, seed: number): MinuteBar[] {
  const openMs = sessionOpenMs(day);
  const count = (sessionCloseMs(day) - openMs) / MILLIS_PER_MINUTE;
  // The last minute always trades, and there are no more minutes than shares.
  const minutes = Array.from({ length: count }, (_, minute) => minute)
    .filter((minute) => minute === count - 1 || uniformAt(seedAt(seed, 4), minute) >= QUIET)
    .slice(-bar.volume);
  const closes = walk(bar, minutes.length, seedAt(seed, 5));
  const volumes = splitVolume(bar.volume, minutes, seedAt(seed, 7));
  const highest = closes.indexOf(Math.max(...closes));
  const lowest = closes.indexOf(Math.min(...closes));
  const reach = (bar.high - bar.low) * 0.02;
  return minutes.map((minute, index) => {
    const open = index === 0 ? bar.open : closes[index - 1];
    const close = closes[index];
    const bits = seedAt(seedAt(seed, 6), minute);
    const high = roundToTick(Math.max(open, close) + reach * lowUniform(bits));
    const low = roundToTick(Math.min(open, close) - reach * highUniform(bits));
    return {
      startMs: openMs + minute * MILLIS_PER_MINUTE,
      open,
      high: index === highest ? bar.high : Math.min(high, bar.high),
      low: index === lowest ? bar.low : Math.max(low, bar.low),
      close,
      volume: volumes[index],
    };
  });
}

/** Returns closes that wander from a bar's open to its close, within its low and high. */
function walk({ open, high, low, close }: BarValues, count: number, seed: number): number[] {
  const step = (high - low) / Math.sqrt(count) / 2;
  const noise = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) noise[i + 1] = noise[i] + step * normalAt(seed, i);
  return Array.from({ length: count }, (_, i) => {
    if (i === count - 1) return close;
    const share = (i + 1) / count;
    // Without its trend the noise ends at 0, and so the walk at the close.
    const price = open + (close - open) * share + noise[i + 1] - noise[count] * share;
    return Math.min(Math.max(roundToTick(price), low), high);
  });
}

/** Divides a volume into whole numbers from 1 up; most at the open and the close. */
function splitVolume(volume: number, minutes: readonly number[], seed: number): number[] {
  const middle = minutes[minutes.length - 1] / 2 + 1;
  const through: number[] = [0];
  for (const [i, minute] of minutes.entries()) {
    const atEnds = 0.5 + ((minute - middle) / middle) ** 2;
    through.push(through[i] + (0.5 + uniformAt(seed, minute)) * atEnds);
  }
  const total = through[minutes.length];
  const beyondOne = through.map((weight) =>
    Math.floor((volume - minutes.length) * (weight / total)),
  );
  return minutes.map((_, i) => 1 + beyondOne[i + 1] - beyondOne[i]);
}

/** Returns a few bars in the two hours from a moment on, around a price. */
function extendedBars(price: number, fromMs: number, seed: number): MinuteBar[] {
  const count = 1 + integerAt(seed, 0, EXTENDED_BARS_MAX);
  const minutes = Array.from({ length: count }, (_, i) => integerAt(seed, i + 1, EXTENDED_MINUTES));
  return [...new Set(minutes)]
    .sort((a, b) => a - b)
    .map((minute) => {
      const bits = seedAt(seed, EXTENDED_BARS_MAX + 1 + minute);
      const open = roundToTick(price * (1 + 0.004 * (lowUniform(bits) - 0.5)));
      const close = roundToTick(price * (1 + 0.004 * (highUniform(bits) - 0.5)));
      return {
        startMs: fromMs + minute * MILLIS_PER_MINUTE,
        open,
        high: Math.max(open, close),
        low: Math.min(open, close),
        close,
        volume: 1 + integerAt(bits, 0, 2000),
      };
    });
}
