/** A set of ranks as bits: the rows that pass a screen, read in order without a sort. */

/** Scratch memory of the thread: bit r % 32 of word r / 32 is set for each rank r in the set. */
let words = new Int32Array(512);

/** Makes the set the ranks of the first `count` of `rows`. */
export function setRanks(rank: Int32Array, rows: Int32Array, count: number): void {
  const wordCount = (rank.length >> 5) + 1;
  if (words.length < wordCount) words = new Int32Array(wordCount);
  words.fill(0, 0, wordCount);
  for (let i = 0; i < count; i++) {
    const bit = rank[rows[i]];
    // A shift takes its count modulo 32.
    words[bit >> 5] |= 1 << bit;
  }
}

/**
 * Reads ranks of the set from `start` on, ascending.
 *
 * @param end   One more than the highest possible rank.
 * @param ranks Receives as many as it has room for.
 * @returns The number of ranks, at most one more than there is room for.
 */
export function takeRanks(start: number, end: number, ranks: Int32Array): number {
  let taken = 0;
  const lastWord = end >> 5;
  let word = start >> 5;
  let bits = words[word] & (-1 << start);
  for (;;) {
    for (; bits !== 0; bits &= bits - 1) {
      if (taken === ranks.length) return taken + 1;
      ranks[taken++] = (word << 5) + 31 - Math.clz32(bits & -bits);
    }
    if (++word > lastWord) return taken;
    bits = words[word];
  }
}
