/** Searches the directory of symbols. */

import { limits } from '../../../base/limits.ts';
import { isTestIssue } from '../../../base/symbols/test-issues.ts';
import { NULL_INT } from '../../../store/arrow/format/batch-layout.ts';
import { formerTickersOf } from '../../../store/arrow/snapshot/current-symbols.ts';
import type { Listings, ScreenerTable } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Directory } from './walk.ts';

const WORD = /[\p{L}\p{N}]+/gu;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

const namesOfListings = new WeakMap<Listings, string[]>();

/** Returns the words of each company's name in lower case, each after a space; cached. */
function searchedNames(listings: Listings): string[] {
  let names = namesOfListings.get(listings);
  if (!names) {
    names = listings.companyName.map((name) =>
      wordsOf(name)
        .map((word) => ` ${word}`)
        .join(''),
    );
    namesOfListings.set(listings, names);
  }
  return names;
}

/** Returns what the first searches of a version would wait for, in steps of a few milliseconds. */
export function searchSteps(directory: Directory): (() => unknown)[] {
  return [() => searchedNames(directory.listings), () => activeSymbols(directory)];
}

const activeOfTable = new WeakMap<ScreenerTable, ReadonlySet<string>>();

/**
 * Returns the symbols that are not delisted and whose newest bar is recent, compared with the
 * newest day of the market; cached.
 */
function activeSymbols(directory: Directory): ReadonlySet<string> {
  const table = directory.screener();
  const active = activeOfTable.get(table) ?? activeOf(table, directory.listings);
  activeOfTable.set(table, active);
  return active;
}

function activeOf(
  { symbols, marketDay, columns: { lastBarDay } }: ScreenerTable,
  { symbol, delistedOn }: Listings,
): ReadonlySet<string> {
  const fromDay = (marketDay ?? Number.NaN) - limits.symbols.activeDays;
  const delisted = new Set(symbol.filter((_, row) => delistedOn[row] !== NULL_INT));
  return new Set(symbols.filter((name, row) => lastBarDay[row] >= fromDay && !delisted.has(name)));
}

export interface SymbolFilter {
  /** Start of a ticker, a complete former ticker, or words of a name. */
  search: string | undefined;
  /** Accepted values in lower case. */
  exchange: readonly string[] | undefined;
  type: readonly string[] | undefined;
  isActive: boolean | undefined;
}

/** Returns the rows that pass, ascending by symbol. A test issue passes if its ticker is searched. */
export function searchedRows(directory: Directory, filter: SymbolFilter): number[] {
  const { listings } = directory;
  const { search, exchange, type, isActive } = filter;
  const names = searchedNames(listings);
  const active = isActive === undefined ? undefined : activeSymbols(directory);
  const ticker = search?.trim().toUpperCase().replace(/[-/ ]/g, '.');
  const words = search === undefined ? [] : wordsOf(search).map((word) => ` ${word}`);
  const isFound = (row: number) =>
    ticker === undefined ||
    listings.symbol[row].startsWith(ticker) ||
    formerTickersOf(listings, row).some((former) => former.ticker === ticker) ||
    (words.length > 0 && words.every((word) => names[row].includes(word)));
  const isIn = (accepted: readonly string[] | undefined, texts: readonly string[], row: number) =>
    accepted === undefined || accepted.includes(texts[row].toLowerCase());
  return rowsWhere(
    listings,
    (row) =>
      isFound(row) &&
      (listings.symbol[row] === ticker || !isTestIssue(listings.symbol[row])) &&
      isIn(exchange, listings.exchange, row) &&
      isIn(type, listings.type, row) &&
      (active === undefined || isActive === active.has(listings.symbol[row])),
  );
}

function rowsWhere({ symbol }: Listings, passes: (row: number) => boolean): number[] {
  const rows: number[] = [];
  for (let row = 0; row < symbol.length; row++) if (passes(row)) rows.push(row);
  return rows;
}
