import { above, multiply, previousOrZero, subtract, total } from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';

/**
 * On-Balance Volume: volume of bars that closed higher less volume of bars that closed lower, added up
 * from 0 at the first bar. TA-Lib begins with the volume of the first bar.
 *
 * @see Granville 1963, Granville's New Key to Stock Market Profits.
 */
export const obv = indicator({
  name: 'obv',
  title: 'On-Balance Volume',
  columns: ({ close, volume }) => {
    const last = previousOrZero(close);
    const sign = subtract(above(close, last), above(last, close));
    const isLater = previousOrZero(1);
    return { obv: total(multiply(multiply(sign, volume), isLater)) };
  },
});
