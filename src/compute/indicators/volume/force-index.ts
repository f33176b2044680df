import { change, multiply, smooth } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Force Index: EMA of change of the close × volume, seeded with the mean of its first values.
 *
 * @see Elder 1993, Trading for a Living.
 */
export const forceIndex = indicator({
  name: 'force_index',
  title: 'Force Index',
  params: [barsParam('period', 13)],
  columns: ({ close, volume }, { period }) => ({
    force_index: smooth(multiply(change(close), volume), period),
  }),
});
