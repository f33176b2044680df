import {
  above,
  choose,
  divide,
  highest,
  lowest,
  mean,
  multiply,
  relativeStrength,
  subtract,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/** Points. Rounding alone moves the RSI of equal closes by less. */
const STANDSTILL = 1e-9;

/**
 * Place of the RSI within its own range of the last `period` bars, 0 to 100. `k` is its mean over
 * `smooth` bars, `d` the mean of `k` over `signal` bars. While the range is at most a billionth of a
 * point, the RSI stands still and there is no value. Some libraries leave `k` as it is, or in 0 to 1.
 *
 * @see Chande and Kroll 1994, The New Technical Trader.
 */
export const stochasticRsi = indicator({
  name: 'stochastic_rsi',
  title: 'Stochastic RSI',
  params: [
    barsParam('rsi'),
    { ...barsParam('period'), min: 2 },
    barsParam('smooth', 3),
    barsParam('signal', 3),
  ],
  outputs: ['k', 'd'],
  bounds: { k: [0, 100], d: [0, 100] },
  columns: ({ close }, params) => {
    const rsi = relativeStrength(close, params.rsi);
    const bottom = lowest(rsi, params.period);
    const range = subtract(highest(rsi, params.period), bottom);
    const moving = choose(above(range, STANDSTILL), range, Number.NaN);
    const k = mean(multiply(divide(subtract(rsi, bottom), moving), 100), params.smooth);
    return { k, d: mean(k, params.signal) };
  },
});
