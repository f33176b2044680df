import { trueRange as rangeOf } from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';

/**
 * True range of a bar: the largest of high − low, |high − last close| and |low − last close|. The
 * first bar of a series has none, as in TA-Lib.
 *
 * @see Wilder 1978, New Concepts in Technical Trading Systems.
 */
export const trueRange = indicator({
  name: 'true_range',
  title: 'True range',
  columns: (bars) => ({ true_range: rangeOf(bars) }),
});
