/** Symbols whose bars, or newest bars, a load stores without serving them: another series is served. */

import type { Basis } from '../../../base/bars.ts';
import { storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { rangeOf, type ServedSeries } from './served-state.ts';

export interface Unserved {
  count: number;
  /** One of the symbols, and the series that is served for it. */
  example: { symbol: string; source: string; basis: Basis };
  source: string;
  basis: Basis;
}

/**
 * @param lastUs Time of the last row in the segment, by symbol.
 * @returns undefined if the segment's source and basis serve bars of each that is served, to its
 *   last row.
 */
export function findUnserved(
  segment: CandleSegment,
  lastUs: ReadonlyMap<string, number>,
  served: ReadonlyMap<string, ServedSeries>,
): Unserved | undefined {
  const { source, basis } = segment;
  const interval = storedInterval(segment);
  const others = served.values().filter((one) => {
    const last = one.interval === interval ? lastUs.get(one.symbol) : undefined;
    if (last === undefined) return false;
    const isServed = one.basis === basis && one.pieces.some((piece) => piece.source === source);
    // A file of another source that extended the series does not carry on its next ones.
    return !isServed || (one.source !== source && last > rangeOf(one.pieces).lastUs);
  });
  const [example, ...more] = others.map((one) => {
    return { symbol: one.symbol, source: one.source, basis: one.basis };
  });
  return example && { count: 1 + more.length, example, source, basis };
}
