import {
  add,
  divide,
  multiply,
  subtract,
  trendOfBands,
  trueRange,
  wilder,
} from '../../columns/column.ts';
import { barsParam, factorParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Supertrend: a stop that follows the price at `k` ATRs from the middle of high and low, and only
 * tightens until a close crosses it. Direction 1 is upward with the line below, −1 downward with
 * the line above. It begins downward unless the first close is above the upper band. TradingView
 * has the opposite signs.
 *
 * @see Seban 2008, Tout le monde mérite d'être riche.
 */
export const supertrend = indicator({
  name: 'supertrend',
  title: 'Supertrend',
  params: [barsParam('period', 10), factorParam('k', 3)],
  outputs: ['value', 'direction'],
  priceOutputs: ['value'],
  columns: (bars, { period, k }) => {
    const middle = divide(add(bars.high, bars.low), 2);
    const width = multiply(wilder(trueRange(bars), period), k);
    const { line, direction } = trendOfBands(
      add(middle, width),
      subtract(middle, width),
      bars.close,
    );
    return { value: line, direction };
  },
});
