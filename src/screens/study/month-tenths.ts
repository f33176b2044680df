/** Symbols at the end of a month in tenths by a factor. */

import { equalEnd, orderOf, rankCorrelation } from '../plan/ranks.ts';

const TENTHS = 10;

/** Symbols that a month takes at once, whose numbers then fill some lines of its memory. */
export const SYMBOLS_AT_ONCE = 64;

/** All months of `SYMBOLS_AT_ONCE` symbols, which stand side by side in each month. */
export class LaneMonths {
  /** Row of the symbol's series; −1 for none. */
  readonly rows: Int32Array;
  readonly factors: Float64Array;
  /** By horizon; NaN if there is no return. */
  readonly returns: Float64Array[];

  constructor(months: number, horizons: number) {
    const count = months * SYMBOLS_AT_ONCE;
    this.rows = new Int32Array(count);
    this.factors = new Float64Array(count);
    this.returns = Array.from({ length: horizons }, () => new Float64Array(count));
  }
}

/** Symbols of a month, each with its factor and returns, in the order in which they are found. */
export class MonthRows {
  count = 0;
  readonly numbers: Int32Array;
  readonly factors: Float64Array;
  /** By horizon; NaN if there is no return. */
  readonly returns: Float64Array[];

  /** @param symbols How many the market has. Memory that no symbol of the month fills is not used. */
  constructor(horizons: number, symbols: number) {
    this.numbers = new Int32Array(symbols);
    this.factors = new Float64Array(symbols);
    this.returns = Array.from({ length: horizons }, () => new Float64Array(symbols));
  }

  get bytes(): number {
    return this.count * (4 + 8 + 8 * this.returns.length);
  }

  /** Takes a month of symbols: those that have it. */
  take(numbers: Int32Array, { rows, factors, returns }: LaneMonths, month: number): void {
    const first = month * SYMBOLS_AT_ONCE;
    const end = first + numbers.length;
    let count = this.count;
    for (let at = first; at < end; at++) {
      if (rows[at] < 0) continue;
      this.numbers[count] = numbers[at - first];
      this.factors[count++] = factors[at];
    }
    for (let place = 0; place < returns.length; place++) {
      const [from, to] = [returns[place], this.returns[place]];
      for (let at = first, row = this.count; at < end; at++) {
        if (rows[at] >= 0) to[row++] = from[at];
      }
    }
    this.count = count;
  }
}

/** Rows of a month in the order of their factors, equal factors by the ticker of the day. */
export class MonthTenths {
  readonly #rows: MonthRows;
  readonly #order: Uint32Array;
  readonly #numbers: Int32Array;
  readonly #factors: Float64Array;
  /** Memory for the symbols with a return, in the order of their factors. */
  readonly #known: { returns: Float64Array; factors: Float64Array; tenths: Uint8Array };
  readonly #sorted: Float64Array;

  constructor(rows: MonthRows, tickerOf: (number: number) => string) {
    const own = rows.factors.subarray(0, rows.count);
    const { numbers } = rows;
    const order = orderOf(own);
    for (let start = 0, end = 0; start < order.length; start = end) {
      end = equalEnd(own, order, start);
      if (end === start + 1) continue;
      // A ticker of today would let a later rename move a symbol to another tenth.
      const tied = Array.from(order.subarray(start, end), (row) => ({
        row,
        ticker: tickerOf(numbers[row]),
      }));
      tied.sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
      order.set(
        tied.map(({ row }) => row),
        start,
      );
    }
    this.#rows = rows;
    this.#order = order;
    const count = order.length;
    this.#numbers = new Int32Array(count);
    this.#factors = new Float64Array(count);
    this.#sorted = new Float64Array(count);
    this.#known = {
      returns: new Float64Array(count),
      factors: new Float64Array(count),
      tenths: new Uint8Array(count),
    };
    for (let place = 0; place < count; place++) {
      this.#numbers[place] = numbers[order[place]];
      this.#factors[place] = own[order[place]];
    }
  }

  /** Returns how many symbols a tenth has. */
  countOf(tenth: number): number {
    return this.#startOf(tenth + 1) - this.#startOf(tenth);
  }

  /** Returns by symbol its tenth, from 1 on; 0 for none. */
  bySymbol(symbols: number): Uint8Array {
    const tenths = new Uint8Array(symbols);
    for (let tenth = 0; tenth < TENTHS; tenth++) {
      const end = this.#startOf(tenth + 1);
      for (let place = this.#startOf(tenth); place < end; place++) {
        tenths[this.#numbers[place]] = tenth + 1;
      }
    }
    return tenths;
  }

  /** Returns by tenth the share of its symbols that were in another one, or in none. */
  turnovers(tenths: Uint8Array, before: Uint8Array): number[] {
    const moved = new Float64Array(TENTHS);
    for (let place = 0; place < this.#numbers.length; place++) {
      const tenth = tenths[this.#numbers[place]];
      if (before[this.#numbers[place]] !== tenth) moved[tenth - 1]++;
    }
    return Array.from(moved, (count, tenth) => count / this.countOf(tenth));
  }

  /**
   * Returns the sorted returns of each tenth at a horizon, and their rank correlation with the factor.
   * The next call writes over them.
   */
  returns(place: number): { tenths: Float64Array[]; ic: number } {
    const starts = this.#takeKnown(this.#rows.returns[place]);
    const count = starts[TENTHS];
    const { returns, factors, tenths } = this.#known;
    const found = returns.subarray(0, count);
    const order = orderOf(found);
    const ic = rankCorrelation(factors.subarray(0, count), found, order);
    const sorted = this.#sorted;
    const ends = starts.slice();
    for (let i = 0; i < count; i++) {
      const at = order[i];
      sorted[ends[tenths[at]]++] = returns[at];
    }
    const tenthOf = (tenth: number) => sorted.subarray(starts[tenth], starts[tenth + 1]);
    return { tenths: Array.from({ length: TENTHS }, (_, tenth) => tenthOf(tenth)), ic };
  }

  /** Takes symbols with a return. @returns the place of the first one of each tenth, and the end. */
  #takeKnown(all: Float64Array): Uint32Array {
    const { returns, factors, tenths } = this.#known;
    const [order, own] = [this.#order, this.#factors];
    const starts = new Uint32Array(TENTHS + 1);
    let count = 0;
    for (let tenth = 0; tenth < TENTHS; tenth++) {
      const end = this.#startOf(tenth + 1);
      for (let at = this.#startOf(tenth); at < end; at++) {
        const value = all[order[at]];
        if (Number.isNaN(value)) continue;
        returns[count] = value;
        factors[count] = own[at];
        tenths[count++] = tenth;
      }
      starts[tenth + 1] = count;
    }
    return starts;
  }

  /** Returns the place of the first symbol of a tenth, from 0 on. */
  #startOf(tenth: number): number {
    return Math.ceil((tenth * this.#order.length) / TENTHS);
  }
}
