/**
 * The screener: filters, sorts and pages the rows of one published version.
 *
 * Each column is put in order once, when a query first needs it. The filter that the fewest rows
 * pass then gives its rows without a scan, the others look at these alone, and the sort column's
 * ranks say which of the survivors make the page.
 */

import { assert } from '../../base/errors.ts';
import type { ScreenerNumber, SortDirection } from './columns.ts';
import { keepPassing, passingCount, rowsPassing, type ScreenerFilter } from './filters.ts';
import type { ScreenerIndex } from './index.ts';
import { setRanks, takeRanks } from './rank-set.ts';
import { rankAfter, type SortPosition } from './sort-order.ts';

export interface ScreenerQuery {
  /** All must pass; in any order. */
  filters: readonly ScreenerFilter[];
  sort: ScreenerNumber;
  direction: SortDirection;
  /** Rows of a page; 1 or more. */
  limit: number;
  /** Where the page before ended; undefined for the first page. */
  after?: SortPosition;
}

export interface ScreenerPage {
  /** Row numbers in the order asked, ties by symbol ascending, nulls last. */
  rows: Int32Array;
  /** Rows that pass, on all pages together. */
  total: number;
  hasMore: boolean;
}

/** Answers a query in some microseconds and allocates nothing but the page. */
export type Screener = (query: ScreenerQuery) => ScreenerPage;

/** Scratch memory, one per thread: the rows still in, and the filters by how many rows pass. */
let survivors = new Int32Array(0);
const ordered: ScreenerFilter[] = [];
const passing: number[] = [];

/** A screener that uses what is made of an index already, and makes the rest when needed. */
export function createScreener(index: ScreenerIndex): Screener {
  return ({ filters, sort, direction, limit, after }) => {
    assert(limit >= 1, 'a page has at least one row');
    const order = index.order(sort);
    const ranking = order[direction];
    const start = after ? rankAfter(order, direction, after) : 0;
    if (filters.length === 0) {
      const end = Math.min(start + limit, index.rowCount);
      const rows = ranking.rows.slice(start, end);
      return { rows, total: index.rowCount, hasMore: end < index.rowCount };
    }
    const total = filterRows(index, filters);
    setRanks(ranking.rank, survivors, total);
    const page = new Int32Array(Math.min(limit, total));
    const taken = takeRanks(start, index.rowCount, page);
    const rows = page.subarray(0, taken);
    for (let i = 0; i < rows.length; i++) rows[i] = ranking.rows[rows[i]];
    return { rows, total, hasMore: taken > page.length };
  };
}

/** Leaves the rows that pass all filters in `survivors` and gives their number. */
function filterRows(index: ScreenerIndex, filters: readonly ScreenerFilter[]): number {
  if (survivors.length < index.rowCount) survivors = new Int32Array(index.rowCount);
  orderFilters(index, filters);
  let count = rowsPassing(index, ordered[0], survivors);
  for (let i = 1; i < ordered.length; i++) {
    count = keepPassing(index.columns, ordered[i], survivors, count);
  }
  return count;
}

/** Fills `ordered`, the filter that the fewest rows pass first. */
function orderFilters(index: ScreenerIndex, filters: readonly ScreenerFilter[]): void {
  ordered.length = 0;
  for (const filter of filters) {
    const count = passingCount(index, filter);
    let at = ordered.length;
    for (; at > 0 && passing[at - 1] > count; at--) {
      ordered[at] = ordered[at - 1];
      passing[at] = passing[at - 1];
    }
    ordered[at] = filter;
    passing[at] = count;
  }
}
