import {
  add,
  divide,
  leanAndMean,
  meanAndDeviation,
  multiply,
  smaller,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Line of least squares through the last `period` closes: its value at the last bar, its slope a
 * bar, and r², the share of the variance that it explains. Equal closes have no r² (NaN).
 *
 * The slope is 6 / (period − 1) times the weighted mean minus the mean, which keeps all digits at
 * any price level.
 *
 * @see Legendre 1805, Nouvelles méthodes pour la détermination des orbites des comètes.
 */
export const linreg = indicator({
  name: 'linreg',
  title: 'Linear regression',
  params: [{ ...barsParam('period'), min: 2 }],
  outputs: ['value', 'slope', 'r2'],
  priceOutputs: ['value'],
  bounds: { r2: [0, 1] },
  columns: ({ close }, { period }) => {
    const { lean, mean } = leanAndMean(close, period);
    const steepness = divide(lean, meanAndDeviation(close, period).deviation);
    const share = (3 * (period + 1)) / (period - 1);
    return {
      value: add(mean, multiply(lean, 3)),
      slope: multiply(lean, 6 / (period - 1)),
      r2: smaller(multiply(multiply(steepness, steepness), share), 1),
    };
  },
});
