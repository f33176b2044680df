/** Rows of a screen that a list of symbols names. */

import { countUpTo } from '../../base/search-sorted.ts';
import type { ScreenerTable, Snapshot } from '../../store/arrow/snapshot/snapshot.ts';

/** Securities under the names of their day, ascending. */
interface NamedRows {
  table: Pick<ScreenerTable, 'symbols'>;
  /** By row, the present symbol. */
  series: readonly string[];
}

interface ChosenRows {
  /** 1 at each row that is named. */
  accepts: Uint8Array;
  /** Requested symbols without a row. */
  notFound: string[];
}

/**
 * Finds symbols under their names of the day, or else under their present or former ones.
 *
 * @param wanted Canonical symbols.
 */
export function rowsOfSymbols(
  snapshot: Pick<Snapshot, 'resolve'>,
  { table: { symbols }, series }: NamedRows,
  wanted: readonly string[],
): ChosenRows {
  const accepts = new Uint8Array(symbols.length);
  const notFound: string[] = [];
  for (const name of wanted) {
    const row = rowOf(symbols, name) ?? rowOfSeries(symbols, series, snapshot.resolve(name));
    if (row === undefined) notFound.push(name);
    else accepts[row] = 1;
  }
  return { accepts, notFound };
}

function rowOf(sorted: readonly string[], name: string): number | undefined {
  const row = countUpTo(sorted, name) - 1;
  return sorted[row] === name ? row : undefined;
}

function rowOfSeries(
  symbols: readonly string[],
  series: readonly string[],
  present: string | undefined,
): number | undefined {
  if (present === undefined) return undefined;
  if (series === symbols) return rowOf(symbols, present);
  const row = series.indexOf(present);
  return row < 0 ? undefined : row;
}
