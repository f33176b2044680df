import {
  above,
  add,
  choose,
  divideOr,
  multiply,
  previousOrZero,
  subtract,
  total,
} from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';

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
    const last = previousOrZero(close);
    const percent = multiply(divideOr(subtract(close, last), last, 0), 100);
    const counted = choose(above(volume, previousOrZero(volume)), percent, 0);
    return { pvi: add(total(counted), 1000) };
  },
});
