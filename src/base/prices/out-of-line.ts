/** Finds daily bars that lie apart from those on both sides: exchanged days, and wrong opens and closes. */

type Prices = Record<'open' | 'high' | 'low' | 'close', ArrayLike<number>>;

/** Factors from which a whole bar, and an open or a close alone, is apart. */
const [APART_MIN, ALONE_MIN] = [1.05, 1.3];
/** Multiples of the usual step over night from which they count. */
const [APART_STEPS, ALONE_STEPS] = [2, 3];
/** Bars on each side whose steps are usual ones, and the fewest steps. */
const [BARS_BESIDE, STEPS_MIN] = [31, 10];

/**
 * Returns true for a bar that opens apart from the close before, and from whose close the next one
 * opens as far back, without a common price with either; or whose open or close alone is far from the
 * prices before and after it. Usual steps over night beside it are much smaller.
 */
export function isOutOfLine({ open, high, low, close }: Prices, row: number): boolean {
  if (row < 1 || row + 1 >= close.length) return false;
  const [before, after] = [close[row - 1], open[row + 1]];
  const [into, own, out] = [open[row] / before, open[row] / close[row], close[row] / after];
  const isAbove = low[row] > Math.max(high[row - 1], high[row + 1]);
  const isBelow = high[row] < Math.min(low[row - 1], low[row + 1]);
  const apart = isAbove || isBelow ? common(into, out) : 0;
  // The step that leaves the bar out is no move of the market.
  const isApart = apart >= Math.log(APART_MIN) && 3 * distance(after, before) <= apart;
  const alone = Math.max(
    Math.min(common(into, own), common(own, open[row] / after)),
    Math.min(common(1 / own, out), common(out, close[row] / before)),
  );
  const isAlone = alone >= Math.log(ALONE_MIN);
  if (!isApart && !isAlone) return false;
  const usual = usualStep(open, close, row);
  return (isApart && apart >= APART_STEPS * usual) || (isAlone && alone >= ALONE_STEPS * usual);
}

const distance = (a: number, b: number) => Math.abs(Math.log(a / b));

/** Returns the smaller of two moves in one direction, 0 if they have two. */
function common(a: number, b: number): number {
  return a > 1 === b > 1 ? Math.min(distance(a, 1), distance(b, 1)) : 0;
}

/** Returns the second largest step over night of the bars beside; infinite if they are few. */
function usualStep(open: ArrayLike<number>, close: ArrayLike<number>, row: number): number {
  const steps: number[] = [];
  const last = Math.min(close.length - 1, row + BARS_BESIDE);
  for (let at = Math.max(1, row - BARS_BESIDE); at <= last; at++) {
    if (Math.abs(at - row) > 2) steps.push(distance(open[at], close[at - 1]));
  }
  return steps.length < STEPS_MIN ? Infinity : steps.sort((a, b) => b - a)[1];
}
