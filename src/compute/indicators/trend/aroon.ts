import {
  barsSinceHighest,
  barsSinceLowest,
  type Column,
  divide,
  multiply,
  subtract,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Aroon: 100 if the highest high (lowest low) of the last `period` + 1 bars is the newest, 0 if it
 * is the oldest; the newest of equal ones counts. The oscillator is up − down.
 *
 * @see Chande 1995, A Time Price Oscillator, Stocks & Commodities.
 */
export const aroon = indicator({
  name: 'aroon',
  title: 'Aroon',
  params: [barsParam('period')],
  outputs: ['up', 'down', 'oscillator'],
  mainOutput: 'oscillator',
  bounds: { up: [0, 100], down: [0, 100], oscillator: [-100, 100] },
  columns: ({ high, low }, { period }) => {
    const share = (since: Column) => subtract(100, divide(multiply(since, 100), period));
    const up = share(barsSinceHighest(high, period + 1));
    const down = share(barsSinceLowest(low, period + 1));
    return { up, down, oscillator: subtract(up, down) };
  },
});
