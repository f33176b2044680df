/** A walk through a served list between two moments: each page is one read of the file. */

import { compareRows, type ListPosition, type ListRow } from '../store/serving/list-specs.ts';
import type { ServedList } from '../store/serving/served-list.ts';
import { type PageRows, pageOfRows, positionOf } from './row-answer.ts';

/** Both inclusive; undefined: none. */
export interface MomentWindow {
  fromMs: number | undefined;
  toMs: number | undefined;
}

/** After every id there is. */
const LAST_ID = '\uffff';

/**
 * @param order   That of the list.
 * @param after   The last row of the page before.
 * @param isWanted Of rows in the window; undefined wants all, and then none but the page is read.
 * @throws {CorruptDataError} the stored bytes do not match their checksum.
 */
export function pageOfList(
  list: ServedList,
  order: 'newest' | 'oldest',
  { fromMs, toMs }: MomentWindow,
  { after, limit }: { after: ListPosition | undefined; limit: number },
  isWanted?: (row: ListRow) => boolean,
): PageRows {
  const [firstMs, lastMs] = order === 'newest' ? [toMs, fromMs] : [fromMs, toMs];
  const step = order === 'newest' ? 1 : -1;
  const start = firstMs === undefined ? undefined : { timestampMs: firstMs + step, id: LAST_ID };
  const end = lastMs === undefined ? undefined : { timestampMs: lastMs, id: LAST_ID };
  const isInside = (row: ListRow) => !end || compareRows(order, row, end) <= 0;
  if (isWanted) {
    const rows = whileInside(list.rows(start), isInside);
    const isAfter = (row: ListRow) => !after || compareRows(order, row, after) > 0;
    return pageOfRows(filtered(rows, isWanted), isAfter, limit);
  }
  const rows = list.page(after ?? start, limit + 1).filter(isInside);
  const total = countAfter(list, start) - (end ? list.countAfter(end) : 0);
  const hasMore = rows.length > limit;
  const page = rows.slice(0, limit);
  return { rows: page, total, next: hasMore ? positionOf(page[page.length - 1]) : undefined };
}

function countAfter(list: ServedList, position: ListPosition | undefined): number {
  return position ? list.countAfter(position) : list.count;
}

function* whileInside(
  rows: Iterable<ListRow>,
  isInside: (row: ListRow) => boolean,
): Generator<ListRow> {
  for (const row of rows) {
    if (!isInside(row)) return;
    yield row;
  }
}

function* filtered(
  rows: Iterable<ListRow>,
  isWanted: (row: ListRow) => boolean,
): Generator<ListRow> {
  for (const row of rows) if (isWanted(row)) yield row;
}

/** Rows of several lists in order, one that is in several of them once. */
export function* joinedLists(
  lists: readonly ServedList[],
  order: 'newest' | 'oldest',
): Generator<ListRow> {
  const open = lists.map((list) => list.rows());
  const heads = open.map((rows) => rows.next());
  for (;;) {
    let first: ListRow | undefined;
    for (const { done, value } of heads) {
      if (!done && (!first || compareRows(order, value, first) < 0)) first = value;
    }
    if (!first) return;
    heads.forEach(({ done, value }, i) => {
      if (!done && compareRows(order, value, first) === 0) heads[i] = open[i].next();
    });
    yield first;
  }
}
