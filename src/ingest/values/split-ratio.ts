/** Ratios of splits in whole numbers, as exact as their source states them. */

import type { Split } from '../../base/bars.ts';

/** A split's new and old shares, in lowest terms. */
export type Shares = Omit<Split, 'exDay'>;

/** Digits that arithmetic on a vendor's decimals leaves right. */
const DIGITS = 12;

/** Largest power of ten as a denominator: beyond it, the products of splits are not exact. */
const DECIMALS_MAX = 9;

/**
 * Chance that a decimal is near a fraction that it does not mean. 0.333 and 0.0667 are below it,
 * and 1.253, which 99:79 gives too, is far above.
 */
const CHANCE_MAX = 0.03;

/**
 * Returns new shares for old ones in whole numbers: those that a short decimal states, as 1253:1000
 * for 1.253. A decimal that only ends because its vendor rounds or cuts it, as 0.333333, is the
 * fraction that it stands for.
 */
export function splitFromRatio(ratio: number): Shares {
  const shown = Number(ratio.toPrecision(DIGITS));
  const decimals = decimalsOf(shown);
  const rounded = roundedFraction(shown, decimals);
  if (rounded) return rounded;
  const scale = 10 ** Math.min(decimals, DECIMALS_MAX);
  return lowestTerms(Math.max(Math.round(shown * scale), 1), scale);
}

/** Returns the split of two numbers of shares as stated: 1253 and 1000, 1.5 and 1. */
export function splitOfShares(newShares: number, oldShares: number): Shares {
  const [above, below] = [splitFromRatio(newShares), splitFromRatio(oldShares)];
  return lowestTerms(above.numerator * below.denominator, above.denominator * below.numerator);
}

function decimalsOf(value: number): number {
  const [digits, exponent = '0'] = value.toExponential().split('e');
  return Math.max((digits.split('.')[1]?.length ?? 0) - Number(exponent), 0);
}

/** Finds the simplest fraction within a unit of the last decimal, unless it may be by chance. */
function roundedFraction(value: number, decimals: number): Shares | undefined {
  const unit = 10 ** -decimals;
  // A cut third is nearly a unit off. 1.001 is a whole one off from 1, and means what it says.
  const errorMax = unit * (decimals >= 6 ? 1.05 : 0.95);
  let [numerator, previousNumerator] = [1, 0];
  let [denominator, previousDenominator] = [0, 1];
  let rest = value;
  for (;;) {
    const whole = Math.floor(rest);
    [numerator, previousNumerator] = [whole * numerator + previousNumerator, numerator];
    [denominator, previousDenominator] = [whole * denominator + previousDenominator, denominator];
    if (numerator * denominator * unit > CHANCE_MAX * value) return undefined;
    if (Math.abs(numerator / denominator - value) <= errorMax) break;
    rest = 1 / (rest - whole);
  }
  return numerator > 0 ? { numerator, denominator } : undefined;
}

function lowestTerms(numerator: number, denominator: number): Shares {
  let [divisor, rest] = [numerator, denominator];
  while (rest !== 0) [divisor, rest] = [rest, divisor % rest];
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}
