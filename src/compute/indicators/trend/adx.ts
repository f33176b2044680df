import {
  above,
  absolute,
  add,
  type Column,
  change,
  choose,
  divide,
  larger,
  multiply,
  subtract,
  trueRange,
  wilder,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Smoothed movements are undefined below this. After thousands of bars without one they would end
 * in subnormal numbers, whose ratio is noise.
 */
const STILL = 1e-290;

/**
 * Average Directional Index with both directional indicators, 0 to 100, all with Wilder smoothing
 * seeded with a plain mean of the first `period` values; TA-Lib seeds in another way, which fades.
 * Before the high or low has first moved, the ADX is undefined (NaN) and counts as 0 in its average.
 *
 * @see Wilder 1978, New Concepts in Technical Trading Systems.
 */
export const adx = indicator({
  name: 'adx',
  title: 'Average Directional Index',
  params: [{ ...barsParam('period'), min: 2 }],
  outputs: ['adx', 'plus_di', 'minus_di'],
  columns: (bars, { period }) => {
    const rise = change(bars.high);
    const fall = subtract(0, change(bars.low));
    const movement = (a: Column, b: Column) => wilder(choose(above(a, larger(b, 0)), a, 0), period);
    const plus = movement(rise, fall);
    const minus = movement(fall, rise);
    const range = wilder(trueRange(bars), period);
    const ofRange = (a: Column) =>
      choose(above(range, STILL), divide(multiply(a, 100), range), Number.NaN);
    const both = add(plus, minus);
    const hasMoved = above(both, STILL);
    const share = divide(multiply(absolute(subtract(plus, minus)), 100), both);
    return {
      adx: choose(hasMoved, wilder(choose(hasMoved, share, 0), period), Number.NaN),
      plus_di: ofRange(plus),
      minus_di: ofRange(minus),
    };
  },
});
