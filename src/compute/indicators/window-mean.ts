/** For windows that sums over blocks can't do well: a far outlier at the start of a block. */

/**
 * A close this many times the mean before it makes a bad pivot: the other differences from it
 * all have its size, and hundreds of them lose more digits than the bounds allow.
 */
const OUTLIER_RATIO = 32;

/**
 * Whether the closes of a block can't be summed as differences from its first one.
 *
 * @param meanBefore Mean of the block before; known when the block starts, so that no result
 *   depends on later closes. NaN says that there is none.
 */
export function isOutlier(firstClose: number, meanBefore: number): boolean {
  return Math.abs(firstClose) > OUTLIER_RATIO * Math.abs(meanBefore);
}

/**
 * Mean of the `period` closes that end at `row`, as differences from the smallest of them: equal
 * closes give exactly that close, and prices of any size nothing that cancels. Costs a pass over
 * the window.
 */
export function meanOfWindow(close: Float64Array, row: number, period: number): number {
  let pivot = close[row];
  for (let i = row - period + 1; i < row; i++) {
    if (Math.abs(close[i]) < Math.abs(pivot)) pivot = close[i];
  }
  let sum = 0;
  for (let i = row - period + 1; i <= row; i++) sum += close[i] - pivot;
  return pivot + sum / period;
}
