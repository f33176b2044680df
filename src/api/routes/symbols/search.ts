/** Which rows of the directory a question about symbols means. */

import { limits } from '../../../base/limits/limits.ts';
import { doneAtOnce, isPieceEnd, type Work } from '../../../base/turns.ts';
import { NULL_INT } from '../../../store/arrow/format/batch-layout.ts';
import { makeTexts } from '../../../store/arrow/format/table-file.ts';
import { formerTickersOf } from '../../../store/arrow/snapshot/current-symbols.ts';
import type { Listings, ScreenerTable } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Directory } from './walk.ts';

const WORD = /[\p{L}\p{N}]+/gu;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

const namesOfListings = new WeakMap<Listings, string[]>();

/** Words of each company's name in lower case, a space before each; made once for a directory. */
function searchedNames(listings: Listings): string[] {
  return namesOfListings.get(listings) ?? doneAtOnce(makingSearchedNames(listings));
}

function* makingSearchedNames(listings: Listings): Work<string[]> {
  const names: string[] = [];
  for (const [row, name] of listings.companyName.entries()) {
    const words = wordsOf(name).map((word) => ` ${word}`);
    names.push(words.join(''));
    if (isPieceEnd(row)) yield;
  }
  namesOfListings.set(listings, names);
  return names;
}

/** Does what the first searches of a version would wait for. */
export function* preparingSearch(directory: Directory): Work<void> {
  const { listings } = directory;
  yield* makeTexts(listings, [
    'symbol',
    'companyName',
    'exchange',
    'type',
    'source',
    'formerTickers',
  ]);
  if (!namesOfListings.has(listings)) yield* makingSearchedNames(listings);
  yield* makingActiveSymbols(directory);
}

interface ActiveSymbols {
  /** What it was made of, beside the directory. */
  table: ScreenerTable;
  active: ReadonlySet<string>;
}

/** Of the newest version with a directory. */
const activeOfListings = new WeakMap<Listings, ActiveSymbols>();

/** Whether the same symbols had their last bars on the same days, as between two minutes. */
function hasDaysOf(table: ScreenerTable, other: ScreenerTable): boolean {
  const days = table.columns.lastBarDay;
  const otherDays = other.columns.lastBarDay;
  if (table.symbols !== other.symbols) return false;
  return days === otherDays || days.every((day, row) => day === otherDays[row]);
}

/**
 * Symbols that are not delisted and whose newest bar is recent, as that of the newest of all goes;
 * made anew where a version has other symbols or days.
 */
function activeSymbols(directory: Directory): ReadonlySet<string> {
  return doneAtOnce(makingActiveSymbols(directory));
}

function* makingActiveSymbols(directory: Directory): Work<ReadonlySet<string>> {
  const { listings } = directory;
  const table = directory.screener();
  const known = activeOfListings.get(listings);
  if (known?.table === table) return known.active;
  const isKnown = known !== undefined && hasDaysOf(table, known.table);
  const active = isKnown ? known.active : yield* activeOf(table, listings);
  activeOfListings.set(listings, { table, active });
  return active;
}

function* activeOf(
  { symbols, columns: { lastBarDay } }: ScreenerTable,
  { symbol, delistedOn }: Listings,
): Work<ReadonlySet<string>> {
  const newestDay = lastBarDay.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const fromDay = newestDay - limits.symbols.activeDays;
  const delisted = new Set(symbol.filter((_, row) => delistedOn[row] !== NULL_INT));
  yield;
  const active = new Set<string>();
  for (const [row, name] of symbols.entries()) {
    if (lastBarDay[row] >= fromDay && !delisted.has(name)) active.add(name);
    if (isPieceEnd(row)) yield;
  }
  return active;
}

export interface SymbolFilter {
  /** The start of a ticker, a whole former ticker, or words of a name. */
  search: string | undefined;
  /** In lower case, any of them. */
  exchange: readonly string[] | undefined;
  type: readonly string[] | undefined;
  isActive: boolean | undefined;
}

/** Rows of the directory that pass, ascending by symbol. */
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
