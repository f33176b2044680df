import { above, previousOrZero } from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';
import { countedChanges } from './nvi.ts';

/**
 * Positive Volume Index: percent changes of the close on bars whose volume rises, added up from
 * 1000 at the first bar. Some libraries compound them instead.
 *
 * @see Fosback 1976, Stock Market Logic.
 */
export const pvi = indicator({
  name: 'pvi',
  title: 'Positive Volume Index',
  columns: ({ close, volume }) => {
    return { pvi: countedChanges(close, above(volume, previousOrZero(volume))) };
  },
});
