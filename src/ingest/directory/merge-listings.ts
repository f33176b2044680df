/** One row per symbol from the directories of several sources. */

import type { ListedSecurity } from './listed-security.ts';

/** Whose words count, best first: exchanges know their listings, the SEC knows registrants. */
const RANKS: Readonly<Record<ListedSecurity['source'], number>> = { nasdaqtrader: 0, sec: 1 };

/**
 * The best source's row of each symbol, whole: a symbol without an exchange of ours there must
 * not get one from a lesser source. Only what it never knows, the SEC's number, is filled in.
 *
 * @param listings Of one source's rows for a symbol the first wins.
 * @returns New rows, ascending by symbol.
 */
export function mergeListings(listings: readonly ListedSecurity[]): ListedSecurity[] {
  const bySymbol = new Map<string, ListedSecurity>();
  for (const listing of listings.toSorted((a, b) => RANKS[a.source] - RANKS[b.source])) {
    const best = bySymbol.get(listing.symbol);
    if (best) best.cik ??= listing.cik;
    else bySymbol.set(listing.symbol, { ...listing });
  }
  return [...bySymbol.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}
