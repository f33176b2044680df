import { add, change, divide, mean, multiply, subtract } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Ease of Movement: mean of change of (high + low) / 2 × range × `divisor` / volume. A bar without
 * volume has no value, and neither have the windows that hold it.
 *
 * @see Arms 1989, Volume Cycles in the Stock Market.
 */
export const eom = indicator({
  name: 'eom',
  title: 'Ease of Movement',
  params: [
    barsParam('period'),
    { name: 'divisor', default: 10_000, min: 1, max: 1e12, integer: false } as const,
  ],
  columns: ({ high, low, volume }, { period, divisor }) => {
    const move = add(change(high), change(low));
    const area = multiply(move, multiply(subtract(high, low), divisor / 2));
    return { eom: mean(divide(area, volume), period) };
  },
});
