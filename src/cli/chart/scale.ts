/** Maps values to rows of a pane, and formats them for its axis. */

export interface Scale {
  min: number;
  max: number;
}

/** Returns the bounds of all finite values; undefined if there is none. */
export function scaleOf(columns: readonly Float64Array[]): Scale | undefined {
  let [min, max] = [Infinity, -Infinity];
  for (const column of columns) {
    for (const value of column) {
      if (!Number.isFinite(value)) continue;
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }
  return min <= max ? { min, max } : undefined;
}

/** Returns the step of a value, from 0 at the bottom to `steps` - 1; a flat scale is in the middle. */
export function stepOf(value: number, { min, max }: Scale, steps: number): number {
  if (max === min) return Math.floor((steps - 1) / 2);
  const step = Math.round(((value - min) / (max - min)) * (steps - 1));
  return Math.max(0, Math.min(steps - 1, step));
}

const COMPACT = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumSignificantDigits: 4,
});

/** Characters that the axis has beside the plot. */
const CHARS_MAX = 9;

/** Formats a value in at most nine characters, with two decimals where they matter. */
export function axisText(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  if (size >= 100_000) return COMPACT.format(value);
  if (size >= 1 || size === 0) return value.toFixed(2);
  const text = String(Number(value.toPrecision(3)));
  return text.length <= CHARS_MAX ? text : value.toExponential(2);
}
