import { type BarColumns, type Basis, barRows, type Split } from '../../base/bars.ts';
import { adjustBars } from './adjust.ts';

/**
 * Returns the close before the last, on the split basis of the last bar's day.
 *
 * @param bars Two or more.
 */
export function previousClose(
  bars: BarColumns,
  { basis, splits }: { basis: Basis; splits: readonly Split[] },
): number {
  const last = bars.close.length - 1;
  if (basis !== 'raw') return bars.close[last - 1];
  const lastTwo = barRows(bars, last - 1);
  return adjustBars(lastTwo, { basis, splits, dividends: [] }, 'split').close[0];
}
