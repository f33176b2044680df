/** Responses made of published records, which are stored as JSON: whole lists, and pages. */

import { z } from 'zod';
import { dayFromDate } from '../../base/time/dates.ts';
import { NULL_INT, NULL_MICROS } from '../../store/arrow/format/batch-layout.ts';
import type { RowSelection } from '../../store/arrow/lists/row-selection.ts';
import type { ServedList } from '../../store/arrow/lists/served-list.ts';
import { compareRows, type ListPosition, type ListRow } from '../../store/arrow/lists/specs.ts';
import { CONTENT_TYPES, type Format } from '../http/format.ts';
import { type ApiResponse, createResponse, PRIVATE_HEADERS } from '../http/response.ts';
import type { Cursors, Walk } from './cursor.ts';
import { pageHeaders, pageResponse } from './pages.ts';
import type { Table, TableColumn } from './table.ts';
import { tableResponse } from './table-response.ts';

/**
 * Responds with exactly `{data}`.
 *
 * @param texts The records as JSON.
 * @param record Schema of a record.
 */
export function dataResponse(
  texts: readonly string[],
  record: z.ZodObject,
  format: Format,
): ApiResponse | Promise<ApiResponse> {
  if (format !== 'json') return tableResponse(tableFromRecords(texts, record), format);
  return createResponse(200, CONTENT_TYPES.json, `{"data":[${texts.join(',')}]}`);
}

/** Records of a page, and the start of the next one. */
export interface RecordPage {
  rows: readonly ListRow[];
  total: number;
  next: ListPosition | undefined;
}

/**
 * Responds with a page of records, with both envelopes.
 *
 * @param record Schema of a record.
 * @param read Reads the page after a position.
 */
export function recordPageResponse(
  cursors: Cursors,
  walk: Walk,
  { cursor, format }: { cursor?: string; format: Format },
  record: z.ZodObject,
  read: (after: ListPosition | undefined) => RecordPage,
): ApiResponse | Promise<ApiResponse> {
  const after = cursor === undefined ? undefined : cursors.open<ListPosition>(cursor, walk);
  const { rows, total, next } = read(after);
  const texts = rows.map(({ json }) => json);
  const end = { total, cursor: next && cursors.seal(walk, next) };
  if (format === 'json') return pageResponse(texts, end);
  const headers = [...PRIVATE_HEADERS, ...pageHeaders(end)];
  return tableResponse(tableFromRecords(texts, record), format, headers);
}

/** A span of time, both ends inclusive; undefined: open. */
export interface MomentWindow {
  fromMs: number | undefined;
  toMs: number | undefined;
}

type Order = 'newest' | 'oldest';

/** The part of a list that a page holds. */
interface PageSpan {
  /** The last row of the page before. */
  after: ListPosition | undefined;
  limit: number;
}

/** Greater than every id. */
const LAST_ID = '\uffff';

/**
 * Reads a page of a list.
 *
 * @param order Order of the list.
 * @param isWanted Filter of the rows in the window. With it, the whole window is read to count the
 *   rows; without it only the page.
 * @throws {CorruptDataError} The stored bytes do not match their checksum.
 */
export function pageOfList(
  list: ServedList,
  order: Order,
  window: MomentWindow,
  { after, limit }: PageSpan,
  isWanted?: (row: ListRow) => boolean,
): RecordPage {
  const { start, end } = boundsOf(order, window);
  const isInside = (row: ListRow) => !end || compareRows(order, row, end) <= 0;
  if (isWanted) {
    const isAfter = (row: ListRow) => !after || compareRows(order, row, after) > 0;
    return pageOfFiltered(list.rows(start), isInside, isWanted, isAfter, limit);
  }
  const rows = list.page(after ?? start, limit + 1).filter(isInside);
  return pageFrom(rows, list.countBetween(start, end), limit);
}

/** Reads a page of a selection, which knows its rows in memory: only the page is read. */
export function pageOfSelection(
  selection: RowSelection,
  order: Order,
  window: MomentWindow,
  { after, limit }: PageSpan,
): RecordPage {
  const { start, end } = boundsOf(order, window);
  const rows = selection.page(after ?? start, end, limit + 1);
  return pageFrom(rows, selection.countBetween(start, end), limit);
}

