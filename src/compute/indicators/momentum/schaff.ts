import {
  above,
  type Column,
  choose,
  divide,
  emaLag,
  follow,
  held,
  highest,
  isNull,
  lowest,
  multiply,
  type Operand,
  subtract,
} from '../../columns/column.ts';
import { barsParam, indicator } from '../../columns/indicator-spec.ts';

/** Share of the close, and points: rounding alone moves what stands still by less. */
const STANDSTILL = 1e-9;

/** Place of a column within its last `period` values, 0 to 100, each time moved half-way towards it. */
function cycle(a: Column, period: number, still: Operand): Column {
  const bottom = lowest(a, period);
  const range = subtract(highest(a, period), bottom);
  const moving = choose(above(range, still), range, Number.NaN);
  const place = held(multiply(divide(subtract(a, bottom), moving), 100));
  return follow(choose(isNull(place), 0, place), 0.5);
}

/**
 * Schaff Trend Cycle, 0 to 100: the place of the MACD line within its range of `period` bars, and the
 * place of that place, each smoothed by half. While a range is a billionth of the close, or of a
 * point, its place stays as it is; it begins at 0.
 *
 * @see Schaff 2008, Schaff Trend Cycle.
 */
export const schaff = indicator({
  name: 'schaff',
  title: 'Schaff Trend Cycle',
  params: [barsParam('fast', 23), barsParam('slow', 50), { ...barsParam('period', 10), min: 2 }],
  bounds: { schaff: [0, 100] },
  columns: ({ close }, { fast, slow, period }) => {
    const line = subtract(emaLag(close, fast), emaLag(close, slow));
    const first = cycle(line, period, multiply(close, STANDSTILL));
    return { schaff: cycle(first, period, STANDSTILL) };
  },
});
