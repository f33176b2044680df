/**
 * Filters, sorts and pages the rows of one published version.
 *
 * The range filter that the fewest rows pass gives its rows from the column's sort order, without
 * a scan. The other filters test these rows alone. Their ranks in the sort column's order, as a set
 * of bits, then give the page without a sort.
 */

import { assert } from '../../base/errors.ts';
import { lowerBound, upperBound } from '../../base/search-sorted.ts';
import type { SymbolExpression, SymbolValues } from '../../base/symbol-expression.ts';
import { keepMarked, keepPassing, type RowFilters } from './passing-rows.ts';
import { placeAfter, type SortDirection, type SortPosition, sortOrder } from './sort-order.ts';

export interface RowsQuery extends RowFilters {
  /** A value per row. */
  sort: Float64Array;
  direction: SortDirection;
  /** Rows of a page; 1 or more. */
  limit: number;
  /** End of the page before; undefined for the first page. */
  after?: SortPosition;
}

export interface RowsPage {
  /** Row numbers in the requested order, ties by symbol ascending, nulls last. */
  rows: Int32Array;
  /** Rows that pass, on all pages together. */
  total: number;
  hasMore: boolean;
}

/** Scratch memory of the thread: the rows that pass so far. */
let passing = new Int32Array(0);

/** Returns one page of a screen: some 10 µs over 10,000 rows. */
export function screenRows(
  values: SymbolValues,
  { filters, marks = [], sort, direction, limit, after }: RowsQuery,
): RowsPage {
  assert(limit >= 1, 'a page has at least one row');
  const order = sortOrder(sort);
  const { rows: sorted, rank } = order[direction];
  const start = after ? placeAfter(order, direction, after) : 0;
  if (filters.length + marks.length === 0) {
    const end = Math.min(start + limit, sorted.length);
    return {
      rows: sorted.slice(start, end),
      total: sorted.length,
      hasMore: end < sorted.length,
    };
  }
  const total = filterRows(values, { filters, marks });
  setRanks(rank, passing, total);
  const page = new Int32Array(Math.min(limit, total));
  const taken = takeRanks(start, sorted.length, page);
  const rows = page.subarray(0, taken);
  for (let i = 0; i < rows.length; i++) rows[i] = sorted[rows[i]];
  return { rows, total, hasMore: taken > page.length };
}

/** Puts the rows that pass all filters into `passing` and returns their number. */
function filterRows(values: SymbolValues, { filters, marks = [] }: RowFilters): number {
  const rowCount = values.count;
  if (passing.length < rowCount) passing = new Int32Array(rowCount);
  const ranges: CountedRange[] = [];
  const others: SymbolExpression[] = [];
  for (const filter of filters) {
    if (filter.kind === 'range') ranges.push(countedRange(values, filter));
    else others.push(filter);
  }
  ranges.sort((a, b) => a.count - b.count);
  let count = rowCount;
  if (ranges.length === 0) for (let row = 0; row < rowCount; row++) passing[row] = row;
  else {
    const { sorted, first } = ranges[0];
    count = ranges[0].count;
    passing.set(sorted.subarray(first, first + count));
  }
  for (let i = 1; i < ranges.length; i++) {
    count = keepPassing(values, ranges[i].filter, passing, count);
  }
  for (const accepts of marks) count = keepMarked(accepts, passing, count);
  for (const filter of others) count = keepPassing(values, filter, passing, count);
  return count;
}

type RangeFilter = Extract<SymbolExpression, { kind: 'range' }>;

/** A range and the rows that pass it alone: `count` of `sorted` from `first` on. */
interface CountedRange {
  filter: RangeFilter;
  sorted: Int32Array;
  first: number;
  count: number;
}

function countedRange(values: SymbolValues, filter: RangeFilter): CountedRange {
  const { values: sorted, asc } = sortOrder(values.number(filter.name));
  const first = lowerBound(sorted, filter.min);
  return { filter, sorted: asc.rows, first, count: upperBound(sorted, filter.max, first) - first };
}

/** The thread's set of ranks: bit r % 32 of word r / 32 is set for each rank r. */
let words = new Int32Array(512);

function setRanks(rank: Int32Array, rows: Int32Array, count: number): void {
  const wordCount = (rank.length >> 5) + 1;
  if (words.length < wordCount) words = new Int32Array(wordCount);
  words.fill(0, 0, wordCount);
  for (let i = 0; i < count; i++) {
    const bit = rank[rows[i]];
    // A shift takes its count modulo 32.
    words[bit >> 5] |= 1 << bit;
  }
}

/**
 * Reads ranks of the set from `start` on, ascending, as many as `ranks` has room for.
 *
 * @param end One more than the highest possible rank.
 * @returns The number of ranks, at most one more than there is room for.
 */
function takeRanks(start: number, end: number, ranks: Int32Array): number {
  let taken = 0;
  const lastWord = end >> 5;
  let word = start >> 5;
  let bits = words[word] & (-1 << start);
  for (;;) {
    for (; bits !== 0; bits &= bits - 1) {
      if (taken === ranks.length) return taken + 1;
      ranks[taken++] = (word << 5) + 31 - Math.clz32(bits & -bits);
    }
    if (++word > lastWord) return taken;
    bits = words[word];
  }
}
