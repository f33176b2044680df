/** Values that a rule proposes for a flagged bar. Pure. */

import type { BarColumns } from '../../src/base/bars.ts';
import { distance } from '../../src/base/prices/split-jump.ts';
import type { QualityFlag } from '../../src/compute/quality/quality-flag.ts';

const PRICES = ['open', 'high', 'low', 'close'] as const;

export interface FlaggedBar extends Record<(typeof PRICES)[number] | 'volume', number> {
  proposed: Partial<Record<(typeof PRICES)[number], number>>;
}

/** Closes of neighbouring sessions are nearer than this. */
const FAR = Math.log(3);

/** More digits are noise of the division. */
const DIGITS = 12;

/**
 * Returns a flagged bar with the values that are likely right: for a stray low or high the bound of
 * open and close, for a single bar in other units its prices in those of its neighbours. Nothing is
 * proposed if the closes on both sides are far apart.
 *
 * @param bars Bars as they are stored.
 */
export function flaggedBar(
  bars: BarColumns,
  row: number,
  { flag, value, expected }: Pick<QualityFlag, 'flag' | 'value' | 'expected'>,
): FlaggedBar {
  const { open, high, low, close, volume } = bars;
  const bar = { open: open[row], high: high[row], low: low[row], close: close[row] };
  const [before, after] = [close[row - 1], close[row + 1]];
  const isFar = (price: number) => distance(price, before) > FAR;
  const all = { ...bar, volume: volume[row] };
  const none = { ...all, proposed: {} };
  if (flag !== 'stray-price' && flag !== 'unit-jump') return none;
  // Undefined at the ends of a series.
  if (!(distance(after, before) <= FAR)) return none;
  const proposed: FlaggedBar['proposed'] = {};
  if (!isFar(bar.open) && !isFar(bar.close)) {
    if (value < 1) proposed.low = Math.min(bar.open, bar.close);
    else proposed.high = Math.max(bar.open, bar.close);
  } else if (flag === 'unit-jump') {
    for (const name of PRICES) {
      if (isFar(bar[name])) proposed[name] = Number((bar[name] / expected).toPrecision(DIGITS));
    }
    if (PRICES.some((name) => isFar(proposed[name] ?? bar[name]))) return none;
  }
  return { ...all, proposed };
}
