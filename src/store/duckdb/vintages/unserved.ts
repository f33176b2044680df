/** Symbols whose bars a load stores without serving any, since another series is served. */

import type { Basis } from '../../../base/bars.ts';
import { storedInterval } from '../connection/bar-table.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import type { ServedSeries } from './served-state.ts';

export interface Unserved {
  count: number;
  /** One of the symbols, and the series that is served for it. */
  example: { symbol: string; source: string; basis: Basis };
  source: string;
  basis: Basis;
}

/**
 * @param symbols Symbols with rows in the segment.
 * @returns undefined if the segment's source and basis serve bars of each that is served.
 */
export function findUnserved(
  segment: CandleSegment,
  symbols: ReadonlySet<string>,
  served: ReadonlyMap<string, ServedSeries>,
): Unserved | undefined {
  const { source, basis } = segment;
  const interval = storedInterval(segment);
  const others = served.values().filter((one) => {
    const isLoaded = one.interval === interval && symbols.has(one.symbol);
    return (
      isLoaded && !(one.basis === basis && one.pieces.some((piece) => piece.source === source))
    );
  });
  const [example, ...more] = others.map((one) => {
    return { symbol: one.symbol, source: one.source, basis: one.basis };
  });
  return example && { count: 1 + more.length, example, source, basis };
}
