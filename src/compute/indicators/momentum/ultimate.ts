import {
  add,
  delay,
  divide,
  larger,
  mean,
  multiply,
  smaller,
  subtract,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Ultimate Oscillator, 0 to 100: buying pressure as a share of true range over three spans, weighted
 * 4, 2 and 1. Buying pressure is the close less the lower of low and last close. The first bar has none.
 *
 * @see Williams 1985, The Ultimate Oscillator, Stocks & Commodities 3(4).
 */
export const ultimate = indicator({
  name: 'ultimate',
  title: 'Ultimate Oscillator',
  params: [barsParam('short', 7), barsParam('medium', 14), barsParam('long', 28)],
  bounds: { ultimate: [0, 100] },
  columns: ({ high, low, close }, { short, medium, long }) => {
    const last = delay(close, 1);
    const bottom = smaller(low, last);
    const pressure = subtract(close, bottom);
    const range = subtract(larger(high, last), bottom);
    const share = (period: number) => divide(mean(pressure, period), mean(range, period));
    const weighted = add(add(multiply(share(short), 4), multiply(share(medium), 2)), share(long));
    // Sums of pressure and range are rounded each in its own way.
    return { ultimate: smaller(multiply(weighted, 100 / 7), 100) };
  },
});
