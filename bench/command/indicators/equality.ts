/** Compares a peer's columns with ours, and names the kind of difference. */

import type { Check } from '../report/document.ts';

/** Largest difference that counts as rounding, as a share of the value or of 1. */
export const TOLERANCE = 1e-9;

/** Share of the bars at the end on which a value must be equal, once another start has faded. */
const SETTLED_SHARE = 0.1;

/** Bars by which a peer may place the same values earlier or later. */
const SHIFT_MAX = 60;

type Column = ArrayLike<number | null | undefined>;

export type Equality = Pick<Check, 'status' | 'detail'>;

/**
 * Compares the outputs that both have. Columns may be shorter than ours: their ends belong together.
 *
 * @param period Parameter of that name, which tells a sample's deviation from a population's.
 */
export function compareOutputs(
  ours: Readonly<Record<string, Float64Array>>,
  theirs: Readonly<Record<string, Column>>,
  period: number | undefined,
): Equality {
  const names = Object.keys(ours).filter((name) => theirs[name] !== undefined);
  if (names.length === 0) return { status: 'different', detail: 'no output in common' };
  const results = names.map(
    (name) => [name, compareColumn(ours[name], theirs[name], period)] as const,
  );
  const worst = (['different', 'settles', 'equal'] as const).find((status) =>
    results.some(([, result]) => result.status === status),
  )!;
  const lacking = Object.keys(ours).filter((name) => !names.includes(name));
  const details = results.filter(([, { detail }]) => detail !== '');
  const texts = new Set(details.map(([, { detail }]) => detail));
  const parts =
    texts.size === 1 && details.length === results.length
      ? [...texts]
      : details.map(([name, { detail }]) => (names.length > 1 ? `${name}: ${detail}` : detail));
  if (lacking.length > 0) parts.push(`without ${lacking.join(', ')}`);
  return { status: worst, detail: parts.join('; ') };
}

export function compareColumn(
  ours: Float64Array,
  column: Column,
  period: number | undefined,
): Equality {
  const theirs = alignedEnd(column, ours.length);
  const [first, theirFirst] = [firstValue(ours), firstValue(theirs)];
  if (theirFirst === ours.length || first === ours.length) {
    return { status: 'different', detail: 'no values to compare' };
  }
  const start = first === theirFirst ? '' : `first value at bar ${theirFirst} instead of ${first}`;
  const from = Math.max(first, theirFirst);
  const lastWrong = lastDifference(ours, theirs, from);
  if (lastWrong < from) return { status: 'equal', detail: start };
  const settled = Math.floor(ours.length * (1 - SETTLED_SHARE));
  if (lastWrong < settled) {
    const detail = `another start, equal from bar ${lastWrong + 1} on`;
    return { status: 'settles', detail: start ? `${start}; ${detail}` : detail };
  }
  const fading = fadingError(ours, theirs, from);
  if (fading !== undefined) {
    const detail = `another start, still fading: ${fading.toPrecision(2)} of the value at the end`;
    return { status: 'settles', detail: start ? `${start}; ${detail}` : detail };
  }
  return { status: 'different', detail: kindOfDifference(ours, theirs, from, period) };
}

/** Largest error at the end that can be the rest of another start. */
const FADING_MAX = 1e-3;

/** Returns the error at the end if it has halved in each of the last quarters, else undefined. */
function fadingError(ours: Float64Array, theirs: Float64Array, from: number): number | undefined {
  const quarter = Math.floor((ours.length - from) / 4);
  if (quarter < 2) return undefined;
  const errors = [0, 1, 2, 3].map((i) =>
    largestError(ours, theirs, from + i * quarter, from + (i + 1) * quarter),
  );
  const isFading = errors.every((error, i) => i === 0 || error <= errors[i - 1] / 2);
  return isFading && errors[3] <= FADING_MAX ? errors[3] : undefined;
}

/** Returns infinity where only one of the columns has a value. */
function largestError(ours: Float64Array, theirs: Float64Array, from: number, end: number): number {
  let most = 0;
  for (let row = from; row < end; row++) {
    if (Number.isNaN(ours[row]) !== Number.isNaN(theirs[row])) return Number.POSITIVE_INFINITY;
    const error = Math.abs(theirs[row] - ours[row]) / Math.max(1, Math.abs(ours[row]));
    if (error > most) most = error;
  }
  return most;
}

/** Puts a column behind missing values, so that its end is at the last bar. */
function alignedEnd(column: Column, length: number): Float64Array {
  const aligned = new Float64Array(length).fill(Number.NaN);
  const skipped = Math.max(0, column.length - length);
  const from = length - (column.length - skipped);
  for (let i = skipped; i < column.length; i++) {
    aligned[from + i - skipped] = column[i] ?? Number.NaN;
  }
  return aligned;
}

function firstValue(column: Float64Array): number {
  const first = column.findIndex(Number.isFinite);
  return first < 0 ? column.length : first;
}

/** Returns the last row whose values differ, or -1. A value that only one has differs. */
function lastDifference(ours: Float64Array, theirs: Float64Array, from: number): number {
  for (let row = ours.length - 1; row >= from; row--) {
    if (!isNear(ours[row], theirs[row])) return row;
  }
  return -1;
}

function isNear(a: number, b: number, tolerance = TOLERANCE): boolean {
  if (Number.isNaN(a)) return Number.isNaN(b);
  return Math.abs(a - b) <= tolerance * Math.max(1, Math.abs(a));
}

function kindOfDifference(
  ours: Float64Array,
  theirs: Float64Array,
  from: number,
  period: number | undefined,
): string {
  const rows = Array.from({ length: ours.length - from }, (_, i) => from + i).filter(
    (row) => Number.isFinite(ours[row]) && Number.isFinite(theirs[row]),
  );
  const late = rows.slice(-Math.max(2, Math.floor(rows.length * SETTLED_SHARE)));
  if (late.length < 2) return 'no values to compare';
  const factor = theirs[late[0]] / ours[late[0]];
  if (late.every((row) => isNear(ours[row] * factor, theirs[row]))) {
    const isSample =
      period !== undefined && period > 1 && isNear(factor, Math.sqrt(period / (period - 1)));
    return isSample
      ? 'divides by period − 1 (deviation of a sample)'
      : `${Number(factor.toPrecision(6))} times our values`;
  }
  const offset = theirs[late[0]] - ours[late[0]];
  if (late.every((row) => isNear(ours[row] + offset, theirs[row]))) {
    return `our values plus ${Number(offset.toPrecision(6))}`;
  }
  for (const decimals of [2, 4]) {
    const unit = 10 ** -decimals;
    const isRounded = late.every(
      (row) =>
        Math.abs(theirs[row] - ours[row]) <= unit / 2 + TOLERANCE &&
        isNear(Math.round(theirs[row] / unit) * unit, theirs[row]),
    );
    if (isRounded) return `rounded to ${decimals} decimals`;
  }
  for (let shift = 1; shift <= SHIFT_MAX; shift++) {
    for (const [by, word] of [
      [shift, 'later'],
      [-shift, 'earlier'],
    ] as const) {
      const placed = late.filter((row) => row - by >= from && row - by < ours.length);
      if (placed.length > 1 && placed.every((row) => isNear(ours[row - by], theirs[row]))) {
        return `the same values ${shift} ${shift === 1 ? 'bar' : 'bars'} ${word}`;
      }
    }
  }
  const worst = late.reduce(
    (most, row) => Math.max(most, largestError(ours, theirs, row, row + 1)),
    0,
  );
  return `another definition: up to ${worst.toPrecision(2)} of the value apart at the end`;
}
