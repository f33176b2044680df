/** Rows of signals, from bits of rows. */

import type { RowRange } from '../../store/arrow/snapshot/snapshot.ts';

/** `begins`: only the first bar of those on which the condition is true. */
export const STUDY_MODES = ['begins', 'matches'] as const;
export type StudyMode = (typeof STUDY_MODES)[number];

/** Rows of signals, each with a bit for each study that has it. */
export interface SignalRows {
  rows: Int32Array;
  masks: Uint16Array;
}

/** Memory for bits of signals: of each study, and of any. */
let scratch = new Int32Array(0);

/**
 * Puts the rows of signals of studies in a range into `out`: all conditions of a study are true.
 *
 * @param truths   Bits of each condition.
 * @param studies  Numbers of the conditions of each study, at most 16 studies.
 * @param isMember Bits of the rows on which the symbol belongs to the universe; undefined for all.
 * @param out      As long as the series.
 * @returns how many there are.
 */
export function takeSignals(
  { truths, studies }: { truths: readonly Uint32Array[]; studies: readonly (readonly number[])[] },
  isMember: Uint32Array | undefined,
  { start, end }: RowRange,
  mode: StudyMode,
  { rows, masks }: SignalRows,
): number {
  if (start >= end) return 0;
  const first = start >>> 5;
  const last = (end - 1) >>> 5;
  const words = last + 1;
  if (scratch.length < (studies.length + 1) * words) {
    scratch = new Int32Array((studies.length + 1) * words);
  }
  const bits = scratch;
  bits.fill(0, first, words);
  for (let study = 0; study < studies.length; study++) {
    const conditions = studies[study];
    // A copy of the bits takes longer than all else, and most studies have one condition or two.
    const isPair = conditions.length <= 2;
    const one = isPair ? truths[conditions[0]] : allTrue(truths, conditions);
    const other = isPair ? truths[conditions.at(-1)!] : one;
    takeBits(one, other, {
      first,
      last,
      at: (study + 1) * words,
      begins: mode === 'begins' ? -1 : 0,
    });
  }
  let count = 0;
  for (let word = first; word <= last; word++) {
    let signals = bits[word];
    if (signals === 0) continue;
    if (isMember) signals &= isMember[word];
    if (word === first) signals &= -1 << (start & 31);
    if (word === last) signals &= -1 >>> (31 - ((end - 1) & 31));
    for (; signals !== 0; signals &= signals - 1) {
      const bit = 31 - Math.clz32(signals & -signals);
      let mask = 0;
      for (let study = 0, at = words + word; study < studies.length; study++, at += words) {
        mask |= ((bits[at] >>> bit) & 1) << study;
      }
      rows[count] = word * 32 + bit;
      masks[count++] = mask;
    }
  }
  return count;
}

/** Puts the bits of a study's signals behind those of others. @param begins All bits, or none. */
function takeBits(
  one: Uint32Array,
  other: Uint32Array,
  { first, last, at, begins }: { first: number; last: number; at: number; begins: number },
): void {
  const out = scratch;
  let carry = first > 0 ? (one[first - 1] & other[first - 1]) >>> 31 : 0;
  for (let word = first; word <= last; word++) {
    const bits = one[word] & other[word];
    const signals = bits & ~(((bits << 1) | carry) & begins);
    carry = bits >>> 31;
    out[at + word] = signals;
    out[word] |= signals;
  }
}

/**
 * Returns the bits of the rows on which all conditions are true.
 *
 * @param truths     Bits of each condition.
 * @param conditions Numbers of those that count.
 */
export function allTrue(
  truths: readonly Uint32Array[],
  conditions: readonly number[],
): Uint32Array {
  const out = new Uint32Array(truths[conditions[0]].length).fill(-1);
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

/** Makes the bits of the rows before one 0. */
export function clearBits(bits: Uint32Array, end: number): void {
  const word = end >>> 5;
  bits.fill(0, 0, word);
  if (word < bits.length) bits[word] &= -1 << (end & 31);
}

/** Makes bits as values are, for some rows. */
export function changeBits(
  bits: Uint32Array,
  values: Float64Array,
  start: number,
  end: number,
): void {
  for (let row = start; row < end; row++) {
    const bit = 1 << (row & 31);
    if (values[row] === 1) bits[row >>> 5] |= bit;
    else bits[row >>> 5] &= ~bit;
  }
}
