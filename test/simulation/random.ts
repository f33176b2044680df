/** Random numbers that follow from a seed and a name, the same on any machine. */

import { createHash } from 'node:crypto';

export class Random {
  #state: number;

  constructor(seed: number | string, name = '') {
    this.#state = createHash('sha256').update(`${seed}/${name}`).digest().readUInt32LE();
  }

  /** Returns a number from 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    return fraction(this.#state);
  }

  /** Returns the number of a place, which does not depend on earlier calls. */
  at(place: number): number {
    return fraction((this.#state + Math.imul(place, 0x9e3779b1)) | 0);
  }

  /** Returns a whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)];
  }

  bytes(count: number): Buffer {
    const bytes = Buffer.alloc(count);
    for (let i = 0; i < count; i++) bytes[i] = this.below(256);
    return bytes;
  }
}

function fraction(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
