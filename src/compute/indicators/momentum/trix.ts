import { change, delay, divide, divideOr, ema, multiply, smooth } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Percent by which an average of an average of an average of closes rises in one bar. All are EMAs of
 * `period` bars, each seeded with the mean of its own first values. The signal is the EMA of the line.
 *
 * @see Hutson 1983, Good TRIX, Stocks & Commodities 1(5).
 */
export const trix = indicator({
  name: 'trix',
  title: 'TRIX',
  params: [barsParam('period', 15), barsParam('signal', 9)],
  outputs: ['trix', 'signal'],
  columns: ({ close }, { period, signal }) => {
    const average = ema(ema(ema(close, period), period), period);
    const rise = multiply(change(average), 100);
    const last = delay(average, 1);
    return { trix: divide(rise, last), signal: smooth(divideOr(rise, last, 0), signal) };
  },
});
