/**
 * Counters that start at zero with every time window, in memory that threads share. Window and
 * count are one 64-bit word, which one atomic step reads, resets and raises. So no thread waits for
 * another, even if that one has died.
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
     * Adds to a counter, which starts at zero if it held another window. A caller that read the clock
     * just before the window ended counts in the next one, since the counter has left the first.
     *
     * @param window Number of the window, ascending with time.
     * @param count  May be negative; the counter stays at zero or above.
     * @returns the new count.
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
    /** Returns the count; undefined if the counter holds another window. */
    get(cell: number, window: number): number | undefined {
      const word = Atomics.load(words, cell);
      return windowOf(word) === window ? countOf(word) : undefined;
    },
    put(cell: number, window: number, count: number): void {
      Atomics.store(words, cell, wordOf(window, count));
    },
  };
}
