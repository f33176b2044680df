/**
 * Sums with the same bits in any order of the numbers. Symbols come in another order as soon as one
 * is listed, ends or is renamed; a study of past days must not change by that.
 */

/** Adding and subtracting it rounds a number below 2^22 to a multiple of 2^-30. */
const COARSE = 1.5 * 2 ** 22;

/** The same for the rest, and 2^-66. */
const FINE = 1.5 * 2 ** -14;

export class Sums {
  readonly #coarse: Float64Array;
  readonly #fine: Float64Array;

  constructor(length: number) {
    this.#coarse = new Float64Array(length);
    this.#fine = new Float64Array(length);
  }

  /** Adds a number to the sum of a place. Up to 2^18 numbers, and sums of 2^22, are exact. */
  add(at: number, value: number): void {
    const coarse = value + COARSE - COARSE;
    this.#coarse[at] += coarse;
    this.#fine[at] += value - coarse + FINE - FINE;
  }

  of(at: number): number {
    return this.#coarse[at] + this.#fine[at];
  }
}

/** Returns the sum of numbers; 0 without any. */
export function sumOf(values: Float64Array): number {
  const sums = new Sums(1);
  for (const value of values) sums.add(0, value);
  return sums.of(0);
}
