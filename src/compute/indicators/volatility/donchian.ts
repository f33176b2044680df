import { add, divide, highest, lowest } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Donchian channels: the highest high and the lowest low of the last `period` bars, this one
 * included, and half-way between them.
 *
 * @see Donchian 1960, High Finance in Copper, Financial Analysts Journal.
 */
export const donchian = indicator({
  name: 'donchian',
  title: 'Donchian channels',
  params: [barsParam('period', 20)],
  outputs: ['upper', 'middle', 'lower'],
  priceOutputs: ['upper', 'middle', 'lower'],
  mainOutput: 'middle',
  columns: ({ high, low }, { period }) => {
    const upper = highest(high, period);
    const lower = lowest(low, period);
    return { upper, middle: divide(add(upper, lower), 2), lower };
  },
});
