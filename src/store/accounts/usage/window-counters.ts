/**
 * Counters that start at zero with every time window, in memory that threads share. Window and
 * count are one 64-bit word that an atomic operation changes, so no thread waits for another.
 */

/** @param countBits Bits of the count, which stops at its largest value; the rest hold the window. */
export function createWindowCounters(memory: SharedArrayBuffer, countBits: number) {
  const words = new BigUint64Array(memory);
  const shift = BigInt(countBits);
  const countMax = 2 ** countBits - 1;
  const mask = BigInt(countMax);
  const windowOf = (word: bigint) => Number(word >> shift);
  const countOf = (word: bigint) => Number(word & mask);
  const wordOf = (window: number, count: number) =>
    (BigInt(window) << shift) | BigInt(Math.min(Math.max(count, 0), countMax));

  return {
    /**
     * Adds to a counter, which starts at zero if it held another window, and returns the new count.
     * A caller that read the clock just before the window ended counts in the next one.
     *
     * @param window Number of the window, ascending with time.
     * @param count May be negative; the counter stays at zero or above.
     */
    add(cell: number, window: number, count: number): number {
      for (;;) {
        const word = Atomics.load(words, cell);
        const held = windowOf(word);
        const current = held === window + 1 ? held : window;
        const next = wordOf(current, (held === current ? countOf(word) : 0) + count);
        if (Atomics.compareExchange(words, cell, word, next) === word) return countOf(next);
      }
    },
    get(cell: number, window: number): number | undefined {
      const word = Atomics.load(words, cell);
      return windowOf(word) === window ? countOf(word) : undefined;
    },
    /** Returns the newest window of a counter, 0 before the first, and its count. */
    held(cell: number): { window: number; count: number } {
      const word = Atomics.load(words, cell);
      return { window: windowOf(word), count: countOf(word) };
    },
    put(cell: number, window: number, count: number): void {
      Atomics.store(words, cell, wordOf(window, count));
    },
  };
}
