import { weightedBy } from '../../columns/column.ts';
import { barsParam, factorParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Arnaud Legoux moving average: weights of a bell curve over the last `period` closes. Its peak is
 * at the share `offset` of the way from the oldest to the newest, its width period / sigma bars.
 *
 * @see Legoux and Kouzis-Loukas 2009, Arnaud Legoux Moving Average.
 */
export const alma = indicator({
  name: 'alma',
  title: 'Arnaud Legoux moving average',
  params: [
    barsParam('period', 9),
    { name: 'offset', default: 0.85, min: 0.01, max: 1, integer: false },
    factorParam('sigma', 6),
  ],
  priceOutputs: ['alma'],
  columns: ({ close }, { period, offset, sigma }) => {
    const width = period / sigma;
    const distances = Array.from({ length: period }, (_, i) => i - offset * (period - 1));
    const curve = distances.map((distance) => Math.exp(-(distance ** 2) / (2 * width ** 2)));
    const total = curve.reduce((sum, weight) => sum + weight);
    return {
      alma: weightedBy(
        close,
        curve.map((weight) => weight / total),
      ),
    };
  },
});
