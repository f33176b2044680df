/** Sums of returns by market session: those of universes, to which symbols are added one by one. */

import { compile, type FusedRun, Memory } from '../../compute/columns/engine.ts';
import type { RowRange } from '../../store/arrow/snapshot/snapshot.ts';
import { orderOf } from '../plan/ranks.ts';
import {
  type Entry,
  exitBars,
  plainRows,
  type SignalBars,
  signalReturn,
} from './signal-returns.ts';
import { hasBit } from './signal-rows.ts';
import { summedReturns } from './summed-returns.ts';
import { COARSE, FINE } from './sums.ts';

/** Columns of a sum: its two parts, and how many numbers are in it. */
const PARTS = 3;

/** Bytes behind prices: code reads them in twos. */
const SLACK_BYTES = 16;

const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;

let code: object | undefined;

/** Returns of a universe by market session, at one horizon. */
export class UniverseReturns {
  /** Mean return by session, NaN without any. */
  readonly means: Float64Array;
  #order: Uint32Array | undefined;

  constructor(means: Float64Array) {
    this.means = means;
  }

  /** Sessions by mean return, smallest first; those without one are anywhere. */
  get order(): Uint32Array {
    this.#order ??= orderOf(this.means);
    return this.#order;
  }
}

export class ReturnSums {
  /** Memory for the prices of a symbol. */
  readonly open: Float64Array;
  readonly close: Float64Array;
  readonly #numbers: Float64Array;
  readonly #run: FusedRun | undefined;
  readonly #entry: Entry;
  /** Bars whose prices are the first ones of `open` and `close`. */
  #bars: SignalBars | undefined;
  readonly #horizons: readonly number[];
  readonly #sessionCount: number;

  /**
   * @param size Market sessions, rows of the longest series, and universes.
   * @param horizons Those that are summed.
   */
  constructor(
    size: { sessions: number; rows: number; universes: number },
    { entry, horizons }: { entry: Entry; horizons: readonly number[] },
  ) {
    const memory = new Memory();
    const sums = PARTS * size.sessions * horizons.length * size.universes;
    memory.reserve((sums + 2 * size.rows) * NUMBER_BYTES + SLACK_BYTES);
    code ??= compile(summedReturns());
    this.#run = code && memory.fusedRun(code);
    this.#numbers = memory.numbers;
    this.open = this.#numbers.subarray(sums, sums + size.rows);
    this.close = this.#numbers.subarray(sums + size.rows, sums + 2 * size.rows);
    this.#entry = entry;
    this.#horizons = horizons;
    this.#sessionCount = size.sessions;
  }

  /**
   * Adds a symbol to a universe.
   *
   * @param sessions Numbers of the sessions of its rows.
   * @param isMember Bits of the rows on which it belongs to the universe; undefined for all.
   */
  add(
    universe: number,
    bars: SignalBars,
    sessions: Int32Array,
    rows: RowRange,
    isMember: Uint32Array | undefined,
  ): void {
    this.#take(bars);
    for (const place of this.#horizons.keys()) {
      const sums = this.#sumsOf(universe, place);
      let done = rows.start;
      for (const { start, end } of plainRows(bars, exitBars(this.#entry, this.#horizons[place]))) {
        const from = Math.min(Math.max(start, done), rows.end);
        const to = Math.min(end, rows.end);
        if (from >= to) continue;
        this.#addEach(sums, place, bars, sessions, { start: done, end: from }, isMember);
        this.#addPlain(sums, place, sessions, { start: from, end: to }, isMember);
        done = to;
      }
      this.#addEach(sums, place, bars, sessions, { start: done, end: rows.end }, isMember);
    }
  }

  /** Returns the means of a universe, by horizon. */
  returnsOf(universe: number): UniverseReturns[] {
    const numbers = this.#numbers;
    const count = this.#sessionCount;
    return this.#horizons.map((_, place) => {
      const sums = this.#sumsOf(universe, place);
      const means = new Float64Array(count);
      for (let session = 0; session < count; session++) {
        const at = sums + session;
        means[session] = (numbers[at] + numbers[at + count]) / numbers[at + 2 * count];
      }
      return new UniverseReturns(means);
    });
  }

