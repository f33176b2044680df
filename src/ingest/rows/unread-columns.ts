/** Names columns that are not read and look like one that is missing. */

import { nearestName } from '../../base/nearest-name.ts';

/** Shortest word that one name can have in common with another. */
const WORD_MIN = 3;

/**
 * @param keys Columns of the file in plain spelling.
 * @param known Those that are read.
 * @param lacking Missing ones in plain spelling, with the name to give them.
 */
export function unreadNotes(
  keys: Iterable<string>,
  known: ReadonlySet<string>,
  lacking: ReadonlyMap<string, string>,
): string[] {
  return [...new Set(keys)]
    .filter((key) => !known.has(key))
    .flatMap((key) => {
      const near = nearestName(key, lacking.keys()) ?? ending(key, lacking.keys());
      const meant = near && lacking.get(near);
      return meant ? [`the column "${key}" is not read: name it "${meant}" if it is that`] : [];
    });
}

/** Finds a name that ends with the other one: `name` is near `companyname`. */
function ending(key: string, names: Iterable<string>): string | undefined {
  if (key.length < WORD_MIN) return undefined;
  return [...names].find(
    (one) => one.endsWith(key) || (one.length >= WORD_MIN && key.endsWith(one)),
  );
}
