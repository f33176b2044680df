import { trueRange, wilder } from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/**
 * Average True Range with Wilder smoothing. The true range of a bar is the largest of high − low,
 * |high − last close| and |low − last close|; the first bar of a series has none. Seeded with the
 * mean of the first `period` true ranges. Some libraries count high − low of the first bar.
 *
 * @see Wilder 1978, New Concepts in Technical Trading Systems.
 */
export const atr = indicator({
  name: 'atr',
  title: 'Average True Range',
  params: [barsParam('period')],
  columns: (bars, { period }) => ({ atr: wilder(trueRange(bars), period) }),
});
