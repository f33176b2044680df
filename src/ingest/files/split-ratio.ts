/** Relative error of a ratio. Vendors write a third as 0.333333 and a seventh as 0.142857. */
const TOLERANCE = 2e-6;

/** Finds the simplest whole numbers of new and old shares near `ratio`, by continued fraction. */
export function splitFromRatio(ratio: number): { numerator: number; denominator: number } {
  let [numerator, previousNumerator] = [1, 0];
  let [denominator, previousDenominator] = [0, 1];
  let rest = ratio;
  for (;;) {
    const whole = Math.floor(rest);
    [numerator, previousNumerator] = [whole * numerator + previousNumerator, numerator];
    [denominator, previousDenominator] = [whole * denominator + previousDenominator, denominator];
    if (Math.abs(numerator / denominator - ratio) <= ratio * TOLERANCE) break;
    rest = 1 / (rest - whole);
  }
  return { numerator, denominator };
}
