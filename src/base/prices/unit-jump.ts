/** The jump of a series whose unit changes: cents for dollars, or a point in another place. */

/** Farthest distance of a jump from its power of ten, in logarithms: what prices move overnight. */
const UNIT_NOISE = Math.log(1.15);

/** Change of the next bar, as a factor, from which a price goes back, as after one wrong bar. */
const RETURN_MIN = 3;

export interface UnitBars {
  open: Float64Array;
  close: Float64Array;
  volume: Float64Array;
}

/**
 * Returns the power of ten that a jump is near, one of 100 to 10,000 or a fraction of them. A tenth
 * or the tenfold happens to real prices.
 */
export function unitOf(jump: number): number | undefined {
  const exponent = Math.round(Math.log10(jump));
  if (Math.abs(exponent) < 2 || Math.abs(exponent) > 4) return undefined;
  const unit = 10 ** exponent;
  return Math.abs(Math.log(jump / unit)) <= UNIT_NOISE ? unit : undefined;
}

/**
 * Returns true if the prices from a row on are a power of ten of those before it. One wrong bar does
 * not count, because the next one goes back. Neither does a split of 100:1, which leaves the traded
 * money as it was, nor news, which multiply it.
 *
 * @param volumeBars Bars on each side whose volume is compared.
 */
export function isUnitJump(
  { open, close, volume }: UnitBars,
  row: number,
  volumeBars: number,
): boolean {
  const jump = close[row] / close[row - 1];
  const unit = unitOf(jump);
  // A price that falls within its bar is a crash.
  if (unit === undefined || unitOf(open[row] / close[row - 1]) !== unit) return false;
  const beside = [close[row + 1] / close[row], close[row - 1] / close[row - 2]];
  if (beside.some((move) => Math.abs(Math.log(move)) >= Math.log(RETURN_MIN))) return false;
  const volumes = volume.subarray(Math.max(0, row - volumeBars), row + volumeBars);
  const isTold = volumes.some((shares) => shares !== volumes[0]);
  if (!isTold) return true;
  const before = medianOfTraded(volume.subarray(Math.max(0, row - volumeBars), row));
  const after = medianOfTraded(volume.subarray(row, row + volumeBars));
  // The traded money moves as the price does if the volume stays: share 1; after a split it is 0.
  const share = Math.log((after / before) * jump) / Math.log(jump);
  return Number.isNaN(share) || (share > 0.5 && share < 2);
}

/** Factor from which a price that jumps between two bars, and stays, is another level. */
export const LEVEL_MIN = 3;
/** Bars on each side that show a level, and how far they may be from it. */
const LEVEL_BARS = 3;
const LEVEL_NOISE = Math.log(1.5);

/**
 * Returns true if the price opens at another level than that of the bars before, and the next ones
 * stay there. A reverse split does so, and two securities one after the other.
 */
export function isLevelJump({ open, close }: UnitBars, row: number): boolean {
  const [before, after] = [close[row - 1], close[row]];
  const moves = [open[row] / before, after / before].map(Math.log);
  if (moves.some((move) => Math.abs(move) < Math.log(LEVEL_MIN))) return false;
  const isNear = (level: number) => (price: number) =>
    Math.abs(Math.log(price / level)) <= LEVEL_NOISE;
  return (
    close.subarray(Math.max(0, row - LEVEL_BARS), row).every(isNear(before)) &&
    close.subarray(row, row + LEVEL_BARS).every(isNear(after))
  );
}

/** Bars at most that are wrong between others, and not another level. */
const SPIKE_BARS = 5;
/** Factor from which bars are far from those beside them, and how near the price then comes back. */
export const SPIKE_MIN = 2;
const SPIKE_NOISE = Math.log(1.1);

/** Returns how many bars from a row on are far from those before, after which the price goes back. */
export function spikeLength({ close }: Pick<UnitBars, 'close'>, row: number): number | undefined {
  const [before, own] = [close[row - 1], close[row]];
  const move = Math.abs(Math.log(own / before));
  const noise = move < Math.log(LEVEL_MIN) ? SPIKE_NOISE : LEVEL_NOISE;
  if (move < Math.log(SPIKE_MIN)) return undefined;
  for (let bars = 1; bars <= SPIKE_BARS; bars++) {
    const next = close[row + bars];
    if (Math.abs(Math.log(next / before)) <= noise) return bars;
    if (!(Math.abs(Math.log(next / own)) <= LEVEL_NOISE)) return undefined;
  }
  return undefined;
}

/** Open of a bar as a multiple of the close before it, and its place in the series. */
export interface NightStep {
  place: number;
  ratio: number;
}

/** Step from which a price that goes back is of another unit, and how near it then comes back. */
const BACK_MIN = Math.log(1.25);
const BACK_NOISE = 0.03;
/** Bars at most that are at another level, and bars on each side whose steps are half as large. */
const [BACK_BARS, BESIDE_BARS] = [30, 31];
/** Steps that `levelsThatGoBack` needs, as a factor. */
export const NIGHT_STEP_MIN = Math.exp(BACK_MIN / 2);

/**
 * Returns the steps to another level from which a price goes back by the same factor some bars later,
 * as where some days are in another currency. Steps beside them are half as large, but for one.
 *
 * @param steps Steps of one series by `NIGHT_STEP_MIN` or more, in order.
 */
export function levelsThatGoBack<Step extends NightStep>(steps: readonly Step[]): Step[] {
  const sizes = steps.map(({ ratio }) => Math.log(ratio));
  return steps.filter(({ place }, from) => {
    const size = Math.abs(sizes[from]);
    const to = steps.findIndex(
      (step, at) => step.place > place + 1 && Math.abs(sizes[from] + sizes[at]) <= BACK_NOISE,
    );
    if (size < BACK_MIN || to === -1 || steps[to].place > place + BACK_BARS) return false;
    const isBeside = (step: Step) =>
      step.place >= place - BESIDE_BARS && step.place <= steps[to].place + BESIDE_BARS;
    const others = steps.filter(
      (step, at) => at !== from && at !== to && isBeside(step) && Math.abs(sizes[at]) >= size / 2,
    );
    return others.length < 2;
  });
}

/** Returns the median of the bars that traded; NaN if none did. */
function medianOfTraded(volume: Float64Array): number {
  const traded = volume.filter((shares) => shares > 0).sort();
  return traded.length > 0 ? traded[traded.length >> 1] : Number.NaN;
}
