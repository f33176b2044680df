/**
 * Bars of minutes as bits: a block of rows has its columns one after another, each as differences
 * from what is known before, in as few bits a row as most rows need. docs/serving-files.md has the
 * layout. Prices are whole numbers of their smallest decimal, so every value returns to its bits.
 */

import type { BarColumns } from '../../../base/bars.ts';
import { BitReader, BitWriter } from './bit-stream.ts';

/** Rows that are read together: more take longer for a few of them, fewer have more headers. */
export const BLOCK_ROWS = 512;

/** Words before the places of the blocks: rows of the batch, rows of a block. */
const HEAD_WORDS = 2;

/** Words at the begin of a block: forms, seconds of a step, and the place of each column. */
const BLOCK_HEAD_WORDS = 8;
const COLUMNS_AT = 2;

/** Forms of numbers: decimals up to `DECIMALS_MAX`, or one of these. */
const PLAIN = 254;
const FLOAT32 = 255;
const DECIMALS_MAX = 9;

const TEN_TO = Array.from({ length: DECIMALS_MAX + 1 }, (_, decimals) => 10 ** decimals);
/** Seconds between bars of five minutes, and of one. */
const STEPS_SECONDS = [300, 60];
const MICROS_PER_SECOND = 1_000_000;
const TWO_TO_32 = 2 ** 32;

/** Differences of numbers up to here are exact, and so are their codes. */
const WHOLE_MAX = 2 ** 51;

const [TS, OPEN, HIGH, LOW, CLOSE, VOLUME] = [0, 1, 2, 3, 4, 5];
const COLUMN_COUNT = 6;

/** Forms of a block. */
interface Forms {
  prices: number;
  volumes: number;
}

const writer = new BitWriter();
const float32 = new Float32Array(1);
const float32Bits = new Uint32Array(float32.buffer);

/** Whole numbers of a block by column, and the steps that are stored. */
const whole = Array.from({ length: COLUMN_COUNT }, () => new Float64Array(BLOCK_ROWS));
const steps = new Float64Array(BLOCK_ROWS);

/** Returns the words at the begin of a batch, which say where its blocks are. */
export function headWords(rowCount: number): number {
  return HEAD_WORDS + Math.ceil(rowCount / BLOCK_ROWS) + 1;
}

/**
 * Packs rows [start, end) of one series.
 *
 * @returns Bytes of a batch, valid until the next call.
 */
export function packBars(
  bars: BarColumns,
  start = 0,
  end = bars.close.length,
): Uint8Array<ArrayBuffer> {
  const rowCount = end - start;
  const head = headWords(rowCount);
  writer.begin(head);
  writer.set(0, rowCount);
  writer.set(1, BLOCK_ROWS);
  const forms = { prices: PLAIN, volumes: PLAIN };
  for (let row = start, block = 0; row < end; row += BLOCK_ROWS, block++) {
    writer.set(HEAD_WORDS + block, writer.words);
    packBlock(bars, row, Math.min(end, row + BLOCK_ROWS), forms);
  }
  writer.set(head - 1, writer.words);
  return writer.bytes();
}

function packBlock(bars: BarColumns, start: number, end: number, forms: Forms): void {
  const at = writer.words;
  const count = end - start;
  writer.skip(BLOCK_HEAD_WORDS);
  const prices = [bars.open, bars.high, bars.low, bars.close];
  forms.prices = formOf(prices, start, end, OPEN, forms.prices);
  forms.volumes = formOf([bars.volume], start, end, VOLUME, forms.volumes);
  const stepSeconds = stepOf(bars.timestampUs, start, end);
  writer.set(at, forms.prices | (forms.volumes << 8));
  writer.set(at + 1, stepSeconds);
  const sources = [bars.timestampUs, bars.open, bars.high, bars.low, bars.close, bars.volume];
  for (let column = 0; column < COLUMN_COUNT; column++) {
    writer.set(at + COLUMNS_AT + column, writer.words - at);
    const form = column === VOLUME ? forms.volumes : forms.prices;
    if (column === TS ? stepSeconds === 0 : form === PLAIN)
      writer.plain(sources[column], start, end);
    else packColumn(column, count);
  }
  // A reader takes a word more than it needs.
  writer.skip(1);
}

