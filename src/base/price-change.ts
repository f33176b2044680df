/** Differences of prices without the noise of float64 arithmetic, and moves that are a split's. */

/** Powers of ten for the decimals that quoted prices have. */
const SCALES = Array.from({ length: 9 }, (_, decimals) => 10 ** decimals);

/** Scale of six decimals: a cent shows on prices up to a million. */
const PERCENT_SCALE = 10 ** 6;

/**
 * Returns the exact difference of two decimals, the shortest texts of both prices. It has no more
 * decimals than they have.
 *
 * @returns NaN if a price is NaN.
 */
export function priceChange(price: number, previousClose: number): number {
  for (const scale of SCALES) {
    const now = wholeNumber(price, scale);
    const before = wholeNumber(previousClose, scale);
    if (now !== undefined && before !== undefined) return (now - before) / scale;
  }
  return changeOfLongTexts(price, previousClose);
}

/** Returns a `priceChange` in percent of the close before, rounded to six decimals. */
export function priceChangePct(change: number, previousClose: number): number {
  const percent = (change / previousClose) * 100;
  const rounded = Math.round(Math.abs(percent) * PERCENT_SCALE) / PERCENT_SCALE;
  return percent < 0 && rounded > 0 ? -rounded : rounded;
}

/** Returns value × scale if that is a whole number from which the value follows exactly. */
function wholeNumber(value: number, scale: number): number | undefined {
  const whole = Math.round(value * scale);
  return whole <= Number.MAX_SAFE_INTEGER && whole / scale === value ? whole : undefined;
}

/** Handles prices with 16 or 17 digits, which splits and dividends produce. */
function changeOfLongTexts(price: number, previousClose: number): number {
  const change = price - previousClose;
  const decimals = Math.max(decimalsOf(price), decimalsOf(previousClose));
  return decimals <= 100 ? Number(change.toFixed(decimals)) : change;
}

/** Counts the decimals of the shortest text: 2 of 1.25, 7 of 1e-7. */
function decimalsOf(value: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  const point = digits.indexOf('.');
  const written = point < 0 ? 0 : digits.length - point - 1;
  return Math.max(0, written - Number(exponent));
}

/** Smaller ratios, such as stock dividends, are within what prices move overnight. */
const SPLIT_RATIO_MIN = 1.25;

/** Largest distance from a reading, as a share of the distance between the two, in logarithms. */
const SPLIT_CLOSENESS = 0.35;

/**
 * Tells if a move is a split's.
 *
 * @param move Price before the split ÷ price after it.
 * @param ratio New shares for an old one.
 * @returns `flat` if the price stays where it was; undefined if it does neither, or can't tell.
 */
export function splitMove(move: number, ratio: number): 'jump' | 'flat' | undefined {
  const whole = Math.log(ratio);
  if (Math.abs(whole) < Math.log(SPLIT_RATIO_MIN)) return undefined;
  const share = Math.log(move) / whole;
  if (Math.abs(share - 1) <= SPLIT_CLOSENESS) return 'jump';
  return Math.abs(share) <= SPLIT_CLOSENESS ? 'flat' : undefined;
}
