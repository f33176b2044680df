import { divide, subtract } from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';

/**
 * Balance of Power of each bar, −1 to 1: close less open as a share of high less low. A bar without a
 * range has no value; TA-Lib gives 0.
 *
 * @see Livshin 2001, Balance of Power, Stocks & Commodities 19(8).
 */
export const bop = indicator({
  name: 'bop',
  title: 'Balance of Power',
  bounds: { bop: [-1, 1] },
  columns: ({ open, high, low, close }) => ({
    bop: divide(subtract(close, open), subtract(high, low)),
  }),
});
