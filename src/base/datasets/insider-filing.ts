/** What the marks in rows of insider transactions mean. */

import { MILLIS_PER_DAY } from '../bars.ts';
import { newYorkDay } from '../time/calendar.ts';

/** In `amends`, of an amendment that names neither date nor number of what it replaces. */
export const AMENDS_UNNAMED = 'unnamed';

/** How `accession` begins of a document that came without its number; a hash follows. */
export const UNNUMBERED = 'xml-';

/**
 * The day that a filing is dated: New York's at its moment. A moment at midnight UTC stands for a
 * date without a time, since nothing is accepted at that very millisecond but by chance.
 */
export function filingDay(filedAtMs: number): number {
  return filedAtMs % MILLIS_PER_DAY === 0 ? filedAtMs / MILLIS_PER_DAY : newYorkDay(filedAtMs);
}
