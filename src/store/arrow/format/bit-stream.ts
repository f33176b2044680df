/** Columns of whole numbers in as few bits a number as most of them need. */

const BITS = 32;
const TWO_TO_32 = 2 ** 32;

/** Bits of a number that has a place of its own: its row, and a float64. */
const EXCEPTION_WORDS = 3;

/** Bit of a column's first word: numbers are below zero too, and have their sign in the last bit. */
const SIGNED = 1 << 8;

const number = new Float64Array(1);
const numberWords = new Uint32Array(number.buffer);

/** Counts of numbers by the bits that they need; the last is of those of more than 32. */
const counts = new Uint32Array(BITS + 2);

/** Numbers of the column being written, the sign in the last bit. */
let codes = new Float64Array(512);

/** Appends words; begun again, it uses its memory again. */
export class BitWriter {
  #words = new Uint32Array(1 << 14);
  words = 0;

  begin(words: number): void {
    this.words = 0;
    this.skip(words);
  }

  skip(words: number): void {
    this.#reserve(words);
    this.#words.fill(0, this.words, this.words + words);
    this.words += words;
  }

  set(place: number, word: number): void {
    this.#words[place] = word;
  }

  number(value: number): void {
    this.#reserve(2);
    number[0] = value;
    this.#words[this.words++] = numberWords[0];
    this.#words[this.words++] = numberWords[1];
  }

  /** Appends rows [start, end) of a column of 8 bytes each, as they are. */
  plain(values: Float64Array | BigInt64Array, start: number, end: number): void {
    const words = 2 * (end - start);
    this.#reserve(words);
    const source = new Uint32Array(values.buffer, values.byteOffset + 8 * start, words);
    this.#words.set(source, this.words);
    this.words += words;
  }

  /** Appends the first `count` numbers, which are whole and below 2^52. */
  column(values: Float64Array, count: number): void {
    let isSigned = false;
    for (let i = 0; i < count && !isSigned; i++) isSigned = values[i] < 0;
    counts.fill(0);
    if (codes.length < count) codes = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const value = values[i];
      const code = isSigned ? (value < 0 ? -2 * value - 1 : 2 * value) : value;
      codes[i] = code;
      counts[code < TWO_TO_32 ? BITS - Math.clz32(code) : BITS + 1]++;
    }
    const width = bestWidth(count);
    const most = 2 ** width;
    let exceptions = 0;
    for (let bits = width + 1; bits < counts.length; bits++) exceptions += counts[bits];
    this.#reserve(1);
    this.#words[this.words++] = width | (isSigned ? SIGNED : 0) | (exceptions << 16);
    if (width > 0) this.#bits(count, width, most);
    if (exceptions === 0) return;
    this.#reserve(EXCEPTION_WORDS * exceptions);
    for (let i = 0; i < count; i++) {
      if (codes[i] < most) continue;
      this.#words[this.words++] = i;
      this.number(values[i]);
    }
  }

  #bits(count: number, width: number, most: number): void {
    const begin = this.words;
    this.skip(Math.ceil((count * width) / BITS));
    for (let i = 0, bit = 0; i < count; i++, bit += width) {
      const code = codes[i];
      if (code >= most) continue;
      const at = begin + (bit >>> 5);
      const shift = bit & 31;
      this.#words[at] |= code << shift;
      if (shift + width > BITS) this.#words[at + 1] |= code >>> (BITS - shift);
    }
  }

  /** Returns what was appended, filled up to a multiple of 8 bytes. */
  bytes(): Uint8Array<ArrayBuffer> {
    if (this.words % 2 > 0) this.skip(1);
    return new Uint8Array(this.#words.buffer, 0, 4 * this.words);
  }

  #reserve(words: number): void {
    if (this.words + words <= this.#words.length) return;
    const grown = new Uint32Array(2 * (this.words + words));
    grown.set(this.#words.subarray(0, this.words));
    this.#words = grown;
  }
}

/** Returns the width that takes the fewest bits, exceptions included. */
function bestWidth(count: number): number {
  let exceptions = count - counts[0];
  let [best, fewest] = [0, EXCEPTION_WORDS * BITS * exceptions];
  for (let width = 1; width <= BITS; width++) {
    exceptions -= counts[width];
    const bits = width * count + EXCEPTION_WORDS * BITS * exceptions;
    if (bits < fewest) [best, fewest] = [width, bits];
  }
  return best;
}

/** Reads what `BitWriter` has appended. */
export class BitReader {
  #words: Uint32Array = new Uint32Array(0);
  #at = 0;

  begin(words: Uint32Array, at: number): void {
    this.#words = words;
    this.#at = at;
  }

  number(): number {
    numberWords[0] = this.#words[this.#at++];
    numberWords[1] = this.#words[this.#at++];
    return number[0];
  }

  /** Reads the first `count` numbers of a column of `rowCount`. */
  column(out: Float64Array, count: number, rowCount: number): void {
    const words = this.#words;
    const head = words[this.#at++];
    const width = head & 0xff;
    if (width === 0) out.fill(0, 0, count);
    else if ((head & SIGNED) === 0) readBits(words, this.#at, width, out, count);
    else readSignedBits(words, this.#at, width, out, count);
    this.#at += Math.ceil((rowCount * width) / BITS);
    for (let exceptions = head >>> 16; exceptions > 0; exceptions--) {
      const row = words[this.#at++];
      const value = this.number();
      if (row < count) out[row] = value;
    }
  }
}

/** Reads a word more than the numbers need, without a branch: another one follows each column. */
function readBits(
  words: Uint32Array,
  begin: number,
  width: number,
  out: Float64Array,
  count: number,
): void {
  const unused = BITS - width;
  for (let i = 0, bit = 0; i < count; i++, bit += width) {
    const at = begin + (bit >>> 5);
    const code = (words[at] >>> bit) | ((words[at + 1] << 1) << ~bit);
    out[i] = (code << unused) >>> unused;
  }
}

function readSignedBits(
  words: Uint32Array,
  begin: number,
  width: number,
  out: Float64Array,
  count: number,
): void {
  const unused = BITS - width;
  for (let i = 0, bit = 0; i < count; i++, bit += width) {
    const at = begin + (bit >>> 5);
    const code = (words[at] >>> bit) | ((words[at + 1] << 1) << ~bit);
    const value = (code << unused) >>> unused;
    out[i] = (value >>> 1) ^ -(value & 1);
  }
}
