/** A walk through a served list between two moments: each page is one read of the file. */

import type { RowSelection } from '../../../store/arrow/lists/row-selection.ts';
import type { ServedList } from '../../../store/arrow/lists/served-list.ts';
import { compareRows, type ListPosition, type ListRow } from '../../../store/arrow/lists/specs.ts';
import { type PageRows, pageOfRows, positionOf } from './response.ts';

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
  window: MomentWindow,
  { after, limit }: { after: ListPosition | undefined; limit: number },
  isWanted?: (row: ListRow) => boolean,
): PageRows {
  const { start, end } = boundsOf(order, window);
  const isInside = (row: ListRow) => !end || compareRows(order, row, end) <= 0;
  if (isWanted) {
    const rows = whileInside(list.rows(start), isInside);
    const isAfter = (row: ListRow) => !after || compareRows(order, row, after) > 0;
    return pageOfRows(filtered(rows, isWanted), isAfter, limit);
  }
  const rows = list.page(after ?? start, limit + 1).filter(isInside);
  return pageRows(rows, list.countBetween(start, end), limit);
}

/** The same of rows that are found in memory: none but the page is read. */
export function pageOfSelection(
  selection: RowSelection,
  order: 'newest' | 'oldest',
  window: MomentWindow,
  { after, limit }: { after: ListPosition | undefined; limit: number },
): PageRows {
  const { start, end } = boundsOf(order, window);
  const rows = selection.page(after ?? start, end, limit + 1);
  return pageRows(rows, selection.countBetween(start, end), limit);
}

/** The positions that a window's rows lie between. */
function boundsOf(order: 'newest' | 'oldest', { fromMs, toMs }: MomentWindow) {
  const [firstMs, lastMs] = order === 'newest' ? [toMs, fromMs] : [fromMs, toMs];
  const step = order === 'newest' ? 1 : -1;
  return {
    start: firstMs === undefined ? undefined : { timestampMs: firstMs + step, id: LAST_ID },
    end: lastMs === undefined ? undefined : { timestampMs: lastMs, id: LAST_ID },
  };
}

/** @param rows The page, and one more where there is another page. */
function pageRows(rows: readonly ListRow[], total: number, limit: number): PageRows {
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { rows: page, total, next: hasMore ? positionOf(page[page.length - 1]) : undefined };
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
