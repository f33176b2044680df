import { delay, divide, logarithm, meanAndDeviation, multiply } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/** A session of 6½ hours has 390 minutes, and its last bar of an hour or four is short. */
const BARS_OF_YEAR = {
  '1m': 252 * 390,
  '5m': 252 * 78,
  '15m': 252 * 26,
  '1h': 252 * 7,
  '4h': 252 * 2,
  '1w': 52,
  '1M': 12,
} as const;

/**
 * Historical volatility in percent a year: population standard deviation of the last `period`
 * logarithmic returns × √year × 100, with `year` the number of bars in a year, by default of
 * the sessions of New York. Some platforms divide
 * by period − 1, or count 365 days.
 *
 * @see Hull 1989, Options, Futures, and Other Derivatives.
 */
export const historicalVolatility = indicator({
  name: 'historical_volatility',
  title: 'Historical volatility',
  params: [
    { ...barsParam('period', 20), min: 2 },
    { name: 'year', default: 252, defaults: BARS_OF_YEAR, min: 1, max: 1_000_000, integer: true },
  ],
  columns: ({ close }, { period, year }) => {
    const returns = logarithm(divide(close, delay(close, 1)));
    const { deviation } = meanAndDeviation(returns, period);
    return { historical_volatility: multiply(deviation, 100 * Math.sqrt(year)) };
  },
});
