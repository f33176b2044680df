import { delay, divide, logarithm, meanAndDeviation, multiply } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Historical volatility in percent a year: population standard deviation of the last `period`
 * logarithmic returns × √year × 100, with `year` the number of bars in a year. Some platforms divide
 * by period − 1, or count 365 days.
 *
 * @see Hull 1989, Options, Futures, and Other Derivatives.
 */
export const historicalVolatility = indicator({
  name: 'historical_volatility',
  title: 'Historical volatility',
  params: [
    { ...barsParam('period', 20), min: 2 },
    { name: 'year', default: 252, min: 1, max: 1_000_000, integer: true },
  ],
  columns: ({ close }, { period, year }) => {
    const returns = logarithm(divide(close, delay(close, 1)));
    const { deviation } = meanAndDeviation(returns, period);
    return { historical_volatility: multiply(deviation, 100 * Math.sqrt(year)) };
  },
});
