import {
  add,
  delay,
  divide,
  divideOr,
  follow,
  highest,
  logarithm,
  lowest,
  moreThanRounding,
  multiply,
  snapped,
  subtract,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Fisher transform: the middle of high and low within its range of `period` bars, −1 to 1, smoothed
 * by a third, and transformed so that turns stand out. Smoothed places beyond 0.99 count as 0.999.
 * Without a range but for rounding, the place is the middle. `signal` is the value one bar before.
 *
 * @see Ehlers 2002, Using The Fisher Transform, Stocks & Commodities 20(11).
 */
export const fisher = indicator({
  name: 'fisher',
  title: 'Fisher transform',
  params: [{ ...barsParam('period', 9), min: 2 }],
  outputs: ['fisher', 'signal'],
  columns: ({ high, low }, { period }) => {
    const middle = divide(add(high, low), 2);
    const bottom = lowest(middle, period);
    const range = moreThanRounding(subtract(highest(middle, period), bottom), middle);
    const share = divideOr(subtract(middle, bottom), range, 0.5);
    const place = snapped(multiply(subtract(share, 0.5), 2), 0.33, { beyond: 0.99, to: 0.999 });
    const transformed = logarithm(divide(add(1, place), subtract(1, place)));
    // Half of the logarithm and half of the value before: towards the logarithm, by half.
    const fisher = follow(transformed, 0.5, 0);
    return { fisher, signal: delay(fisher, 1) };
  },
});
