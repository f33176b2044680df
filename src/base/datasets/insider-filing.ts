/** Meaning of special values in rows of insider transactions. */

import { MILLIS_PER_DAY } from '../bars.ts';
import { newYorkDay } from '../time/calendar.ts';

/** Value of `amends` for an amendment that names neither date nor number of the replaced filing. */
export const AMENDS_UNNAMED = 'unnamed';

/** Beginning of `accession` for a document that came without a number; a hash follows. */
export const UNNUMBERED = 'xml-';

const ARCHIVE = 'https://www.sec.gov/Archives/edgar/data';

/** Returns the address of a filing's index. */
export function filingLink(cik: number, accession: string): string {
  return `${ARCHIVE}/${cik}/${accession.replaceAll('-', '')}/${accession}-index.htm`;
}

/**
 * Returns the date of a filing: New York's date at its moment. A moment at midnight UTC stands for
 * a date without a time, since a filing is accepted at that very millisecond only by chance.
 */
export function filingDay(filedAtMs: number): number {
  return filedAtMs % MILLIS_PER_DAY === 0 ? filedAtMs / MILLIS_PER_DAY : newYorkDay(filedAtMs);
}