/** Writes a column of `whole` as steps from what a reader knows by then. */
function packColumn(column: number, count: number): void {
  const own = whole[column];
  const close = whole[CLOSE];
  const opens = whole[OPEN];
  if (column === TS || column === CLOSE) {
    writer.number(own[0]);
    steps[0] = 0;
    const expected = column === TS ? 1 : 0;
    for (let i = 1; i < count; i++) steps[i] = own[i] - own[i - 1] - expected;
  } else if (column === OPEN) {
    steps[0] = own[0] - close[0];
    for (let i = 1; i < count; i++) steps[i] = own[i] - close[i - 1];
  } else if (column === HIGH) {
    for (let i = 0; i < count; i++) steps[i] = own[i] - Math.max(opens[i], close[i]);
  } else if (column === LOW) {
    for (let i = 0; i < count; i++) steps[i] = Math.min(opens[i], close[i]) - own[i];
  } else {
    for (let i = 0; i < count; i++) steps[i] = own[i];
  }
  writer.column(steps, count);
}

/**
 * Fills `whole` from column `first` on with whole numbers of the values, and returns their form:
 * that of the block before where it serves.
 */
function formOf(
  columns: readonly Float64Array[],
  start: number,
  end: number,
  first: number,
  before: number,
): number {
  if (before <= DECIMALS_MAX && areWhole(columns, start, end, first, before)) return before;
  let decimals = 0;
  for (const values of columns) decimals = decimalsOf(values, start, end, decimals);
  if (decimals <= DECIMALS_MAX && areWhole(columns, start, end, first, decimals)) return decimals;
  return areFloat32(columns, start, end, first) ? FLOAT32 : PLAIN;
}

/** Returns the decimals that the values need, at least `decimals`; above the most if too many. */
function decimalsOf(values: Float64Array, start: number, end: number, decimals: number): number {
  let need = decimals;
  for (let i = start; i < end && need <= DECIMALS_MAX; i++) {
    const value = values[i];
    while (need <= DECIMALS_MAX && Math.round(value * TEN_TO[need]) / TEN_TO[need] !== value) {
      need++;
    }
  }
  return need;
}

function areWhole(
  columns: readonly Float64Array[],
  start: number,
  end: number,
  first: number,
  decimals: number,
): boolean {
  const scale = TEN_TO[decimals];
  for (let column = 0; column < columns.length; column++) {
    const values = columns[column];
    const out = whole[first + column];
    for (let i = start; i < end; i++) {
      const number = Math.round(values[i] * scale);
      const isSame = number / scale === values[i] && Math.abs(number) <= WHOLE_MAX;
      if (!isSame || Object.is(number, -0)) return false;
      out[i - start] = number;
    }
  }
  return true;
}

/** Bits of positive float32 are in the order of their values. */
function areFloat32(
  columns: readonly Float64Array[],
  start: number,
  end: number,
  first: number,
): boolean {
  for (let column = 0; column < columns.length; column++) {
    const values = columns[column];
    const out = whole[first + column];
    for (let i = start; i < end; i++) {
      float32[0] = values[i];
      if (float32[0] !== values[i] || values[i] < 0 || Object.is(values[i], -0)) return false;
      out[i - start] = float32Bits[0];
    }
  }
  return true;
}

/**
 * Fills `whole` with numbers of steps from 1970 on, and returns the seconds of a step; 0 if a bar
 * begins between two minutes.
 */
function stepOf(ts: BigInt64Array, start: number, end: number): number {
  return STEPS_SECONDS.find((seconds) => timesFit(ts, seconds, start, end)) ?? 0;
}

function timesFit(ts: BigInt64Array, stepSeconds: number, start: number, end: number): boolean {
  const out = whole[TS];
  const stepUs = stepSeconds * MICROS_PER_SECOND;
  // A bigint for each would be garbage.
  const halves = new Int32Array(ts.buffer, ts.byteOffset + 8 * start, 2 * (end - start));
  for (let i = 0; i < end - start; i++) {
    const micros = halves[2 * i + 1] * TWO_TO_32 + (halves[2 * i] >>> 0);
    const number = micros / stepUs;
    if (!Number.isInteger(number) || micros < 0 || micros > Number.MAX_SAFE_INTEGER) return false;
    out[i] = number;
  }
  return true;
}

/** Reads rows out of the words of a batch, or of the part of it that has the rows' blocks. */
export class PackedRows {
  readonly #reader = new BitReader();
  readonly #known = new Uint8Array(COLUMN_COUNT);
  /** Rows of the block that is read. */
  #rowCount = 0;

  /** Returns the words [first, end) of a batch that hold the blocks of rows. */
  static wordsOf(head: Uint32Array, row: number, count: number): [first: number, end: number] {
    const last = Math.floor((row + count - 1) / BLOCK_ROWS);
    return [head[HEAD_WORDS + Math.floor(row / BLOCK_ROWS)], head[HEAD_WORDS + last + 1]];
  }

