/** Bits of truths, which are columns of 1, 0 and NaN. */

import { compile, type FusedRun, sharedMemory } from './engine.ts';
import {
  type Code,
  f64x2,
  get,
  I32,
  i32,
  moduleOf,
  repeat,
  set,
  V128,
  v128,
} from './fused/encoding.ts';

const WORD_ROWS = 32;
const NUMBER_BYTES = 8;
const WORD_BYTES = 4;

// Parameters: address of a column, which the words replace, and their number; then the address of
// a word, its bits, and ones to compare with.
const COLUMN = 0;
const WORDS = 1;
const OUT = 2;
const BITS = 3;
const ONES = 4;

function wordsOfTruths(): Uint8Array {
  const pair = (i: number): Code => {
    const isTrue = f64x2.eq(v128.load(get(COLUMN), 2 * NUMBER_BYTES * i), get(ONES));
    return i32.shl(v128.signs(isTrue), i32.of(2 * i));
  };
  const pairs = Array.from({ length: WORD_ROWS / 2 }, (_, i) => pair(i));
  const loop = [
    set(
      BITS,
      pairs.reduce((all, one) => i32.or(all, one)),
    ),
    i32.store(get(OUT), 0, get(BITS)),
    set(COLUMN, i32.add(get(COLUMN), i32.of(WORD_ROWS * NUMBER_BYTES))),
    set(OUT, i32.add(get(OUT), i32.of(WORD_BYTES))),
    set(WORDS, i32.sub(get(WORDS), i32.of(1))),
  ];
  const body = [set(OUT, get(COLUMN)), set(ONES, f64x2.of(1)), repeat(loop, get(WORDS)), i32.of(0)];
  return moduleOf(2, [I32, I32, V128], body);
}

let run: FusedRun | undefined;
let words = new Int32Array(0);

/**
 * Makes bits of a truth, and may write over it.
 *
 * @param truth  In the shared memory, as programs give it: rows behind the counted ones are there,
 *   up to a multiple of 32.
 * @param count  Rows of the truth.
 * @param bits   Receives a bit for each row, from `word` on.
 */
export function takeTruthBits(
  truth: Float64Array,
  count: number,
  bits: Uint32Array,
  word: number,
): void {
  if (count <= 0) return;
  const wordCount = Math.ceil(count / WORD_ROWS);
  run ??= openRun();
  if (!run) {
    takeEach(truth, count, bits, word);
    return;
  }
  const { buffer } = sharedMemory.numbers;
  if (words.buffer !== buffer) words = new Int32Array(buffer);
  run(truth.byteOffset, wordCount);
  const first = truth.byteOffset / WORD_BYTES;
  for (let i = 0; i < wordCount; i++) bits[word + i] = words[first + i];
  const rest = count % WORD_ROWS;
  if (rest > 0) bits[word + wordCount - 1] &= 2 ** rest - 1;
}

function openRun(): FusedRun | undefined {
  const code = compile(wordsOfTruths());
  return code && sharedMemory.fusedRun(code);
}

function takeEach(truth: Float64Array, count: number, bits: Uint32Array, word: number): void {
  for (let from = 0; from < count; from += WORD_ROWS) {
    let all = 0;
    for (let row = from; row < Math.min(count, from + WORD_ROWS); row++) {
      if (truth[row] === 1) all |= 1 << (row - from);
    }
    bits[word + from / WORD_ROWS] = all;
  }
}
