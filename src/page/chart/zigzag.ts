/**
 * ZigZag: straight lines between turning points. It looks ahead, since later bars decide where a leg
 * ends; so only charts draw it, and conditions can't use it.
 */

import type { Indicator } from '../../../clients/typescript/operations.js';
import type { Series } from './series.ts';

const NAME = 'zigzag';
const PERCENT = { name: 'percent', default: 5, min: 0.1, max: 90, integer: false };

/** The row that it would have in the catalogue of the server. */
export const ZIGZAG: Indicator = {
  name: NAME,
  title: 'ZigZag',
  params: [PERCENT],
  mainOutput: NAME,
  outputs: [{ name: NAME, column: '', isPrice: true }],
};

/** Returns true for the text of an indicator that the page computes from the bars it has. */
export function isDrawn(key: string): boolean {
  return key === NAME || key.startsWith(`${NAME}:`);
}

/** Adds the columns of those among some indicators. */
export function withDrawn(series: Series, keys: readonly string[]): Series {
  const drawn = keys.filter(isDrawn);
  if (drawn.length === 0) return series;
  const columns = drawn.map((key) => [key, zigzag(series, percentOf(key))] as const);
  return { ...series, indicators: new Map([...series.indicators, ...columns]) };
}

function percentOf(key: string): number {
  const given = Number(key.split(':')[1] ?? PERCENT.default);
  return Math.min(PERCENT.max, Math.max(PERCENT.min, given));
}

/**
 * @param percent Smallest move from one turning point to the next.
 * @returns by bar, the price on the line; NaN outside the first and the last turning point. The last
 *   one is the furthest price so far.
 */
export function zigzag({ high, low }: Pick<Series, 'high' | 'low'>, percent: number): Float64Array {
  const line = new Float64Array(high.length).fill(Number.NaN);
  let [top, bottom] = [0, 0];
  let isRising: boolean | undefined;
  let pivot: number | undefined;
  const turnAt = (row: number, price: number) => {
    if (pivot !== undefined) {
      const [from, step] = [line[pivot], (price - line[pivot]) / (row - pivot)];
      for (let at = pivot + 1; at < row; at++) line[at] = from + step * (at - pivot);
    }
    line[row] = price;
    pivot = row;
  };
  for (let row = 0; row < high.length; row++) {
    if (high[row] > high[top]) top = row;
    if (low[row] < low[bottom]) bottom = row;
    if (isRising !== false && top < row && low[row] <= high[top] * (1 - percent / 100)) {
      turnAt(top, high[top]);
      [isRising, bottom] = [false, row];
    } else if (
      isRising !== true &&
      bottom < row &&
      high[row] >= low[bottom] * (1 + percent / 100)
    ) {
      turnAt(bottom, low[bottom]);
      [isRising, top] = [true, row];
    }
  }
  if (isRising === true && top !== pivot) turnAt(top, high[top]);
  if (isRising === false && bottom !== pivot) turnAt(bottom, low[bottom]);
  return line;
}
