import { add, divide, meanAndDeviation, multiply, subtract } from '../../columns/column.ts';
import { barsParam, factorParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Place of the close within the Bollinger bands: 0 at the lower one, 1 at the upper one. Equal
 * closes have none (NaN).
 *
 * @see Bollinger 2001, Bollinger on Bollinger Bands.
 */
export const percentB = indicator({
  name: 'percent_b',
  title: 'Bollinger %B',
  params: [{ ...barsParam('period', 20), min: 2 }, factorParam('k', 2)],
  columns: ({ close }, { period, k }) => {
    const { mean, deviation } = meanAndDeviation(close, period);
    const place = divide(subtract(close, mean), multiply(deviation, 2 * k));
    return { percent_b: add(place, 0.5) };
  },
});
