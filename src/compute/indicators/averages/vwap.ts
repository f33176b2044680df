import { divide, mean, multiply, total, typicalPrice } from '../../columns/column.ts';
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
    const traded = multiply(typicalPrice(bars), volume);
    return {
      vwap: isIntraday
        ? divide(total(traded, session), total(volume, session))
        : divide(mean(traded, period), mean(volume, period)),
    };
  },
});
