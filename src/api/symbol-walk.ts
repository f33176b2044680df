/** The order of a walk through the directory: that of its first page, whatever is renamed meanwhile. */

import type { Listings, ServingReader, Snapshot } from '../store/serving/snapshot.ts';

/** The last row of a page. */
export type SymbolPlace = [
  /** The version whose symbols the walk goes by. */
  snapshotId: string,
  /** The row's symbol in that version, which somebody newer may have taken meanwhile. */
  symbolThen: string,
  securityId: number,
];

export interface SymbolWalk {
  /** Those of `rows` that come behind the place, in the order of the walk. */
  rest: number[];
  placeOf(row: number): SymbolPlace;
}

/**
 * A security that is renamed keeps its place while the version of the first page is kept, so it is
 * neither skipped nor repeated. Later the walk goes by the symbols of the newest version.
 *
 * @param rows Of the snapshot's listings, ascending by symbol.
 * @param place Where the page before ended.
 */
export function walkOn(
  reader: ServingReader,
  snapshot: Snapshot,
  rows: readonly number[],
  place: SymbolPlace | undefined,
): SymbolWalk {
  const { listings } = snapshot;
  const kept = place && reader.listingsOf(place[0]);
  const id = place && kept ? place[0] : snapshot.id;
  const symbolsThen = symbolsOf(listings, kept ?? listings);
  const placeOf = (row: number): SymbolPlace => [id, symbolsThen[row], listings.securityId[row]];
  if (!place) return { rest: [...rows], placeOf };
  const isBehind = (row: number): boolean => isAfter(placeOf(row), place);
  const rest = rows.filter(isBehind);
  if (symbolsThen !== listings.symbol) {
    rest.sort((a, b) => (isAfter(placeOf(a), placeOf(b)) ? 1 : -1));
  }
  return { rest, placeOf };
}

function isAfter([, symbolA, idA]: SymbolPlace, [, symbolB, idB]: SymbolPlace): boolean {
  return symbolA > symbolB || (symbolA === symbolB && idA > idB);
}

/** By row of `listings`, the symbol that its security had in `earlier`; of newer ones their own. */
function symbolsOf(listings: Listings, earlier: Listings): readonly string[] {
  if (listings === earlier) return listings.symbol;
  const symbols = new Map(earlier.symbol.map((symbol, row) => [earlier.securityId[row], symbol]));
  return listings.symbol.map((symbol, row) => symbols.get(listings.securityId[row]) ?? symbol);
}
