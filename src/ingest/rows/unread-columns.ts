import type { Dataset } from '../../base/datasets/dataset.ts';
import { nearestName } from '../../base/nearest-name.ts';

/** Shortest word that one name can have in common with another. */
const WORD_MIN = 3;

/** Normalizes a column name: `exDate`, `ex_date` and `Ex Date` are one column. */
export function columnKey(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/**
 * Lists the columns of a file that are not read, and look like one that the file lacks.
 *
 * @param keys Columns of the file as `columnKey` gives them.
 */
export function unreadNotes({ columns }: Dataset, keys: Iterable<string>): string[] {
  const present = new Set(keys);
  const [known, lacking] = [new Set<string>(), new Map<string, string>()];
  for (const column of columns) {
    const key = columnKey(column.name);
    known.add(key);
    if (!present.has(key)) lacking.set(key, column.name);
  }
  return [...present]
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
