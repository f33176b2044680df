import { relativeStrength } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Relative Strength Index with Wilder smoothing, 0 to 100.
 *
 * Seeded with the plain mean of the first `period` changes. Undefined (NaN) until the first
 * change; some libraries give 0, 50 or 100. An unchanged close leaves the index where it is.
 *
 * @see Wilder 1978, New Concepts in Technical Trading Systems.
 */
export const rsi = indicator({
  name: 'rsi',
  title: 'Relative Strength Index',
  params: [barsParam('period')],
  isPublished: true,
  bounds: { rsi: [0, 100] },
  columns: ({ close }, { period }) => ({ rsi: relativeStrength(close, period) }),
});
