import { add, divide, mean, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Awesome Oscillator: mean of (high + low) / 2 over `fast` bars less that over `slow` bars.
 *
 * @see Williams 1998, New Trading Dimensions.
 */
export const awesome = indicator({
  name: 'awesome',
  title: 'Awesome Oscillator',
  params: [barsParam('fast', 5), barsParam('slow', 34)],
  columns: ({ high, low }, { fast, slow }) => {
    const middle = divide(add(high, low), 2);
    return { awesome: subtract(mean(middle, fast), mean(middle, slow)) };
  },
});
