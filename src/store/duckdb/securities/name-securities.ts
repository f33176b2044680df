/** Ids and symbols of settled securities. Pure. */

import { dateFromDay } from '../../../base/time/dates.ts';
import { fromOf, type Place, type TickerUse, toOf } from './facts/ticker-facts.ts';
import type { KnownSecurity, Security } from './stored-facts.ts';

export interface NamedSecurity extends Security {
  /** The last day of its last ticker; null: it has it still. */
  delistedDay: number | null;
}

/** Returns true for places whose ticker a security had, rather than rows of others' lists. */
export function isOfRecord({ role }: Pick<Place, 'role'>): boolean {
  return role === 'held' || role === 'open' || role === 'free';
}

interface Named {
  /** Stored securities with their tickers, by their first days. */
  known: readonly KnownSecurity[];
  use: TickerUse;
  firstFreeId: number;
}

/**
 * Names the owners of places.
 *
 * @param places Without those that make no security.
 */
export function nameOwners(
  places: readonly Place[],
  { known, use, firstFreeId }: Named,
): Map<number, NamedSecurity> {
  const lasts = lastPlaces(places, use);
  const symbols = symbolsOf(lasts);
  const ids = new Map<number, number>();
  const seen = new Set<number>();
  const byTicker = Map.groupBy(places, ({ ticker }) => ticker);
  for (const { securityId, ...first } of known) {
    if (seen.has(securityId)) continue;
    seen.add(securityId);
    const day = fromOf(first);
    // Days on which the ticker was just left are of who left it.
    const ofTicker = byTicker.get(first.ticker) ?? [];
    const place = ofTicker.find((one) => one.role !== 'late' && day <= toOf(one));
    if (!place) continue;
    ids.set(place.owner, Math.min(securityId, ids.get(place.owner) ?? securityId));
  }
  let freeId = firstFreeId;
  const byName = [...lasts].sort(([a], [b]) => (symbols.get(a)! < symbols.get(b)! ? -1 : 1));
  return new Map(
    byName.map(([owner, { toDay }]) => {
      const securityId = ids.get(owner) ?? freeId++;
      return [owner, { securityId, symbol: symbols.get(owner)!, delistedDay: toDay }];
    }),
  );
}

/** Returns the last place of each owner; of several without an end, that with the last bar. */
function lastPlaces(places: readonly Place[], use: TickerUse): Map<number, Place> {
  const lastBar = ({ ticker }: Place) => use.get(ticker)?.last ?? Number.NEGATIVE_INFINITY;
  const lasts = new Map<number, Place>();
  for (const place of places) {
    const last = lasts.get(place.owner);
    const isLater =
      !last ||
      toOf(place) > toOf(last) ||
      (toOf(place) === toOf(last) &&
        (lastBar(place) > lastBar(last) ||
          (lastBar(place) === lastBar(last) && fromOf(place) > fromOf(last))));
    if (isOfRecord(place) && isLater) lasts.set(place.owner, place);
  }
  return lasts;
}

/**
 * Returns the symbol of each owner: its last ticker. If another had that ticker later, the year and
 * month of its last day follow, `XYZ.201512`; the whole date if two ended in that month.
 */
function symbolsOf(lasts: ReadonlyMap<number, Place>): Map<number, string> {
  const byTicker = Map.groupBy(lasts, ([, { ticker }]) => ticker);
  const symbols = new Map<number, string>();
  for (const [ticker, ofTicker] of byTicker) {
    const [[newest], ...older] = ofTicker.toSorted(([, a], [, b]) => (toOf(a) < toOf(b) ? 1 : -1));
    symbols.set(newest, ticker);
    const dates = older.map(([, { toDay }]) => dateFromDay(toDay!).replaceAll('-', ''));
    for (const [i, [owner]] of older.entries()) {
      const month = dates[i].slice(0, 6);
      const isAlone = dates.filter((date) => date.startsWith(month)).length === 1;
      symbols.set(owner, `${ticker}.${isAlone ? month : dates[i]}`);
    }
  }
  return symbols;
}
