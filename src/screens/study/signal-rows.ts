/** Rows of signals, from bits of rows. */

import type { RowRange } from '../../store/arrow/snapshot/snapshot.ts';

/** `begins`: only the first bar of those on which the condition is true. */
export const STUDY_MODES = ['begins', 'matches'] as const;
export type StudyMode = (typeof STUDY_MODES)[number];

/**
 * Puts the rows of signals in a range into `out`.
 *
 * @param isTrue   Bits of the rows on which the condition is true.
 * @param isMember Those on which the symbol belongs to the universe; undefined for all.
 * @param out      As long as the series.
 * @returns how many there are.
 */
export function takeSignals(
  isTrue: Uint32Array,
  isMember: Uint32Array | undefined,
  { start, end }: RowRange,
  mode: StudyMode,
  out: Int32Array,
): number {
  if (start >= end) return 0;
  const first = start >>> 5;
  const last = (end - 1) >>> 5;
  const begins = mode === 'begins' ? -1 : 0;
  let count = 0;
  let carry = first > 0 ? isTrue[first - 1] >>> 31 : 0;
  for (let word = first; word <= last; word++) {
    const bits = isTrue[word];
    let signals = bits & ~(((bits << 1) | carry) & begins);
    carry = bits >>> 31;
    if (signals === 0) continue;
    if (isMember) signals &= isMember[word];
    if (word === first) signals &= -1 << (start & 31);
    if (word === last) signals &= -1 >>> (31 - ((end - 1) & 31));
    for (; signals !== 0; signals &= signals - 1) {
      out[count++] = word * 32 + 31 - Math.clz32(signals & -signals);
    }
  }
  return count;
}

/**
 * Puts the bits of the rows on which all conditions are true into `out`, and returns it.
 *
 * @param truths     Bits of each condition.
 * @param conditions Numbers of those that count.
 */
export function allTrue(
  truths: readonly Uint32Array[],
  conditions: readonly number[],
  out: Uint32Array = new Uint32Array(truths[conditions[0]].length),
): Uint32Array {
  out.fill(-1);
  for (let i = 0; i < conditions.length; i++) {
    const bits = truths[conditions[i]];
    for (let word = 0; word < bits.length; word++) out[word] &= bits[word];
  }
  return out;
}

/** Returns the bit of a row. */
export function hasBit(bits: Uint32Array, row: number): boolean {
  return ((bits[row >>> 5] >>> (row & 31)) & 1) === 1;
}
