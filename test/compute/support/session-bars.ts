/** Daily bars from minutes, as tests compare them. */

import {
  type BarColumns,
  MILLIS_PER_DAY,
  microsFromMillis,
  millisFromMicros,
} from '../../../src/base/bars.ts';
import { combineBars } from '../../../src/compute/bars/combine-bars.ts';
import { sessionSpans } from '../../../src/compute/bars/session-spans.ts';

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
