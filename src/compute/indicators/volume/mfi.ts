import {
  above,
  add,
  choose,
  divide,
  mean,
  multiply,
  typicalMove,
  typicalPrice,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Money Flow Index, 0 to 100: money flow of bars whose typical price rose, as a share of that of bars
 * where it rose or fell. Money flow is typical price × volume. Where there is none there is no value.
 *
 * @see Quong and Soudack 1989, Volume-Weighted RSI: Money Flow, Stocks & Commodities 7(3).
 */
export const mfi = indicator({
  name: 'mfi',
  title: 'Money Flow Index',
  params: [barsParam('period')],
  bounds: { mfi: [0, 100] },
  columns: (bars, { period }) => {
    const flow = multiply(typicalPrice(bars), bars.volume);
    const move = typicalMove(bars);
    const rising = mean(choose(above(move, 0), flow, 0), period);
    const falling = mean(choose(above(0, move), flow, 0), period);
    return { mfi: multiply(divide(rising, add(rising, falling)), 100) };
  },
});
