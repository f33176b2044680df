import {
  add,
  choose,
  divide,
  equal,
  follow,
  larger,
  previousOrZero,
  rowNumber,
  smaller,
} from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';

/**
 * Heikin-Ashi bars. The close is the mean of the bar's four prices. The open is half-way between
 * open and close of the Heikin-Ashi bar before, and between those of the first bar itself. High and
 * low hold both.
 *
 * @see Valcu 2004, Using The Heikin-Ashi Technique, Stocks & Commodities 22(2).
 */
export const heikinAshi = indicator({
  name: 'heikin_ashi',
  title: 'Heikin-Ashi bars',
  outputs: ['open', 'high', 'low', 'close'],
  priceOutputs: ['open', 'high', 'low', 'close'],
  mainOutput: 'close',
  columns: (bars) => {
    const close = divide(add(add(bars.open, bars.high), add(bars.low, bars.close)), 4);
    const origin = divide(add(bars.open, bars.close), 2);
    const last = choose(equal(rowNumber, 1), origin, previousOrZero(close));
    const open = follow(last, 0.5);
    return {
      open,
      high: larger(bars.high, larger(open, close)),
      low: smaller(bars.low, smaller(open, close)),
      close,
    };
  },
});
