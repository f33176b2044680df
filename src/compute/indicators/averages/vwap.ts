import {
  add,
  averageBetween,
  type Bars,
  type Column,
  choose,
  divide,
  held,
  highest,
  isNull,
  larger,
  lowest,
  mean,
  multiply,
  squareRoot,
  subtract,
  total,
  typicalPrice,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Mean of the typical price (high + low + close) / 3 weighted by volume: since the session opened
 * for bars shorter than a day, else over the last `period` bars. Undefined (NaN) where none was
 * traded.
 *
 * @see Berkowitz, Logue and Noser 1988, The Total Cost of Transactions on the NYSE.
 */
export const vwap = indicator({
  name: 'vwap',
  title: 'Volume-weighted average price',
  params: [barsParam('period')],
  priceOutputs: ['vwap'],
  columns: (bars, { period }, isIntraday) => {
    const { volume, session } = bars;
    const price = typicalPrice(bars);
    if (isIntraday) {
      // Distances from the first price of the session keep equal prices exact.
      const first = held(choose(session, price, Number.NaN));
      const traded = multiply(subtract(price, first), volume);
      return { vwap: add(first, divide(total(traded, session), total(volume, session))) };
    }
    const average = divide(mean(multiply(price, volume), period), mean(volume, period));
    return { vwap: averageBetween(average, lowest(price, period), highest(price, period)) };
  },
});

/**
 * The same since the last bar on which a condition was true, that bar included; NaN before the first
 * one. It works with distances from the anchor's price, so that the price level costs no digits.
 *
 * @param deviations Standard deviations, weighted by volume, that the line lies above it.
 */
export function anchoredVwap(bars: Bars, condition: Column, deviations: number): Column {
  const { volume } = bars;
  const restart = choose(isNull(condition), 0, condition);
  const price = typicalPrice(bars);
  const anchor = held(divide(price, condition));
  const distance = subtract(price, anchor);
  const traded = total(volume, restart);
  const averageOf = (of: Column) => divide(total(multiply(of, volume), restart), traded);
  const average = averageOf(distance);
  const line = add(anchor, average);
  if (deviations === 0) return line;
  const squares = averageOf(multiply(distance, distance));
  const variance = larger(subtract(squares, multiply(average, average)), 0);
  return add(line, multiply(squareRoot(variance), deviations));
}