  /** Copies prices to where code reads them, if they are not there. */
  #take(bars: SignalBars): void {
    if (bars === this.#bars) return;
    this.#bars = bars;
    if (bars.open.buffer !== this.#numbers.buffer) this.open.set(bars.open);
    if (bars.close.buffer !== this.#numbers.buffer) this.close.set(bars.close);
  }

  /** Returns the place of the first sum of a universe and a horizon. */
  #sumsOf(universe: number, place: number): number {
    return (universe * this.#horizons.length + place) * PARTS * this.#sessionCount;
  }

  /** Adds rows with any prices. */
  #addEach(
    sums: number,
    place: number,
    bars: SignalBars,
    sessions: Int32Array,
    { start, end }: RowRange,
    isMember: Uint32Array | undefined,
  ): void {
    const numbers = this.#numbers;
    for (let row = start; row < end; row++) {
      if (isMember && !hasBit(isMember, row)) continue;
      const value = signalReturn(bars, this.#entry, this.#horizons[place], row);
      if (Number.isNaN(value)) continue;
      const at = sums + sessions[row];
      const coarse = value + COARSE - COARSE;
      numbers[at] += coarse;
      numbers[at + this.#sessionCount] += value - coarse + FINE - FINE;
      numbers[at + 2 * this.#sessionCount]++;
    }
  }

  /** Adds rows whose return is the exit's price over the entry's, less 1: sessions in a row together. */
  #addPlain(
    sums: number,
    place: number,
    sessions: Int32Array,
    { start, end }: RowRange,
    isMember: Uint32Array | undefined,
  ): void {
    for (let row = start; row < end; ) {
      const first = isMember ? nextBit(isMember, 1, row, end) : row;
      const last = isMember ? nextBit(isMember, 0, first, end) : end;
      row = last;
      for (let from = first; from < last; ) {
        const to = endOfRun(sessions, from, last);
        this.#addRun(sums + sessions[from], place, from, to);
        from = to;
      }
    }
  }

  #addRun(at: number, place: number, from: number, to: number): void {
    const numbers = this.#numbers;
    const steps = exitBars(this.#entry, this.#horizons[place]);
    const first = this.open.byteOffset / NUMBER_BYTES;
    const close = this.close.byteOffset / NUMBER_BYTES;
    const entry = (this.#entry === 'next_open' ? first : close) + from + 1;
    const exit = close + from + steps;
    const count = this.#sessionCount;
    if (this.#run) {
      const places = [at, at + count, at + 2 * count].map((one) => one * NUMBER_BYTES);
      this.#run(entry * NUMBER_BYTES, exit * NUMBER_BYTES, to - from, ...places);
      return;
    }
    for (let i = 0; i < to - from; i++) {
      const value = numbers[exit + i] / numbers[entry + i] - 1;
      if (Number.isNaN(value)) continue;
      const coarse = value + COARSE - COARSE;
      numbers[at + i] += coarse;
      numbers[at + i + count] += value - coarse + FINE - FINE;
      numbers[at + i + 2 * count]++;
    }
  }
}

/** Returns the first row from one on whose bit is as asked; the end if there is none. */
function nextBit(bits: Uint32Array, bit: 0 | 1, from: number, end: number): number {
  for (let row = from; row < end; ) {
    const word = (bit === 1 ? bits[row >>> 5] : ~bits[row >>> 5]) & (-1 << (row & 31));
    if (word !== 0) return Math.min(end, (row & ~31) + 31 - Math.clz32(word & -word));
    row = (row & ~31) + 32;
  }
  return end;
}

/** Returns the end of the sessions that follow each other from a row on. */
function endOfRun(sessions: Int32Array, from: number, end: number): number {
  if (sessions[end - 1] - sessions[from] === end - 1 - from) return end;
  let row = from + 1;
  while (row < end && sessions[row] === sessions[row - 1] + 1) row++;
  return row;
}
