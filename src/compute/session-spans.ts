/** Which rows of an intraday series lie in regular sessions, and which outside of them. */

import { type BarColumns, MILLIS_PER_DAY, millisFromMicros } from '../bars.ts';
import {
  isSession,
  newYorkDay,
  newYorkOffsetMs,
  sessionCloseMs,
  sessionOpenMs,
} from '../calendar.ts';
import { lowerBound } from './search-sorted.ts';

/** Rows [start, end) that lie between the open and the close of one session; at least one. */
export interface SessionSpan {
  /** Date of the session in New York. */
  day: number;
  openMs: number;
  start: number;
  end: number;
}

/**
 * The sessions of an intraday series, oldest first; those without a row are missing.
 *
 * A few binary searches a day, nothing per row.
 *
 * @param timestampMs Bar starts, strictly rising. A bar that starts at the close is outside.
 * @throws {ParameterError} `day`: a bar is outside the years of the exchange calendar.
 */
export function sessionSpans(timestampMs: Float64Array): SessionSpan[] {
  const spans: SessionSpan[] = [];
  let row = 0;
  while (row < timestampMs.length) {
    const day = newYorkDay(timestampMs[row]);
    if (isSession(day)) {
      const openMs = sessionOpenMs(day);
      const start = lowerBound(timestampMs, openMs, row);
      const end = lowerBound(timestampMs, sessionCloseMs(day), start);
      if (end > start) spans.push({ day, openMs, start, end });
      row = end;
    }
    row = lowerBound(timestampMs, midnightMs(day + 1), row);
  }
  return spans;
}

/** When a date begins in New York. Its clocks are changed two hours later at the earliest. */
function midnightMs(day: number): number {
  const midnightUtcMs = day * MILLIS_PER_DAY;
  return midnightUtcMs - newYorkOffsetMs(midnightUtcMs);
}

/**
 * An intraday series cut in two: bars that start in a regular session, and those of extended
 * hours, which are stored apart.
 *
 * @throws {ParameterError} `day`: a bar is outside the years of the exchange calendar.
 */
export function splitSessions(bars: BarColumns): { regular: BarColumns; extended: BarColumns } {
  const spans = sessionSpans(millisFromMicros(bars.timestampUs));
  const gaps: { start: number; end: number }[] = [];
  let next = 0;
  for (const { start, end } of spans) {
    gaps.push({ start: next, end: start });
    next = end;
  }
  gaps.push({ start: next, end: bars.timestampUs.length });
  return { regular: barsOfSpans(bars, spans), extended: barsOfSpans(bars, gaps) };
}

function barsOfSpans(
  bars: BarColumns,
  spans: readonly { start: number; end: number }[],
): BarColumns {
  const count = spans.reduce((sum, { start, end }) => sum + end - start, 0);
  const out: BarColumns = {
    timestampUs: new BigInt64Array(count),
    open: new Float64Array(count),
    high: new Float64Array(count),
    low: new Float64Array(count),
    close: new Float64Array(count),
    volume: new Float64Array(count),
  };
  let row = 0;
  for (const { start, end } of spans) {
    out.timestampUs.set(bars.timestampUs.subarray(start, end), row);
    for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) {
      out[name].set(bars[name].subarray(start, end), row);
    }
    row += end - start;
  }
  return out;
}
