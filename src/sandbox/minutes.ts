/** Bars of minutes of the sandbox: each session's add up to its daily bar, to the cent and share. */

import {
  type BarColumns,
  MILLIS_PER_DAY,
  microsFromMillis,
  millisFromMicros,
} from '../base/bars.ts';
import { previousSession, sessionCloseMs, sessionOpenMs } from '../base/time/calendar.ts';
import { roundToTick, sandboxBars } from './prices.ts';
import { highUniform, integerAt, lowUniform, normalAt, seedAt, uniformAt } from './random.ts';
import type { SandboxSecurity } from './universe.ts';

const MILLIS_PER_MINUTE = 60_000;
/** Part of the minutes in which nobody trades. */
const QUIET = 0.02;
/** Positions of a day's seed; the daily bar has those before. */
const AT = { quiet: 4, steps: 5, ranges: 6, crowd: 7, late: 8, early: 9 } as const;
/** Extended trading is within two hours of a session, a few minutes of it. */
const EXTENDED_MINUTES = 120;
const EXTENDED_BARS_MAX = 6;

/** A daily bar. */
interface Day {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

type Rows = Record<keyof Day | 'startMs', number[]>;

/**
 * Raw one-minute bars of the sessions between two days, both included, stamped with their start.
 *
 * The minutes of a session begin with its daily bar's open, end with its close, touch its high
 * and low, and share out its volume; about one in fifty has no trade and no bar. Beside them are
 * a few bars of extended hours: those after the close before, and those before the open. Like
 * the daily ones they follow from the security and the day alone.
 */
export function sandboxMinutes(
  security: SandboxSecurity,
  fromDay: number,
  toDay: number,
): BarColumns {
  const daily = sandboxBars(security, previousSession(fromDay), toDay);
  const rows: Rows = { startMs: [], open: [], high: [], low: [], close: [], volume: [] };
  for (const [row, midnightMs] of millisFromMicros(daily.timestampUs).entries()) {
    const day = midnightMs / MILLIS_PER_DAY;
    if (day < fromDay) continue;
    const seed = seedAt(security.model.noiseSeed, day);
    if (row > 0) {
      const closeMs = sessionCloseMs(previousSession(day));
      addExtended(rows, dayAt(daily, row - 1).close, closeMs, seedAt(seed, AT.late));
    }
    const bar = dayAt(daily, row);
    const openMs = sessionOpenMs(day);
    const earlyMs = openMs - EXTENDED_MINUTES * MILLIS_PER_MINUTE;
    addExtended(rows, bar.open, earlyMs, seedAt(seed, AT.early));
    addSession(rows, bar, openMs, sessionCloseMs(day), seed);
  }
  return columnsOf(rows);
}

function dayAt({ open, high, low, close, volume }: BarColumns, row: number): Day {
  return {
    open: open[row],
    high: high[row],
    low: low[row],
    close: close[row],
    volume: volume[row],
  };
}

function addSession(rows: Rows, day: Day, openMs: number, closeMs: number, seed: number): void {
  const minutes = tradedMinutes((closeMs - openMs) / MILLIS_PER_MINUTE, day.volume, seed);
  const closes = walk(day, minutes.length, seedAt(seed, AT.steps));
  const volumes = shares(day.volume, minutes, seedAt(seed, AT.crowd));
  const highest = indexOfGreatest(closes);
  const lowest = indexOfGreatest(closes.map((close) => -close));
  const rangeSeed = seedAt(seed, AT.ranges);
  const reach = (day.high - day.low) * 0.02;
  minutes.forEach((minute, index) => {
    const open = index === 0 ? day.open : closes[index - 1];
    const close = closes[index];
    const bits = seedAt(rangeSeed, minute);
    const high = Math.max(open, close) + reach * lowUniform(bits);
    const low = Math.min(open, close) - reach * highUniform(bits);
    rows.startMs.push(openMs + minute * MILLIS_PER_MINUTE);
    rows.open.push(open);
    rows.high.push(index === highest ? day.high : Math.min(roundToTick(high), day.high));
    rows.low.push(index === lowest ? day.low : Math.max(roundToTick(low), day.low));
    rows.close.push(close);
    rows.volume.push(volumes[index]);
  });
}

/** Minutes after the open that have trades: the last one always, and no more than there are shares. */
function tradedMinutes(count: number, volume: number, seed: number): number[] {
  const quietSeed = seedAt(seed, AT.quiet);
  const all = Array.from({ length: count }, (_, minute) => minute);
  const traded = all.filter(
    (minute) => minute === count - 1 || uniformAt(quietSeed, minute) >= QUIET,
  );
  return traded.slice(-volume);
}

/** Closes that wander from the day's open to its close, within its low and high. */
function walk({ open, high, low, close }: Day, count: number, seed: number): number[] {
  const step = (high - low) / Math.sqrt(count) / 2;
  const noise: number[] = [];
  let level = 0;
  for (let i = 0; i < count; i++) {
    level += step * normalAt(seed, i);
    noise.push(level);
  }
  return noise.map((own, i) => {
    if (i === count - 1) return close;
    const share = (i + 1) / count;
    // Without its trend the noise ends at 0, and so the walk at the close.
    const price = open + (close - open) * share + own - level * share;
    return Math.min(Math.max(roundToTick(price), low), high);
  });
}

/** Whole numbers from 1 up that add up to the volume; most at the open and the close. */
function shares(volume: number, minutes: readonly number[], seed: number): number[] {
  const middle = minutes[minutes.length - 1] / 2 + 1;
  const weights = minutes.map(
    (minute) => (0.5 + uniformAt(seed, minute)) * (0.5 + ((minute - middle) / middle) ** 2),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const beyondOne = volume - minutes.length;
  let before = 0;
  let sum = 0;
  return weights.map((weight, index) => {
    sum += weight;
    const isLast = index === weights.length - 1;
    const through = isLast ? beyondOne : Math.floor(beyondOne * Math.min(sum / total, 1));
    const own = 1 + through - before;
    before = through;
    return own;
  });
}

/** A few bars in the two hours from a moment on, around a price. */
function addExtended(rows: Rows, price: number, fromMs: number, seed: number): void {
  const count = 1 + integerAt(seed, 0, EXTENDED_BARS_MAX);
  const minutes = Array.from({ length: count }, (_, i) => integerAt(seed, i + 1, EXTENDED_MINUTES));
  for (const minute of [...new Set(minutes)].sort((a, b) => a - b)) {
    const bits = seedAt(seed, EXTENDED_BARS_MAX + 1 + minute);
    const open = roundToTick(price * (1 + 0.004 * (lowUniform(bits) - 0.5)));
    const close = roundToTick(price * (1 + 0.004 * (highUniform(bits) - 0.5)));
    rows.startMs.push(fromMs + minute * MILLIS_PER_MINUTE);
    rows.open.push(open);
    rows.high.push(Math.max(open, close));
    rows.low.push(Math.min(open, close));
    rows.close.push(close);
    rows.volume.push(1 + integerAt(bits, 0, 2000));
  }
}

function indexOfGreatest(values: readonly number[]): number {
  return values.reduce((best, value, index) => (value > values[best] ? index : best), 0);
}

function columnsOf({ startMs, ...columns }: Rows): BarColumns {
  return {
    timestampUs: microsFromMillis(startMs),
    open: Float64Array.from(columns.open),
    high: Float64Array.from(columns.high),
    low: Float64Array.from(columns.low),
    close: Float64Array.from(columns.close),
    volume: Float64Array.from(columns.volume),
  };
}
