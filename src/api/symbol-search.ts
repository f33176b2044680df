/** Which rows of the directory a question about symbols means. */

import { MILLIS_PER_DAY } from '../bars.ts';
import { limits } from '../limits.ts';
import { NULL_INT } from '../store/serving/batch-layout.ts';
import type { Listings, Snapshot } from '../store/serving/snapshot.ts';

/** What is searched, by row of the directory. */
interface SearchColumns {
  /** Words of the company's name in lower case, a space before each. */
  names: string[];
  /** Dates of the first and the newest bar in days since the epoch; `NULL_INT` without bars. */
  firstDay: Int32Array;
  lastDay: Int32Array;
  /** Who gives the bars, else who names the symbol; null while neither is known. */
  source: (string | null)[];
  /** From this day on a newest bar is that of an active symbol. */
  activeFromDay: number;
}

const columnsOfSnapshot = new WeakMap<Snapshot, SearchColumns>();

/** Made once for a snapshot. */
export function searchColumns(snapshot: Snapshot): SearchColumns {
  let columns = columnsOfSnapshot.get(snapshot);
  if (!columns) {
    columns = makeColumns(snapshot);
    columnsOfSnapshot.set(snapshot, columns);
  }
  return columns;
}

const WORD = /[\p{L}\p{N}]+/gu;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(WORD) ?? [];
}

function makeColumns(snapshot: Snapshot): SearchColumns {
  const { symbol, companyName, source: namedBy } = snapshot.listings;
  const firstDay = new Int32Array(symbol.length).fill(NULL_INT);
  const lastDay = new Int32Array(symbol.length).fill(NULL_INT);
  const source = namedBy.map((name) => name || null);
  symbol.forEach((name, row) => {
    const info = snapshot.symbol(name);
    if (!info) return;
    firstDay[row] = dayFromMicros(info.firstBarUs);
    lastDay[row] = dayFromMicros(info.lastBarUs);
    source[row] = info.source;
  });
  const newestDay = lastDay.reduce((a, b) => Math.max(a, b), NULL_INT);
  return {
    names: companyName.map((name) =>
      wordsOf(name)
        .map((word) => ` ${word}`)
        .join(''),
    ),
    firstDay,
    lastDay,
    source,
    activeFromDay: newestDay === NULL_INT ? NULL_INT + 1 : newestDay - limits.symbols.activeDays,
  };
}

function dayFromMicros(us: bigint): number {
  return Math.floor(Number(us / 1000n) / MILLIS_PER_DAY);
}

export interface SymbolFilter {
  /** The start of a ticker, or words of a name. */
  search: string | undefined;
  /** In lower case, any of them. */
  exchange: readonly string[] | undefined;
  type: readonly string[] | undefined;
  isActive: boolean | undefined;
}

/** Rows of the directory that pass, ascending by symbol. */
export function searchedRows(snapshot: Snapshot, filter: SymbolFilter): number[] {
  const { listings } = snapshot;
  const { names, lastDay, activeFromDay } = searchColumns(snapshot);
  const { search, exchange, type, isActive } = filter;
  const ticker = search?.trim().toUpperCase().replace(/[-/ ]/g, '.');
  const words = search === undefined ? [] : wordsOf(search).map((word) => ` ${word}`);
  const isFound = (row: number) =>
    ticker === undefined ||
    listings.symbol[row].startsWith(ticker) ||
    (words.length > 0 && words.every((word) => names[row].includes(word)));
  const isIn = (accepted: readonly string[] | undefined, texts: readonly string[], row: number) =>
    accepted === undefined || accepted.includes(texts[row].toLowerCase());
  return rowsWhere(
    listings,
    (row) =>
      isFound(row) &&
      isIn(exchange, listings.exchange, row) &&
      isIn(type, listings.type, row) &&
      (isActive === undefined || isActive === lastDay[row] >= activeFromDay),
  );
}

function rowsWhere({ symbol }: Listings, passes: (row: number) => boolean): number[] {
  const rows: number[] = [];
  for (let row = 0; row < symbol.length; row++) if (passes(row)) rows.push(row);
  return rows;
}
