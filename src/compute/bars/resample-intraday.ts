/** Bars of five minutes to four hours from bars of a minute. */

import { type BarColumns, microsFromMillis, millisFromMicros } from '../../base/bars.ts';
import type { Interval } from '../../base/time/intervals.ts';
import { combineBars } from './combine-bars.ts';
import { type SessionSpan, sessionSpans } from './session-spans.ts';

const MILLIS_PER_MINUTE = 60_000;

const MINUTES = { '5m': 5, '15m': 15, '1h': 60, '4h': 240 } as const satisfies Partial<
  Record<Interval, number>
>;

export type IntradayInterval = keyof typeof MINUTES;

/** Rows [start, end) whose bars are aligned to a moment. */
export type AlignedSpan = Pick<SessionSpan, 'openMs' | 'start' | 'end'>;

/**
 * Combines minutes of regular sessions, aligned to the session's open in New York. The last bar of
 * a session may be shorter. An interval without a trade has no bar; extended hours are left out.
 *
 * @param bars One-minute bars, or longer ones that fit into the interval. They may begin and end
 * inside a session.
 * @param spansOf Finds the sessions, from their starts; default: regular ones.
 * @returns New columns, stamped with the start of the interval even if its first minute has no bar.
 * @throws {ParameterError} `day`: a bar is outside the years of the exchange calendar.
 */
export function resampleIntraday(
  bars: BarColumns,
  interval: IntradayInterval,
  spansOf: (timestampMs: Float64Array) => Iterable<AlignedSpan> = sessionSpans,
): BarColumns {
  const timestampMs = millisFromMicros(bars.timestampUs);
  const stepMs = MINUTES[interval] * MILLIS_PER_MINUTE;
  const groups: Groups = { startsMs: [], start: [], end: [] };
  for (const span of spansOf(timestampMs)) addGroups(groups, span, timestampMs, stepMs);
  return combineBars(bars, { ...groups, timestampUs: microsFromMillis(groups.startsMs) });
}

interface Groups {
  startsMs: number[];
  start: number[];
  end: number[];
}

function addGroups(
  groups: Groups,
  { openMs, start, end }: AlignedSpan,
  timestampMs: Float64Array,
  stepMs: number,
): void {
  let nextMs = openMs;
  for (let row = start; row < end; row++) {
    if (timestampMs[row] < nextMs) continue;
    if (row > start) groups.end.push(row);
    const startMs = timestampMs[row] - ((timestampMs[row] - openMs) % stepMs);
    groups.start.push(row);
    groups.startsMs.push(startMs);
    nextMs = startMs + stepMs;
  }
  groups.end.push(end);
}
