/**
 * Which source wins where several have the same bar or corporate action. A table, so that the
 * answer never depends on the order of loading.
 *
 * A new source may be added anywhere. Swapping two sources that stores already hold changes
 * winners that nothing recomputes: it needs a migration that does.
 */

import { assert } from '../../../base/errors.ts';

/**
 * Best first: exchanges' and the SEC's directories and filings, which have no bars; exchange
 * tapes, consolidated vendors, vendors of rows, bulk vendors, feeds, the user's files, synthetic.
 */
export const SOURCES = [
  'nasdaqtrader',
  'sec',
  'form4',
  'form4-datasets',
  'massive',
  'alpaca',
  'tiingo',
  'eodhd',
  'finnhub',
  'fmp',
  'nasdaq',
  'cboe',
  'stooq',
  'yahoo',
  'rss',
  'files',
  'sandbox',
] as const;

/** Rank of a source; the lower wins. */
export function sourcePriority(source: string): number {
  const priority = (SOURCES as readonly string[]).indexOf(source);
  assert(priority >= 0, `source "${source}" is in the priority table`);
  return priority;
}
