/** Flags suspicious bars of a daily series for a person to check; repairs nothing. */

import type { BarColumns } from '../../base/bars.ts';
import { isOutOfLine } from '../../base/prices/out-of-line.ts';
import { daysOfTimestamps } from '../../base/time/dates.ts';
import { type AdjustmentSource, adjustBars } from '../bars/adjust.ts';
import { priceJumps, repeatedBars, strayPrices, unchangedRuns } from './prices.ts';
import type { QualityFlag } from './quality-flag.ts';
import { closedDays, missingSessions } from './sessions.ts';
import { dividendFlags } from './unlikely-dividends.ts';
import { volumeOutliers } from './volume-outliers.ts';

/**
 * Returns all flags of one series, by row.
 *
 * Prices and volumes are checked on the fully adjusted basis, so known events are not flagged. The
 * numbers of a flag are on that basis too. A flag of an older bar stays when bars are appended,
 * except for jumps within the last days, whose volume is better known then. A stray price of the
 * newest bar shows with the next bar.
 *
 * @param bars   The whole daily series, stamped at 00:00Z.
 * @param source Its basis, splits and dividends.
 */
export function qualityFlags(bars: BarColumns, source: AdjustmentSource): QualityFlag[] {
  const days = daysOfTimestamps(bars.timestampUs);
  const adjusted = adjustBars(bars, source, 'all');
  const runs = unchangedRuns(bars);
  const isInRun = (row: number) => runs.some((run) => row > run.row && row < run.row + run.value);
  const prices = priceFlags(adjusted, days, source);
  const flags = [
    ...prices,
    ...outOfLine(adjusted, prices),
    ...dividendFlags(bars, days, source),
    ...closedDays(days),
    ...runs,
    ...repeatedBars(bars).filter(({ row }) => !isInRun(row)),
    ...missingSessions(days),
    ...volumeOutliers(adjusted.volume),
  ];
  return flags.sort((a, b) => a.row - b.row);
}

/** @param known Flags of prices, which tell more. */
function outOfLine(bars: BarColumns, known: readonly QualityFlag[]): QualityFlag[] {
  const rows = [...bars.close.keys()].filter((row) => isOutOfLine(bars, row));
  return rows.flatMap((row) => {
    if (known.some((flag) => flag.row === row)) return [];
    const before = bars.close[row - 1];
    const [high, low] = [bars.high[row] / before, bars.low[row] / before];
    return [{ row, flag: 'out-of-line', value: high * low > 1 ? high : low, expected: 1 }];
  });
}

/**
 * Returns the flags of prices: jumps, and stray ones.
 *
 * @param adjusted Bars on the fully adjusted basis.
 */
export function priceFlags(
  adjusted: BarColumns,
  days: Int32Array,
  { splits }: Pick<AdjustmentSource, 'splits'>,
): QualityFlag[] {
  const jumps = priceJumps(adjusted, days, splits);
  const jumpRows = new Set(jumps.map(({ row }) => row));
  return [...jumps, ...strayPrices(adjusted).filter(({ row }) => !jumpRows.has(row))];
}