  /**
   * Copies rows [row, row + count) of columns, timestamps as the bytes of their int64.
   *
   * @param head Words of the begin of the batch.
   * @param words Words of the batch from `firstWord` on.
   */
  copy(
    head: Uint32Array,
    words: Uint32Array,
    firstWord: number,
    columns: readonly number[],
    { row, count }: { row: number; count: number },
    outputs: readonly Float64Array[],
    at: number,
  ): void {
    for (let from = row; from < row + count; ) {
      const block = Math.floor(from / BLOCK_ROWS);
      const first = block * BLOCK_ROWS;
      const to = Math.min(row + count, first + BLOCK_ROWS);
      this.#known.fill(0);
      this.#rowCount = Math.min(BLOCK_ROWS, head[0] - first);
      const place = head[HEAD_WORDS + block] - firstWord;
      for (let i = 0; i < columns.length; i++) {
        const target = at + from - row;
        this.#copyColumn(words, place, columns[i], from - first, to - first, outputs[i], target);
      }
      from = to;
    }
  }

  #copyColumn(
    words: Uint32Array,
    place: number,
    column: number,
    from: number,
    to: number,
    output: Float64Array,
    at: number,
  ): void {
    const form = (column === VOLUME ? words[place] >>> 8 : words[place]) & 0xff;
    const stepSeconds = words[place + 1];
    if (column === TS ? stepSeconds === 0 : form === PLAIN) {
      const start = place + words[place + COLUMNS_AT + column] + 2 * from;
      const bytes = new Uint32Array(output.buffer, output.byteOffset + 8 * at, 2 * (to - from));
      bytes.set(words.subarray(start, start + 2 * (to - from)));
      return;
    }
    this.#decode(words, place, column, to);
    const numbers = whole[column];
    if (column === TS) copyTimes(numbers, stepSeconds, from, to, output, at);
    else if (form === FLOAT32) copyFloat32(numbers, from, to, output, at);
    else {
      const scale = TEN_TO[form];
      for (let i = from; i < to; i++) output[at + i - from] = numbers[i] / scale;
    }
  }

  /** Fills the first `count` whole numbers of a column, and of those that it is told by. */
  #decode(words: Uint32Array, place: number, column: number, count: number): void {
    if (this.#known[column]) return;
    this.#known[column] = 1;
    if (column === OPEN) this.#decode(words, place, CLOSE, count);
    if (column === HIGH || column === LOW) this.#decode(words, place, OPEN, count);
    const own = whole[column];
    const [open, close] = [whole[OPEN], whole[CLOSE]];
    const reader = this.#reader;
    reader.begin(words, place + words[place + COLUMNS_AT + column]);
    const first = column === TS || column === CLOSE ? reader.number() : 0;
    reader.column(own, count, this.#rowCount);
    if (column === TS) addUp(own, first, 1, count);
    else if (column === CLOSE) addUp(own, first, 0, count);
    else if (column === OPEN) addBefore(own, close, count);
    else if (column === HIGH) addLarger(own, open, close, count);
    else if (column === LOW) takeFromSmaller(own, open, close, count);
  }
}

function addUp(own: Float64Array, first: number, expected: number, count: number): void {
  let sum = first;
  own[0] = sum;
  for (let i = 1; i < count; i++) {
    sum += own[i] + expected;
    own[i] = sum;
  }
}

function addBefore(own: Float64Array, close: Float64Array, count: number): void {
  own[0] += close[0];
  for (let i = 1; i < count; i++) own[i] += close[i - 1];
}

function addLarger(own: Float64Array, a: Float64Array, b: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) own[i] += a[i] > b[i] ? a[i] : b[i];
}

function takeFromSmaller(own: Float64Array, a: Float64Array, b: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) own[i] = (a[i] < b[i] ? a[i] : b[i]) - own[i];
}

function copyTimes(
  numbers: Float64Array,
  stepSeconds: number,
  from: number,
  to: number,
  output: Float64Array,
  at: number,
): void {
  const halves = new Uint32Array(output.buffer, output.byteOffset + 8 * at, 2 * (to - from));
  const stepUs = stepSeconds * MICROS_PER_SECOND;
  for (let i = from, half = 0; i < to; i++, half += 2) {
    const micros = numbers[i] * stepUs;
    const high = Math.floor(micros / TWO_TO_32);
    halves[half] = micros - high * TWO_TO_32;
    halves[half + 1] = high;
  }
}

function copyFloat32(
  numbers: Float64Array,
  from: number,
  to: number,
  output: Float64Array,
  at: number,
): void {
  for (let i = from; i < to; i++) {
    float32Bits[0] = numbers[i];
    output[at + i - from] = float32[0];
  }
}
