import {
  divide,
  mean,
  meanDistance,
  moreThanRounding,
  multiply,
  subtract,
  typicalPrice,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Commodity Channel Index: distance of the typical price, (high + low + close) / 3, from its mean, in
 * units of 0.015 mean absolute deviations. A window of prices that are equal but for rounding has no
 * value; TA-Lib gives 0.
 *
 * @see Lambert 1980, Commodity Channel Index, Commodities (October).
 */
export const cci = indicator({
  name: 'cci',
  title: 'Commodity Channel Index',
  params: [{ ...barsParam('period', 20), min: 2 }],
  columns: (bars, { period }) => {
    const price = typicalPrice(bars);
    const average = mean(price, period);
    const deviation = moreThanRounding(meanDistance(price, average, period), average);
    return { cci: divide(subtract(price, average), multiply(deviation, 0.015)) };
  },
});
