import { divide, highest, lowest, multiply, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Place of the close below the highest high of the last `period` bars, −100 at the lowest low to 0. A
 * window without a range has no value; TA-Lib gives 0.
 *
 * @see Williams 1973, How I Made One Million Dollars Last Year Trading Commodities.
 */
export const williamsR = indicator({
  name: 'williams_r',
  title: 'Williams %R',
  params: [barsParam('period')],
  bounds: { williams_r: [-100, 0] },
  columns: ({ high, low, close }, { period }) => {
    const top = highest(high, period);
    const place = divide(subtract(close, top), subtract(top, lowest(low, period)));
    return { williams_r: multiply(place, 100) };
  },
});
