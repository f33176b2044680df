/**
 * Sums with the same bits in any order of the numbers. Symbols come in another order as soon as one
 * is listed, ends or is renamed; a study of past days must not change by that.
 */

/** Adding and subtracting it rounds a number below 2^22 to a multiple of 2^-30. */
export const COARSE = 1.5 * 2 ** 22;

/** The same for the rest, and 2^-66. */
export const FINE = 1.5 * 2 ** -14;

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

  /** Adds values to the sum of a place. */
  addValues(at: number, values: Float64Array): void {
    let [coarses, fines] = [this.#coarse[at], this.#fine[at]];
    for (let i = 0; i < values.length; i++) {
      const coarse = values[i] + COARSE - COARSE;
      coarses += coarse;
      fines += values[i] - coarse + FINE - FINE;
    }
    this.#coarse[at] = coarses;
    this.#fine[at] = fines;
  }

  /** Adds a number several times. */
  addTimes(at: number, value: number, times: number): void {
    const coarse = value + COARSE - COARSE;
    this.#coarse[at] += coarse * times;
    this.#fine[at] += (value - coarse + FINE - FINE) * times;
  }

  /** Adds values less their mean to the sums of their places. */
  addDeviations(places: Int32Array, values: Float64Array, mean: number): void {
    const coarses = this.#coarse;
    const fines = this.#fine;
    for (let i = 0; i < values.length; i++) {
      const value = values[i] - mean;
      const coarse = value + COARSE - COARSE;
      coarses[places[i]] += coarse;
      fines[places[i]] += value - coarse + FINE - FINE;
    }
  }

  of(at: number): number {
    return this.#coarse[at] + this.#fine[at];
  }

  all(): Float64Array {
    return this.#coarse.map((coarse, at) => coarse + this.#fine[at]);
  }
}

/** Returns the sum of numbers; 0 without any. */
export function sumOf(values: Float64Array): number {
  const sums = new Sums(1);
  sums.addValues(0, values);
  return sums.of(0);
}
