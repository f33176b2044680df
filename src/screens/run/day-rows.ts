/** Finds rows of series by day without reading: a bit for each day from the first bar to the last. */

import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { rowOfTimestamp } from '../../base/search-sorted.ts';
import type { NewestSeries } from './newest-series.ts';

/** Symbols whose days are read before other work may run: some 0.2 ms. */
const READ_AT_ONCE = 8;

/** Symbols whose days are joined before other work may run. */
const JOINED_AT_ONCE = 512;

const BITS = 32;

interface Days {
  /** Day of the first bit. No row is before it. */
  first: number;
  /** A bit for each day from the first on. */
  bits: Uint32Array;
  /** By word of bits, rows before it. */
  before: Uint32Array;
}

export class DayRows {
  readonly #days: readonly (Days | undefined)[];

  private constructor(days: readonly (Days | undefined)[]) {
    this.#days = days;
  }

  static *open(series: NewestSeries): Generator<undefined, DayRows> {
    const days: (Days | undefined)[] = [];
    let longest = NOTHING;
    for (let number = 0; number < series.ends.length; number++) {
      const timestampUs = timestampsOf(series, number);
      const end = timestampUs.length;
      const own = end === 0 ? undefined : (partOf(longest, timestampUs) ?? daysOf(timestampUs));
      days.push(own);
      if (end > longest.timestampUs.length)
        longest = { timestampUs: timestampUs.slice(), days: own! };
      if (number % READ_AT_ONCE === 0) yield;
    }
    return new DayRows(days);
  }

  /** Returns the first row of a symbol at or after a day; its row count if there is none. */
  rowOf(number: number, day: number): number {
    const days = this.#days[number];
    if (!days || day <= days.first) return 0;
    const place = day - days.first;
    const word = Math.floor(place / BITS);
    if (word >= days.bits.length) return days.before[days.bits.length];
    const earlier = days.bits[word] & (2 ** (place % BITS) - 1);
    return days.before[word] + ones(earlier);
  }

  /** Returns the days of all rows of a symbol. */
  daysOf(number: number): Int32Array {
    const days = this.#days[number];
    if (!days) return new Int32Array(0);
    return daysOfBits(days.first, days.bits, days.before[days.bits.length]);
  }

  /** Returns the days on which any of some symbols has a row, ascending. */
  *unionOf(numbers: readonly number[]): Generator<undefined, Int32Array> {
    const known = numbers.flatMap((number) => this.#days[number] ?? []);
    const first = known.reduce((least, days) => Math.min(least, days.first), Infinity);
    const end = known.reduce(
      (most, { first, bits }) => Math.max(most, first + bits.length * BITS),
      first,
    );
    const words = new Uint32Array(known.length === 0 ? 0 : Math.ceil((end - first) / BITS) + 1);
    for (const [i, { first: own, bits }] of known.entries()) {
      const word = Math.floor((own - first) / BITS);
      const shift = (own - first) % BITS;
      for (let at = 0; at < bits.length; at++) {
        words[word + at] |= bits[at] << shift;
        if (shift > 0) words[word + at + 1] |= bits[at] >>> (BITS - shift);
      }
      if (i % JOINED_AT_ONCE === 0) yield;
    }
    return daysOfBits(
      first,
      words,
      words.reduce((sum, word) => sum + ones(word), 0),
    );
  }

  /** Returns the day of the last row before another one. */
  dayBefore(number: number, row: number): number {
    const { first, bits, before } = this.#days[number]!;
    let word = bits.length - 1;
    while (before[word] >= row) word--;
    for (let bit = 0, at = before[word]; ; bit++) {
      if ((bits[word] >>> bit) & 1 && ++at === row) return first + word * BITS + bit;
    }
  }
}

/** Returns the days of bits. @param count How many there are. */
function daysOfBits(first: number, words: Uint32Array, count: number): Int32Array {
  const out = new Int32Array(count);
  let row = 0;
  for (let word = 0; word < words.length; word++) {
    const day = first + word * BITS;
    for (let bits = words[word]; bits !== 0; bits &= bits - 1) {
      out[row++] = day + (BITS - 1 - Math.clz32(bits & -bits));
    }
  }
  return out;
}

let scratch = new BigInt64Array(4096);

/** Returns the timestamps of a series, valid until the next call. */
function timestampsOf(series: NewestSeries, number: number): BigInt64Array<ArrayBuffer> {
  const end = series.ends[number];
  if (scratch.length < end) scratch = new BigInt64Array(2 * end);
  const timestampUs = scratch.subarray(0, end);
  if (end > 0) series.copyTimestamps(number, { start: 0, end }, timestampUs);
  return timestampUs;
}

/** A series with its days. */
interface Dated {
  timestampUs: BigInt64Array<ArrayBuffer>;
  days: Days;
}

const NOTHING: Dated = {
  timestampUs: new BigInt64Array(0),
  days: { first: 0, bits: new Uint32Array(0), before: new Uint32Array(1) },
};

/**
 * Returns the days of a series that has the timestamps of another one from its first to its last, as
 * most have; undefined for others. It takes a tenth of the time of `daysOf`, and no memory for a
 * series that has all of them.
 */
function partOf(
  { timestampUs: all, days }: Dated,
  timestampUs: BigInt64Array<ArrayBuffer>,
): Days | undefined {
  const start = rowOfTimestamp(all, timestampUs[0]);
  const end = start + timestampUs.length;
  if (end > all.length) return undefined;
  if (bytesOf(all.subarray(start, end)).compare(bytesOf(timestampUs)) !== 0) return undefined;
  if (timestampUs.length === all.length) return days;
  const placeAt = (row: number) => dayOf(all[row]) - days.first;
  const word = placeAt(start) >>> 5;
  const last = placeAt(end - 1);
  const bits = days.bits.slice(word, (last >>> 5) + 1);
  bits[0] &= -1 << (placeAt(start) & 31);
  bits[bits.length - 1] &= -1 >>> (31 - (last & 31));
  return counted(days.first + word * BITS, bits);
}

function bytesOf({ buffer, byteOffset, byteLength }: BigInt64Array<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function dayOf(timestampUs: bigint): number {
  return Math.floor(Number(timestampUs) / (1000 * MILLIS_PER_DAY));
}

function daysOf(timestampUs: BigInt64Array<ArrayBuffer>): Days {
  const { buffer, byteOffset, length } = timestampUs;
  const halves = new Int32Array(buffer, byteOffset, 2 * length);
  const dayAt = (row: number) =>
    Math.floor(
      (halves[2 * row + 1] * 4294967296 + (halves[2 * row] >>> 0)) / (1000 * MILLIS_PER_DAY),
    );
  const first = dayAt(0);
  const bits = new Uint32Array(Math.floor((dayAt(length - 1) - first) / BITS) + 1);
  for (let row = 0; row < length; row++) {
    const place = dayAt(row) - first;
    bits[place >>> 5] |= 1 << (place & 31);
  }
  return counted(first, bits);
}

function counted(first: number, bits: Uint32Array): Days {
  const before = new Uint32Array(bits.length + 1);
  for (let word = 0; word < bits.length; word++) before[word + 1] = before[word] + ones(bits[word]);
  return { first, bits, before };
}

/** Counts the bits that are 1. */
function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
