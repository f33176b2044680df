/** Minutes by session, as tests compare them: regular and extended ones apart, and daily bars. */

import {
  type BarColumns,
  barRows,
  blankBars,
  MILLIS_PER_DAY,
  microsFromMillis,
  millisFromMicros,
  setBars,
} from '../../../src/base/bars.ts';
import { combineBars } from '../../../src/compute/bars/combine-bars.ts';
import { sessionSpans } from '../../../src/compute/bars/session-spans.ts';

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
  const out = blankBars(count);
  let row = 0;
  for (const { start, end } of spans) {
    setBars(out, barRows(bars, start, end), row);
    row += end - start;
  }
  return out;
}

/**
 * The daily bar of each session as far as its minutes go, stamped with the date at 00:00Z.
 *
 * @param bars As for `resampleIntraday`.
 */
export function dailyFromIntraday(bars: BarColumns): BarColumns {
  const spans = sessionSpans(millisFromMicros(bars.timestampUs));
  return combineBars(bars, {
    timestampUs: microsFromMillis(spans.map(({ day }) => day * MILLIS_PER_DAY)),
    start: spans.map(({ start }) => start),
    end: spans.map(({ end }) => end),
  });
}
