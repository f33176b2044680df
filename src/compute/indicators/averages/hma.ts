import { multiply, subtract, weightedMean } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Hull moving average: weighted average over √period of twice the weighted average over period / 2
 * minus that over `period`. Both shorter spans are rounded down; some libraries round.
 *
 * @see Hull 2005, Hull Moving Average.
 */
export const hma = indicator({
  name: 'hma',
  title: 'Hull moving average',
  params: [{ ...barsParam('period'), min: 2 }],
  priceOutputs: ['hma'],
  columns: ({ close }, { period }) => {
    const half = weightedMean(close, Math.floor(period / 2));
    const ahead = subtract(multiply(half, 2), weightedMean(close, period));
    return { hma: weightedMean(ahead, Math.floor(Math.sqrt(period))) };
  },
});
