import { add, percentChange, weightedMean } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Coppock curve: weighted mean, over `average` bars, of the sum of two rates of change in percent. It
 * was made for monthly bars.
 *
 * @see Coppock 1962, Barron's (15 October).
 */
export const coppock = indicator({
  name: 'coppock',
  title: 'Coppock curve',
  params: [barsParam('average', 10), barsParam('long', 14), barsParam('short', 11)],
  columns: ({ close }, { average, long, short }) => ({
    coppock: weightedMean(add(percentChange(close, long), percentChange(close, short)), average),
  }),
});
