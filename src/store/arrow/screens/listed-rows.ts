import type { Listings } from '../snapshot/snapshot.ts';

/** By directory, which versions share while it is the same. */
const known = new WeakMap<Listings, ReadonlyMap<string, number>>();

/** Returns the directory row of each symbol: 1 ms for 10,000, once a directory. */
export function listedRows(listings: Listings): ReadonlyMap<string, number> {
  let rows = known.get(listings);
  if (!rows) {
    rows = new Map(listings.symbol.map((symbol, row) => [symbol, row]));
    known.set(listings, rows);
  }
  return rows;
}
