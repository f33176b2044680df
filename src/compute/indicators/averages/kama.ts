import {
  above,
  absolute,
  add,
  change,
  choose,
  delay,
  divide,
  follow,
  multiply,
  sum,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Kaufman's adaptive moving average: an EMA whose weight goes from that of `slow` to that of `fast`
 * with the efficiency of the price, its net change over `period` bars as a share of the path. It
 * starts from the close before its first value. Where the price did not move at all the efficiency
 * counts as 1, as in TA-Lib.
 *
 * @see Kaufman 1995, Smarter Trading.
 */
export const kama = indicator({
  name: 'kama',
  title: 'Kaufman adaptive moving average',
  params: [barsParam('period', 10), barsParam('fast', 2), barsParam('slow', 30)],
  priceOutputs: ['kama'],
  columns: ({ close }, { period, fast, slow }) => {
    const path = sum(absolute(change(close)), period);
    const net = absolute(change(close, period));
    const efficiency = choose(above(path, 0), divide(net, path), 1);
    const slowest = 2 / (slow + 1);
    const weight = add(multiply(efficiency, 2 / (fast + 1) - slowest), slowest);
    return { kama: follow(close, multiply(weight, weight), delay(close, 1)) };
  },
});
