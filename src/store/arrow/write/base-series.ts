/** Whole series in the base: closed years in one file, the current year in another. */

import type { DailyInterval } from '../../../base/time/intervals.ts';
import type { LayerWriter } from './layer-writer.ts';
import type { SeriesRows } from './volume-writer.ts';

export function yearStartUs(year: number): bigint {
  return BigInt(Date.UTC(year, 0, 1)) * 1000n;
}

/** Adds a series to the base. With two files, the next compaction rewrites only one year. */
export function addToBase(
  layer: LayerWriter,
  symbol: number,
  interval: DailyInterval,
  rows: SeriesRows,
  currentYear: number,
): void {
  const startUs = yearStartUs(currentYear);
  let split = rows.bars.timestampUs.length;
  while (split > 0 && rows.bars.timestampUs[split - 1] >= startUs) split--;
  layer.addBatch(symbol, interval, 'closed', rows, 0, split);
  layer.addBatch(symbol, interval, 'current', rows, split);
}
