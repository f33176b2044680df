/** Symbols at the end of a month in tenths by a factor. */

import { equalEnd, orderOf, rankCorrelation } from '../plan/ranks.ts';

const TENTHS = 10;

/** All months of one symbol. */
export class LaneMonths {
  /** Row of the symbol's series; −1 for none. */
  readonly rows: Int32Array;
  readonly factors: Float64Array;
  /** By horizon; NaN if there is no return. */
  readonly returns: Float64Array[];

  constructor(months: number, horizons: number) {
    this.rows = new Int32Array(months);
    this.factors = new Float64Array(months);
    this.returns = Array.from({ length: horizons }, () => new Float64Array(months));
  }
}

/** Symbols of a month, each with its factor and returns, in the order in which they are found. */
export class MonthRows {
  count = 0;
  numbers: Int32Array;
  factors: Float64Array;
  /** By horizon; NaN if there is no return. */
  readonly returns: Float64Array[];

  /** @param symbols How many the market has. */
  constructor(horizons: number, symbols: number) {
    // Half of those that a market ever had are often no more than a month has.
    const room = Math.ceil(symbols / 2);
    this.numbers = new Int32Array(room);
    this.factors = new Float64Array(room);
    this.returns = Array.from({ length: horizons }, () => new Float64Array(room));
  }

  get bytes(): number {
    return this.count * (4 + 8 + 8 * this.returns.length);
  }

  /** Takes a month of a symbol, if it has one. */
  take(number: number, { rows, factors, returns }: LaneMonths, month: number): void {
    if (rows[month] < 0) return;
    if (this.count === this.numbers.length) this.#grow();
    this.numbers[this.count] = number;
    this.factors[this.count] = factors[month];
    for (let place = 0; place < returns.length; place++) {
      this.returns[place][this.count] = returns[place][month];
    }
    this.count++;
  }

  #grow(): void {
    this.numbers = grown(this.numbers, new Int32Array(2 * this.count));
    this.factors = grown(this.factors, new Float64Array(2 * this.count));
    for (const [place, values] of this.returns.entries()) {
      this.returns[place] = grown(values, new Float64Array(2 * this.count));
    }
  }
}

function grown<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Rows of a month in the order of their factors, equal factors by the ticker of the day. */
export class MonthTenths {
  readonly #rows: MonthRows;
  readonly #order: Uint32Array;
  readonly #numbers: Int32Array;
  readonly #factors: Float64Array;

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
    this.#numbers = new Int32Array(order.length);
    this.#factors = new Float64Array(order.length);
    for (let place = 0; place < order.length; place++) {
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

  /** Returns the sorted returns of each tenth at a horizon, and their rank correlation with the factor. */
  returns(place: number): { tenths: Float64Array[]; ic: number } {
    const all = this.#rows.returns[place];
    const count = this.#order.length;
    const [returns, factors] = [new Float64Array(count), new Float64Array(count)];
    const tenthOf = new Uint8Array(count);
    const starts: number[] = [];
    let length = 0;
    for (let tenth = 0; tenth < TENTHS; tenth++) {
      starts.push(length);
      const end = this.#startOf(tenth + 1);
      for (let at = this.#startOf(tenth); at < end; at++) {
        const value = all[this.#order[at]];
        if (Number.isNaN(value)) continue;
        returns[length] = value;
        factors[length] = this.#factors[at];
        tenthOf[length++] = tenth;
      }
    }
    const found = returns.subarray(0, length);
    const order = orderOf(found);
    const ic = rankCorrelation(factors.subarray(0, length), found, order);
    const sorted = new Float64Array(length);
    const ends = Uint32Array.from(starts);
    for (let i = 0; i < length; i++) {
      const at = order[i];
      sorted[ends[tenthOf[at]]++] = found[at];
    }
    return { tenths: starts.map((start, tenth) => sorted.subarray(start, ends[tenth])), ic };
  }

  /** Returns the place of the first symbol of a tenth, from 0 on. */
  #startOf(tenth: number): number {
    return Math.ceil((tenth * this.#order.length) / TENTHS);
  }
}
