/**
 * Counters that begin at zero with every window of time, in memory that threads share. Window and
 * count are one 64-bit word, so that a counter is read, begun anew and raised in one atomic step
 * and no thread ever waits for another, or for one that has died.
 */

export interface WindowCounters {
  /**
   * Adds to a counter, which begins at zero where it held another window.
   *
   * A caller who has read the clock just before the window turned counts in the next one, as the
   * counter has left the first for good.
   *
   * @param window Number of the window, ascending with time.
   * @param count  May be below zero; the counter never is.
   * @returns what it holds then.
   */
  add(cell: number, window: number, count: number): number;
  /** Undefined while the counter holds another window. */
  get(cell: number, window: number): number | undefined;
  put(cell: number, window: number, count: number): void;
}

/** @param countBits Bits of a count, which stops at the largest; the others are the window's. */
export function createWindowCounters(memory: SharedArrayBuffer, countBits: number): WindowCounters {
  const words = new BigUint64Array(memory);
  const shift = BigInt(countBits);
  const countMax = 2 ** countBits - 1;
  const mask = BigInt(countMax);
  const windowOf = (word: bigint) => Number(word >> shift);
  const countOf = (word: bigint) => Number(word & mask);
  const wordOf = (window: number, count: number) =>
    (BigInt(window) << shift) | BigInt(Math.min(Math.max(count, 0), countMax));

  return {
    add(cell, window, count) {
      for (;;) {
        const word = Atomics.load(words, cell);
        const held = windowOf(word);
        const current = held === window + 1 ? held : window;
        const next = wordOf(current, (held === current ? countOf(word) : 0) + count);
        if (Atomics.compareExchange(words, cell, word, next) === word) return countOf(next);
      }
    },
    get(cell, window) {
      const word = Atomics.load(words, cell);
      return windowOf(word) === window ? countOf(word) : undefined;
    },
    put(cell, window, count) {
      Atomics.store(words, cell, wordOf(window, count));
    },
  };
}
