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
  bounds: { adx: [0, 100], plus_di: [0, 100], minus_di: [0, 100] },
  columns: (bars, { period }) => {
    const rise = change(bars.high);
    const fall = subtract(0, change(bars.low));
    const movement = (a: Column, b: Column) => wilder(choose(above(a, larger(b, 0)), a, 0), period);
    const plus = movement(rise, fall);
    const minus = movement(fall, rise);
    const range = wilder(trueRange(bars), period);
    // Rounded in the same way, a movement never exceeds the range: its share is at most 1.
    const ofRange = (a: Column) =>
      choose(above(range, STILL), multiply(divide(a, range), 100), Number.NaN);
    const both = add(plus, minus);
    const hasMoved = above(both, STILL);
    const share = divide(absolute(subtract(plus, minus)), both);
    const mean = wilder(choose(hasMoved, share, 0), period);
    return {
      adx: choose(hasMoved, multiply(mean, 100), Number.NaN),
      plus_di: ofRange(plus),
      minus_di: ofRange(minus),
    };
  },
});
