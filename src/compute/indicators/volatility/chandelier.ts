import {
  add,
  highest,
  lowest,
  multiply,
  subtract,
  trueRange,
  wilder,
} from '../../columns/column.ts';
import { barsParam, factorParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Chandelier exit: `long`, the stop of a position that gains when prices rise, hangs `k` ATRs below
 * the highest high of the last `period` bars; `short` stands as far above the lowest low.
 *
 * @see Le Beau, in Elder 2002, Come Into My Trading Room.
 */
export const chandelier = indicator({
  name: 'chandelier',
  title: 'Chandelier exit',
  params: [barsParam('period', 22), factorParam('k', 3)],
  outputs: ['long', 'short'],
  priceOutputs: ['long', 'short'],
  columns: (bars, { period, k }) => {
    const width = multiply(wilder(trueRange(bars), period), k);
    return {
      long: subtract(highest(bars.high, period), width),
      short: add(lowest(bars.low, period), width),
    };
  },
});
