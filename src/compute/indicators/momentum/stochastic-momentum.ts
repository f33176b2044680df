import {
  add,
  bounded,
  type Column,
  divide,
  divideOr,
  highest,
  lowest,
  multiply,
  smooth,
  subtract,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Stochastic Momentum Index, −100 to 100: distance of the close from the middle of the range of the
 * last `period` bars as a share of half that range, both smoothed by an EMA of `long` bars and one of
 * `short` bars. Prices that stand still have no value, and the signal counts 0.
 *
 * @see Blau 1993, Stochastic Momentum, Stocks & Commodities 11(1).
 */
export const stochasticMomentum = indicator({
  name: 'stochastic_momentum',
  title: 'Stochastic Momentum Index',
  params: [
    barsParam('period', 13),
    barsParam('long', 25),
    barsParam('short', 2),
    barsParam('signal', 9),
  ],
  outputs: ['smi', 'signal'],
  bounds: { smi: [-100, 100], signal: [-100, 100] },
  columns: ({ high, low, close }, { period, long, short, signal }) => {
    const [top, bottom] = [highest(high, period), lowest(low, period)];
    const twice = (a: Column) => smooth(smooth(a, long), short);
    // Twice the distance, from both ends: each difference is exact for prices near each other.
    const distance = twice(subtract(subtract(close, bottom), subtract(top, close)));
    const range = twice(add(subtract(close, bottom), subtract(top, close)));
    return {
      smi: bounded(multiply(divide(distance, range), 100), -100, 100),
      signal: multiply(smooth(bounded(divideOr(distance, range, 0), -1, 1), signal), 100),
    };
  },
});
