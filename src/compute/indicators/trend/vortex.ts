import { absolute, delay, divide, mean, subtract, trueRange } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Vortex indicator: distances from this high to the last low (plus) and from this low to the last
 * high (minus), summed over `period` bars, as shares of the sum of true ranges.
 *
 * @see Botes and Siepman 2010, The Vortex Indicator, Stocks & Commodities.
 */
export const vortex = indicator({
  name: 'vortex',
  title: 'Vortex indicator',
  params: [barsParam('period')],
  outputs: ['plus', 'minus'],
  columns: (bars, { period }) => {
    const { high, low } = bars;
    const range = mean(trueRange(bars), period);
    const plus = mean(absolute(subtract(high, delay(low, 1))), period);
    const minus = mean(absolute(subtract(low, delay(high, 1))), period);
    return { plus: divide(plus, range), minus: divide(minus, range) };
  },
});
