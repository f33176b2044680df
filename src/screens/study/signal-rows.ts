/** Rows of signals, from bits of rows. */

import type { RowRange } from '../../store/arrow/snapshot/snapshot.ts';

/** `begins`: only the first bar of those on which the condition is true. */
export const STUDY_MODES = ['begins', 'matches'] as const;
export type StudyMode = (typeof STUDY_MODES)[number];

/**
 * Returns the rows of signals in a range.
 *
 * @param truths   Bits of the rows on which each of its conditions is true.
 * @param isMember Those on which the symbol belongs to the universe; undefined for all.
 */
export function signalRows(
  truths: readonly Uint32Array[],
  isMember: Uint32Array | undefined,
  { start, end }: RowRange,
  mode: StudyMode,
): number[] {
  const rows: number[] = [];
  if (start >= end) return rows;
  const first = start >>> 5;
  let carry = first > 0 ? wordOf(truths, first - 1) >>> 31 : 0;
  for (let word = first; word <= (end - 1) >>> 5; word++) {
    const bits = wordOf(truths, word);
    let signals = mode === 'begins' ? bits & ~((bits << 1) | carry) : bits;
    carry = bits >>> 31;
    if (isMember) signals &= isMember[word];
    for (; signals !== 0; signals &= signals - 1) {
      const row = word * 32 + 31 - Math.clz32(signals & -signals);
      if (row >= start && row < end) rows.push(row);
    }
  }
  return rows;
}

/** Returns the bits of the rows on which all conditions are true. */
export function allTrue(truths: readonly Uint32Array[]): Uint32Array {
  if (truths.length === 1) return truths[0];
  return truths[0].map((_, word) => wordOf(truths, word));
}

function wordOf(truths: readonly Uint32Array[], word: number): number {
  let bits = -1;
  for (let i = 0; i < truths.length; i++) bits &= truths[i][word];
  return bits;
}

/** Returns the bit of a row. */
export function hasBit(bits: Uint32Array, row: number): boolean {
  return ((bits[row >>> 5] >>> (row & 31)) & 1) === 1;
}
