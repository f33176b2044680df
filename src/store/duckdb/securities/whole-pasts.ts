import { SOURCE_ROWS } from '../../../base/sources.ts';
import type { Place } from './facts/ticker-facts.ts';

/** Sources that list the whole past of who has the ticker by now. */
export const PRESENT_SOURCES: readonly string[] = SOURCE_ROWS.filter(
  ({ tickers }) => tickers === 'present',
).map(({ id }) => id);

/** Rows of one input on the days of a place. */
export interface PlacedRows {
  segment: number;
  ticker: string;
  source: string;
  /** Index of the place. */
  place: number;
}

/** The owner of an input's rows of a ticker before the place with the index `before`. */
export interface WholePast {
  segment: number;
  ticker: string;
  before: number;
  owner: number;
}

/**
 * Finds inputs that list a security's whole past under one ticker, also on days on which others had
 * it: all of sources that do so, and inputs with rows between one holder and the next.
 *
 * @param places In order of time for each ticker.
 */
export function findWholePasts(
  rows: readonly PlacedRows[],
  places: readonly Place[],
): Map<string, WholePast> {
  const found = new Map<string, WholePast>();
  for (const [key, inputs] of Map.groupBy(rows, keyOf)) {
    const [{ segment, ticker, source }] = inputs;
    const isPresent = PRESENT_SOURCES.includes(source);
    const pasts = inputs.map(({ place }) => place).filter((place) => places[place].role === 'past');
    const before = isPresent
      ? Math.max(...inputs.map(({ place }) => place))
      : Math.max(-1, ...pasts);
    if (before === -1) continue;
    found.set(key, { segment, ticker, before, owner: places[before].owner });
  }
  return found;
}

/** Returns the owner of rows. */
export function ownerOf(
  rows: PlacedRows,
  places: readonly Place[],
  wholePasts: ReadonlyMap<string, WholePast>,
): number {
  const past = wholePasts.get(keyOf(rows));
  return past && rows.place < past.before ? past.owner : places[rows.place].owner;
}

function keyOf({ segment, ticker }: Pick<PlacedRows, 'segment' | 'ticker'>): string {
  return `${segment} ${ticker}`;
}
