import { parabolicStop } from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';

/**
 * Parabolic Stop and Reverse, from the second bar on. It begins downward if the second bar's low
 * fell, and by more than its high rose, else upward; the first stop is the first bar's high or low,
 * as in TA-Lib.
 *
 * @see Wilder 1978, New Concepts in Technical Trading Systems.
 */
export const psar = indicator({
  name: 'psar',
  title: 'Parabolic Stop and Reverse',
  params: [
    { name: 'step', default: 0.02, min: 0.001, max: 1, integer: false },
    { name: 'most', default: 0.2, min: 0.001, max: 1, integer: false },
  ],
  priceOutputs: ['psar'],
  conflict: ({ step, most }) =>
    step <= most ? undefined : `step must be at most "${most}", got "${step}"`,
  columns: ({ high, low }, { step, most }) => ({ psar: parabolicStop(high, low, step, most) }),
});
