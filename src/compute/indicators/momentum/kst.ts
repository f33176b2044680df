import { add, mean, multiply, percentChange } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Know Sure Thing: four rates of change in percent, each averaged, with weights 1 to 4. The signal is
 * the mean of the last `signal` values.
 *
 * @see Pring 1992, Summed Rate of Change, Stocks & Commodities 10(9).
 */
export const kst = indicator({
  name: 'kst',
  title: 'Know Sure Thing',
  params: [
    barsParam('roc1', 10),
    barsParam('roc2', 15),
    barsParam('roc3', 20),
    barsParam('roc4', 30),
    barsParam('mean1', 10),
    barsParam('mean2', 10),
    barsParam('mean3', 10),
    barsParam('mean4', 15),
    barsParam('signal', 9),
  ],
  outputs: ['kst', 'signal'],
  columns: ({ close }, params) => {
    const one = mean(percentChange(close, params.roc1), params.mean1);
    const two = mean(percentChange(close, params.roc2), params.mean2);
    const three = mean(percentChange(close, params.roc3), params.mean3);
    const four = mean(percentChange(close, params.roc4), params.mean4);
    const kst = add(add(one, multiply(two, 2)), add(multiply(three, 3), multiply(four, 4)));
    return { kst, signal: mean(kst, params.signal) };
  },
});
