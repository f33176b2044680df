/** Numbers as people read them, with units. All share one locale, so that columns agree. */

const LOCALE = 'en-US';

const MISSING = '–';

const price2 = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const price4 = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});
const count = new Intl.NumberFormat(LOCALE);
const small = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 4 });
const compact = new Intl.NumberFormat(LOCALE, {
  notation: 'compact',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const compactWhole = new Intl.NumberFormat(LOCALE, {
  notation: 'compact',
  maximumFractionDigits: 2,
});
const fixed4 = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: 4,
  maximumFractionDigits: 4,
});

/** Formats a value; below a cent, its significant digits matter instead of decimals. */
function formatted(format: Intl.NumberFormat, value: number): string {
  const isSmall = value !== 0 && Math.abs(value) < 0.01;
  return (isSmall ? small : format).format(value);
}

type MaybeNumber = number | null | undefined;

function isMissing(value: MaybeNumber): value is null | undefined {
  return value === null || value === undefined || !Number.isFinite(value);
}

/** Below a dollar, cents have fractions. */
export function priceText(value: MaybeNumber): string {
  if (isMissing(value)) return MISSING;
  return formatted(Math.abs(value) < 1 ? price4 : price2, value);
}

/** Shares may have fractions. */
export function countText(value: MaybeNumber): string {
  return isMissing(value) ? MISSING : formatted(count, value);
}

/** Short form: 4.09K, 1.28B. */
export function compactText(value: MaybeNumber): string {
  if (isMissing(value)) return MISSING;
  return formatted(Math.abs(value) < 1000 ? compactWhole : compact, value);
}

/** Shortest form, for the values of an axis: 500M. */
export function axisText(value: number): string {
  return `${value < 0 ? '−' : ''}${formatted(compactWhole, Math.abs(value))}`;
}

/** @param value In US dollars. */
export function dollarsText(value: MaybeNumber): string {
  if (isMissing(value)) return MISSING;
  return `${value < 0 ? '−' : ''}$${compactText(Math.abs(value))}`;
}

const byteUnits = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Size in the largest fitting decimal unit: 30.9 MB. */
export function bytesText(value: number): string {
  const power = value < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** power;
  const digits = power === 0 || scaled >= 100 ? 0 : 1;
  return `${scaled.toFixed(digits)} ${byteUnits[power]}`;
}

/** Price with a sign, for changes. */
export function changeText(value: MaybeNumber): string {
  if (isMissing(value)) return MISSING;
  return `${signText(value)}${priceText(Math.abs(value))}`;
}

/** @param value In percent, not a fraction. */
export function percentText(value: MaybeNumber, isSigned = false): string {
  if (isMissing(value)) return MISSING;
  const sign = isSigned ? signText(value) : value < 0 ? '−' : '';
  return `${sign}${price2.format(Math.abs(value))}%`;
}

/** Value whose unit is the indicator's own: decimals by its size, the same for neighbours. */
export function valueText(value: MaybeNumber): string {
  if (isMissing(value)) return MISSING;
  const size = Math.abs(value);
  const format = size >= 1e6 ? compact : size >= 10 ? price2 : fixed4;
  return `${value < 0 ? '−' : ''}${formatted(format, size)}`;
}

function signText(value: number): string {
  if (value > 0) return '+';
  return value < 0 ? '−' : '';
}
