/** Where in a row of a series' tail each number is, and the running bar that is kept in it. */

import type { BarColumns } from '../../base/bars.ts';
import { DAILY_INTERVALS, type DailyInterval } from '../../base/time/intervals.ts';
import { defaultIncrementalParams, incrementalRowLength } from './incremental.ts';

/** Fields of a row, which is all zeros for a symbol without daily bars. */
export const FIRST_MS = 0; // of the first and of the last daily bar
export const LAST_MS = 1;
export const COUNTS = 2; // bars of each interval, a field each
export const RUNNING = 5; // the last week and the last month: six fields each
export const STATES = 17; // of each interval, over its complete bars

/** Fields of a running bar. Its period may be over: it runs until a bar of another one comes. */
export const START_MS = 0;
export const OPEN = 1;
export const HIGH = 2;
export const LOW = 3;
export const CLOSE = 4;
export const VOLUME = 5;
export const RUNNING_FIELDS = 6;

export const STATE_FIELDS = incrementalRowLength(defaultIncrementalParams);

/** Float64 fields of one symbol: 137, or 1,096 bytes. */
export const TAIL_FIELDS = STATES + DAILY_INTERVALS.length * STATE_FIELDS;

/** Where the running week or month begins in a row. */
export function runningField(interval: '1w' | '1M'): number {
  return RUNNING + (interval === '1w' ? 0 : RUNNING_FIELDS);
}

export function countField(interval: DailyInterval): number {
  return COUNTS + DAILY_INTERVALS.indexOf(interval);
}

/** Begins a period with a day. */
export function beginRunning(
  rows: Float64Array,
  running: number,
  startMs: number,
  bars: BarColumns,
  entry: number,
): void {
  rows[running + START_MS] = startMs;
  rows[running + OPEN] = bars.open[entry];
  rows[running + HIGH] = bars.high[entry];
  rows[running + LOW] = bars.low[entry];
  rows[running + CLOSE] = bars.close[entry];
  rows[running + VOLUME] = bars.volume[entry];
}

/** In the order of `combineBars`, which gives its bits. */
export function addToRunning(
  rows: Float64Array,
  running: number,
  bars: BarColumns,
  entry: number,
): void {
  rows[running + HIGH] = Math.max(rows[running + HIGH], bars.high[entry]);
  rows[running + LOW] = Math.min(rows[running + LOW], bars.low[entry]);
  rows[running + CLOSE] = bars.close[entry];
  rows[running + VOLUME] += bars.volume[entry];
}
