import { add, ema, multiply, subtract, trueRange, wilder } from '../../columns/column.ts';
import { barsParam, factorParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Keltner channels: EMA(period) of closes ± k times the ATR(atr), with Wilder smoothing. Keltner's
 * own channels of 1960 were simple averages of typical prices and ranges.
 *
 * @see Raschke and Connors 1995, Street Smarts.
 */
export const keltner = indicator({
  name: 'keltner',
  title: 'Keltner channels',
  params: [barsParam('period', 20), factorParam('k', 2), barsParam('atr', 10)],
  outputs: ['upper', 'middle', 'lower'],
  priceOutputs: ['upper', 'middle', 'lower'],
  mainOutput: 'middle',
  columns: (bars, { period, k, atr }) => {
    const middle = ema(bars.close, period);
    const width = multiply(wilder(trueRange(bars), atr), k);
    return { upper: add(middle, width), middle, lower: subtract(middle, width) };
  },
});
