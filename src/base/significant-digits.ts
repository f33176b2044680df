/** Numbers with a few significant digits, for readers who need no more. */

/** Powers of ten that a float64 holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** Digits up to which a scaled number is a safe integer. */
const SCALED_DIGITS_MAX = 15;

/** Bound of the error of a scaled number, as a share of it: twice the half of a last place. */
const SCALE_ERROR = 2 ** -52;

const exactly = (value: number, digits: number): number => Number(value.toPrecision(digits));

/**
 * Returns a function that rounds to the nearest number of `digits` significant digits, as
 * `Number(value.toPrecision(digits))` does, which takes several times as long. What is not finite stays.
 */
export function rounderTo(digits: number): (value: number) => number {
  if (digits > SCALED_DIGITS_MAX) return (value) => exactly(value, digits);
  const [least, most] = [POWERS[digits - 1], POWERS[digits]];
  // Values of a column are mostly of one size, so that of the one before is tried first.
  let shift = 0;
  return (value) => {
    if (value === 0 || !Number.isFinite(value)) return value;
    const size = Math.abs(value);
    let scaled = scaledBy(size, shift);
    if (!(scaled >= least && scaled < most)) {
      // The logarithm may be off by one near a power of ten.
      shift = digits - 1 - Math.floor(Math.log10(size));
      scaled = scaledBy(size, shift);
      if (scaled >= most) scaled = scaledBy(size, --shift);
      else if (scaled < least) scaled = scaledBy(size, ++shift);
    }
    const whole = Math.round(scaled);
    // Near the middle between two, the error of the product would decide.
    const isSure = Math.abs(Math.abs(scaled - whole) - 0.5) > scaled * SCALE_ERROR;
    if (!isSure || Math.abs(shift) >= POWERS.length) return exactly(value, digits);
    const rounded = shift < 0 ? whole * POWERS[-shift] : whole / POWERS[shift];
    return value < 0 ? -rounded : rounded;
  };
}

/** @returns NaN for a power that no float64 holds exactly. */
function scaledBy(size: number, shift: number): number {
  return shift < 0 ? size / POWERS[-shift] : size * POWERS[shift];
}

/** Returns the same; without `digits`, a function that changes nothing. */
export function rounderOrNone(digits: number | undefined): (value: number) => number {
  return digits === undefined ? (value) => value : rounderTo(digits);
}

/** Rounds a column into one of its own. */
export function roundedColumn(values: Float64Array, digits: number): Float64Array {
  const round = rounderTo(digits);
  const rounded = new Float64Array(values.length);
  // The runtime inlines the function here, and not in `map`.
  for (let row = 0; row < values.length; row++) rounded[row] = round(values[row]);
  return rounded;
}