/** Returns the positions between which the rows of a window lie. */
function boundsOf(order: Order, { fromMs, toMs }: MomentWindow) {
  const [firstMs, lastMs] = order === 'newest' ? [toMs, fromMs] : [fromMs, toMs];
  const step = order === 'newest' ? 1 : -1;
  return {
    start: firstMs === undefined ? undefined : { timestampMs: firstMs + step, id: LAST_ID },
    end: lastMs === undefined ? undefined : { timestampMs: lastMs, id: LAST_ID },
  };
}

/** @param rows The page, and one more row if there is another page. */
function pageFrom(rows: readonly ListRow[], total: number, limit: number): RecordPage {
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return { rows: page, total, next: hasMore ? positionOf(page[page.length - 1]) : undefined };
}

/** Reads rows in the order of their list until one lies outside the window. */
function pageOfFiltered(
  rows: Iterable<ListRow>,
  isInside: (row: ListRow) => boolean,
  isWanted: (row: ListRow) => boolean,
  isAfter: (row: ListRow) => boolean,
  limit: number,
): RecordPage {
  const page: ListRow[] = [];
  let total = 0;
  for (const row of rows) {
    if (!isInside(row)) break;
    if (!isWanted(row)) continue;
    total++;
    // One more than the page shows that there is another.
    if (isAfter(row) && page.length <= limit) page.push(row);
  }
  return pageFrom(page, total, limit);
}

function positionOf({ timestampMs, id }: ListRow): ListPosition {
  return { timestampMs, id };
}

type Row = Record<string, string | number | boolean | string[] | null>;

/**
 * @param rows Objects as JSON has them.
 * @param record Their schema; each of its fields becomes a column.
 * @param dateType Type of dates that are never null; with `date`, Arrow declares them so.
 */
export function tableFromRows(
  rows: readonly object[],
  record: z.ZodObject,
  dateType: 'date' | 'optionalDate' = 'optionalDate',
): Table {
  return Object.entries(record.shape).map(([name, field]) =>
    column(name, field, rows as readonly Row[], dateType),
  );
}

function tableFromRecords(texts: readonly string[], record: z.ZodObject): Table {
  const rows = texts.map((text) => JSON.parse(text));
  return tableFromRows(rows, record);
}

function column(
  name: string,
  field: z.core.$ZodType,
  rows: readonly Row[],
  dateType: 'date' | 'optionalDate',
): TableColumn {
  const values = rows.map((row) => row[name]);
  const isNullable = field instanceof z.ZodNullable;
  const type = isNullable ? field.unwrap() : field;
  if (type instanceof z.ZodNumber) {
    const numbers = Float64Array.from(values, (value) => Number(value ?? Number.NaN));
    const isInteger = type instanceof z.ZodNumberFormat;
    return { name, type: isInteger ? 'integer' : 'number', values: numbers };
  }
  if (type instanceof z.ZodBoolean) {
    const flags = Float64Array.from(values, (value) => Number(value ?? Number.NaN));
    return { name, type: 'flag', values: flags };
  }
  if (type instanceof z.ZodISODate) {
    const days = values.map((value) => (value === null ? NULL_INT : dayFromDate(String(value))));
    const type = isNullable ? 'optionalDate' : dateType;
    return { name, type, values: Int32Array.from(days) };
  }
  if (type instanceof z.ZodISODateTime) {
    const microseconds = values.map((value) =>
      value === null ? NULL_MICROS : BigInt(Date.parse(String(value))) * 1000n,
    );
    const momentType = isNullable ? 'optionalTimestamp' : 'timestamp';
    return { name, type: momentType, values: BigInt64Array.from(microseconds) };
  }
  // A list becomes one text with spaces between.
  const texts = values.map((value) => (Array.isArray(value) ? value.join(' ') : value));
  if (!isNullable) return { name, type: 'text', values: texts.map(String) };
  return { name, type: 'optionalText', values: texts.map((t) => (t === null ? null : String(t))) };
}
