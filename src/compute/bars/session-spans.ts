import { lowerBound } from '../../base/search-sorted.ts';
import {
  isSession,
  newYorkDay,
  newYorkMidnightMs,
  sessionCloseMs,
  sessionOpenMs,
} from '../../base/time/calendar.ts';

/** Rows [start, end) that lie between the open and the close of one session; at least one. */
export interface SessionSpan {
  day: number;
  openMs: number;
  start: number;
  end: number;
}

/**
 * Returns the sessions of an intraday series that have rows, oldest first, by binary searches
 * alone.
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
    row = lowerBound(timestampMs, newYorkMidnightMs(day + 1), row);
  }
  return spans;
}
