/** Rows of all series at once, from the indexes alone. */

import type { OpenLayer } from '../read/layer.ts';

/**
 * @param layers   Oldest first.
 * @param interval Number as in the index.
 * @returns by symbol number.
 */
export function rowCounts(
  layers: readonly OpenLayer[],
  interval: number,
  symbolCount: number,
): Uint32Array {
  const counts = new Uint32Array(symbolCount);
  for (const { parts } of layers) {
    // A part supersedes all from its first row on, so that the last one ends the series.
    for (let part = 0; part < parts.symbol.length; part++) {
      if (parts.interval[part] !== interval) continue;
      counts[parts.symbol[part]] = parts.row_start[part] + parts.rows[part];
    }
  }
  return counts;
}
