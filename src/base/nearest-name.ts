/** Suggests the name that a user probably meant. */

/** Largest number of edits, and share of the longer word, by which two names are near. */
const EDITS_MAX = 3;
const EDITED_MAX = 0.6;
/** A longer word is not a misspelled name, and would take long to compare. */
const WORD_MAX = 64;

/**
 * Finds the name nearest to a misspelled word: the name with the fewest edits among those that
 * begin with the word, or else among all. Case does not count.
 *
 * @param editedMax Share of the longer word by which near names differ.
 * @returns undefined if none is near.
 */
export function nearestName(
  word: string,
  names: Iterable<string>,
  editedMax = EDITED_MAX,
): string | undefined {
  if (word.length > WORD_MAX) return undefined;
  const wanted = word.toLowerCase();
  let nearest: { name: string; isLonger: boolean; edits: number } | undefined;
  for (const name of names) {
    const known = name.toLowerCase();
    const isLonger = wanted.length > 1 && known.startsWith(wanted);
    const edits = editCount(wanted, known);
    const longest = Math.max(wanted.length, known.length);
    if (!isLonger && (edits > EDITS_MAX || edits >= longest * editedMax)) continue;
    const isNearer =
      !nearest ||
      (isLonger === nearest.isLonger ? edits < nearest.edits : isLonger && !nearest.isLonger);
    if (isNearer) nearest = { name, isLonger, edits };
  }
  return nearest?.name;
}

/** Counts insertions, deletions, replacements and swaps of neighbours between two words. */
function editCount(a: string, b: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(above[j] + 1, row[j - 1] + 1, replaced);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) row[j] = Math.min(row[j], twoAbove[j - 2] + 1);
    }
    twoAbove = above;
    above = row;
  }
  return above[b.length];
}
