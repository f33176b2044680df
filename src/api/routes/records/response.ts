/** Answers made of rows that are kept as JSON: whole lists, and pages of long ones. */

import type { ListPosition, ListRow } from '../../../store/arrow/lists/specs.ts';
import type { Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import { CONTENT_TYPES, type Format } from '../../http/format.ts';
import { type Answer, createAnswer } from '../../http/response.ts';
import { PAGE_HEADERS, type PageEnd, pageAnswer, pageHeaders } from '../../responses/pages.ts';
import type { Table } from '../../responses/table.ts';
import { arrowAnswer, csvAnswer } from '../../responses/table-response.ts';
import { type RowFields, tableFromRowTexts } from './table.ts';

function tabular(
  table: Table,
  format: Exclude<Format, 'json'>,
  headers: readonly string[],
): Answer | Promise<Answer> {
  return format === 'csv' ? csvAnswer(table, headers) : arrowAnswer(table, headers);
}

/** Exactly `{data}`. @param texts The rows as JSON. */
export function dataAnswer(
  texts: readonly string[],
  fields: RowFields,
  format: Format,
): Answer | Promise<Answer> {
  if (format !== 'json') return tabular(tableFromRowTexts(texts, fields), format, []);
  return createAnswer(200, CONTENT_TYPES.json, `{"data":[${texts.join(',')}]}`);
}

/** A page of a list, with both envelopes. */
export function rowPageAnswer(
  texts: readonly string[],
  fields: RowFields,
  format: Format,
  end: PageEnd,
): Answer | Promise<Answer> {
  if (format === 'json') return pageAnswer(texts, end, PAGE_HEADERS);
  const headers = [...PAGE_HEADERS, ...pageHeaders(end)];
  return tabular(tableFromRowTexts(texts, fields), format, headers);
}

/** Rows of a page, and where the next one begins. */
export interface PageRows {
  rows: readonly ListRow[];
  total: number;
  next: ListPosition | undefined;
}

/**
 * The page after a position of rows that are gone through one by one, since only some of them are
 * wanted: their number is not known otherwise.
 *
 * @param rows In the order of the list.
 */
export function pageOfRows(
  rows: Iterable<ListRow>,
  isAfter: (row: ListRow) => boolean,
  limit: number,
): PageRows {
  const page: ListRow[] = [];
  let total = 0;
  let hasMore = false;
  for (const row of rows) {
    total++;
    if (!isAfter(row)) continue;
    if (page.length < limit) page.push(row);
    else hasMore = true;
  }
  return { rows: page, total, next: hasMore ? positionOf(page[page.length - 1]) : undefined };
}

export function positionOf({ timestampMs, id }: ListRow): ListPosition {
  return { timestampMs, id };
}

/** What a walk over a security's rows asks: it goes on when the security changes its symbol. */
export function securityQuestion(snapshot: Snapshot, symbol: string): number {
  const { listings } = snapshot;
  let [low, high] = [0, listings.symbol.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (listings.symbol[middle] < symbol) low = middle + 1;
    else high = middle;
  }
  return listings.securityId[low];
}
