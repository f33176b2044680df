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
 * Negative Volume Index: percent changes of the close on bars whose volume falls, added up from
 * 1000 at the first bar. Some libraries compound them instead.
 *
 * @see Fosback 1976, Stock Market Logic.
 */
export const nvi = indicator({
  name: 'nvi',
  title: 'Negative Volume Index',
  columns: ({ close, volume }) => {
    const last = previousOrZero(close);
    const percent = multiply(divideOr(subtract(close, last), last, 0), 100);
    const counted = choose(above(previousOrZero(volume), volume), percent, 0);
    return { nvi: add(total(counted), 1000) };
  },
});
