import {
  above,
  add,
  type Column,
  choose,
  divideOr,
  multiply,
  previousOrZero,
  subtract,
  total,
} from '../../columns/column.ts';
import { indicator } from '../../columns/indicator-spec.ts';

/** Percent changes of the close on bars that count, added up from 1000 at the first one. */
export function countedChanges(close: Column, isCounted: Column): Column {
  const last = previousOrZero(close);
  const percent = multiply(divideOr(subtract(close, last), last, 0), 100);
  return add(total(choose(isCounted, percent, 0)), 1000);
}

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
    return { nvi: countedChanges(close, above(previousOrZero(volume), volume)) };
  },
});
