import {
  above,
  add,
  type Column,
  change,
  divide,
  multiply,
  negation,
  percentChange,
  placeAmong,
  relativeStrength,
  subtract,
  total,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/** Number of rows in a row, up to this one, on which a condition is 1. */
const inARow = (condition: Column) => total(condition, negation(condition));

/**
 * Connors RSI, 0 to 100: the mean of the RSI of the close over `rsi` bars, the RSI over `streak` bars
 * of the number of closes in a row that rose (fell: negative), and the percentage of the `rank` last
 * changes in percent that are less than the present one.
 *
 * @see Connors and Alvarez 2012, An Introduction to ConnorsRSI.
 */
export const connorsRsi = indicator({
  name: 'connors_rsi',
  title: 'Connors RSI',
  params: [barsParam('rsi', 3), barsParam('streak', 2), barsParam('rank', 100)],
  bounds: { connors_rsi: [0, 100] },
  columns: ({ close }, { rsi, streak, rank }) => {
    const move = change(close);
    const run = subtract(inARow(above(move, 0)), inARow(above(0, move)));
    const { below } = placeAmong(percentChange(close, 1), rank + 1);
    const share = multiply(divide(below, rank), 100);
    const both = add(relativeStrength(close, rsi), relativeStrength(run, streak));
    return { connors_rsi: divide(add(both, share), 3) };
  },
});
