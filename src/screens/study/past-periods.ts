/**
 * Values of columns over weekly or monthly bars at every day of series: the last bar is the running
 * period, as far as it had come at the end of that day.
 */

import { BAR_FIELDS } from '../../base/bars.ts';
import { periodDays } from '../../compute/bars/resample-daily.ts';
import type { Column } from '../../compute/columns/column.ts';
import type { Lane } from '../../compute/columns/layout.ts';
import { Program } from '../../compute/columns/program.ts';

/** Daily bars of a symbol up to a row, by column. */
export type DayBars = Readonly<Record<(typeof BAR_FIELDS)[number], Float64Array>>;

export class PastPeriods {
  readonly #program: Program;
  readonly #interval: '1w' | '1M';
  readonly #count: number;

  constructor(interval: '1w' | '1M', columns: readonly Column[]) {
    this.#program = new Program(columns);
    this.#interval = interval;
    this.#count = columns.length;
  }

  /** Returns values by column and day. */
  of(days: Int32Array, bars: DayBars): Float64Array[] {
    const count = days.length;
    const starts = periodStartRows(days, this.#interval);
    const running = runningBars(bars, starts, count);
    const out = Array.from({ length: this.#count }, () => new Float64Array(count).fill(Number.NaN));
    const states = new Float64Array(this.#program.stateRows);
    const ats = new Float64Array(count);
    // The next period goes on from the last day of this one.
    const isKept = new Uint8Array(count);
    for (const start of starts) if (start > 0) isKept[start - 1] = 1;
    for (const [period, start] of starts.entries()) {
      const end = starts[period + 1] ?? count;
      const places = Array.from({ length: end - start }, (_, i) => start + i);
      this.#program.advance(period, places, running, states, ats, isKept, out);
    }
    return out;
  }
}

/** Returns the first row of each period. */
function periodStartRows(days: Int32Array, interval: '1w' | '1M'): number[] {
  const starts: number[] = [];
  let next = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < days.length; row++) {
    if (days[row] < next) continue;
    starts.push(row);
    [, next] = periodDays(days[row], interval);
  }
  return starts;
}

/** Returns at each day the bar of its period so far, as `combineBars` makes it. */
function runningBars(bars: DayBars, starts: readonly number[], count: number): Lane {
  const running = Object.fromEntries(
    BAR_FIELDS.map((name) => [name, bars[name].slice(0, count)]),
  ) as Record<(typeof BAR_FIELDS)[number], Float64Array>;
  for (const [period, start] of starts.entries()) {
    const end = starts[period + 1] ?? count;
    for (let row = start + 1; row < end; row++) {
      running.open[row] = running.open[start];
      running.high[row] = Math.max(running.high[row - 1], running.high[row]);
      running.low[row] = Math.min(running.low[row - 1], running.low[row]);
      running.volume[row] += running.volume[row - 1];
    }
  }
  return running;
}
