/**
 * Ranking of sources that have the same bar or corporate action.
 *
 * Swapping two sources that stores already hold changes winners without recomputing them: it needs
 * a migration that does so.
 */

import { assert } from '../../../base/errors.ts';
import { SOURCE_ROWS } from '../../../base/sources.ts';

/** Names of the sources that may be stored, best first. */
export const SOURCES: readonly string[] = SOURCE_ROWS.filter(({ rank }) => rank !== undefined)
  .toSorted((a, b) => Number(a.rank) - Number(b.rank))
  .map(({ id }) => id);

/** Returns the rank of a source; the lower wins. */
export function sourcePriority(source: string): number {
  const priority = SOURCES.indexOf(source);
  assert(priority >= 0, `source "${source}" is in the priority table`);
  return priority;
}
