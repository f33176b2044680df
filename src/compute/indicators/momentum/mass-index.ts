import { divide, smooth, subtract, sum } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Mass Index: sum, over `period` bars, of an EMA of the range high − low divided by the EMA of that
 * EMA. Both have `average` bars. Without any range there is no value.
 *
 * @see Dorsey 1992, The Mass Index, Stocks & Commodities 10(6).
 */
export const massIndex = indicator({
  name: 'mass_index',
  title: 'Mass Index',
  params: [barsParam('average', 9), barsParam('period', 25)],
  columns: ({ high, low }, { average, period }) => {
    const range = smooth(subtract(high, low), average);
    return { mass_index: sum(divide(range, smooth(range, average)), period) };
  },
});
