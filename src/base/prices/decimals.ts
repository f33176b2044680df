/** Decimals without the noise of float64 arithmetic: sums, products, volumes. */

/** Powers of ten for the decimals that quoted prices have. */
const SCALES = Array.from({ length: 9 }, (_, decimals) => 10 ** decimals);

/** Returns the sum of decimals, the shortest texts of the values. It has no more decimals than they. */
export function decimalSum(values: readonly number[]): number {
  let sum = 0;
  let decimals = 0;
  for (const value of values) {
    sum += value;
    decimals = Math.max(decimals, decimalsOf(value));
  }
  return rounded(sum, decimals);
}

/** Returns the product of two decimals, the shortest texts of both. It has the decimals of both. */
export function decimalProduct(a: number, b: number): number {
  return rounded(a * b, decimalsOf(a) + decimalsOf(b));
}

function rounded(value: number, decimals: number): number {
  if (decimals === 0) return value;
  if (decimals < SCALES.length) {
    const whole = Math.round(value * SCALES[decimals]);
    if (Math.abs(whole) <= Number.MAX_SAFE_INTEGER) return whole / SCALES[decimals];
  }
  // A product with a larger power of ten is rounded itself.
  return decimals <= 100 ? Number(value.toFixed(decimals)) : value;
}

/** Counts the decimals of the shortest text: 2 of 1.25, 7 of 1e-7. */
function decimalsOf(value: number): number {
  if (Number.isInteger(value)) return 0;
  const few = SCALES.findIndex((scale) => {
    const whole = Math.round(value * scale);
    return Math.abs(whole) <= Number.MAX_SAFE_INTEGER && whole / scale === value;
  });
  if (few >= 0) return few;
  // Prices with 16 or 17 digits, which splits and dividends make.
  const [digits, exponent = '0'] = String(value).split('e');
  const point = digits.indexOf('.');
  const written = point < 0 ? 0 : digits.length - point - 1;
  return Math.max(0, written - Number(exponent));
}

/** Formats a value of some significant digits without an exponent: 0.0000001. */
export function plainText(value: number, digits: number): string {
  const exact = Number(value.toPrecision(digits));
  const text = String(exact);
  return text.includes('e-') ? exact.toFixed(Math.min(100, decimalsOf(exact))) : text;
}

/** Millionths: vendors give fractions of shares with at most six decimals. */
const VOLUME_SCALE = 1e6;

/**
 * Returns a volume as texts have it: at most six decimals, which leaves out the noise of float64
 * arithmetic in sums, and in volumes that splits have scaled.
 */
export function volumeNumber(volume: number): number {
  return Number.isInteger(volume) ? volume : Math.round(volume * VOLUME_SCALE) / VOLUME_SCALE;
}
