/** Pages of lists: both envelopes of section 2.2 of the specification at once. */

import { z } from 'zod';
import type { ListPart, ListPlace } from '../../store/accounts/database/list-part.ts';
import { CONTENT_TYPES } from '../http/format.ts';
import { checkedQuery } from '../http/query.ts';
import { cursorField, pageLimitField } from '../http/query-fields.ts';
import type { AdmittedContext } from '../http/request-context.ts';
import {
  type ApiResponse,
  createResponse,
  type HeaderLines,
  PRIVATE_HEADERS,
} from '../http/response.ts';
import type { Cursors } from './cursor.ts';

/** Envelope of a page without its rows. */
export interface PageEnd {
  /** Rows on all pages together, exact. */
  total: number;
  /** Start of the next page; undefined on the last one. */
  cursor: string | undefined;
  /** Sentences that a reader of the rows has to know; undefined: none. */
  warnings?: readonly string[] | undefined;
}

/**
 * Writes a page as JSON. On the last page the flat `cursor` is null and `page_info.cursor` is
 * absent. A page has no ETag because its cursor contains the time.
 *
 * @param rowTexts The rows, each as JSON text.
 */
export function pageResponse(
  rowTexts: readonly string[],
  { total, cursor, warnings }: PageEnd,
  headers: HeaderLines = PRIVATE_HEADERS,
): ApiResponse {
  const hasNext = cursor !== undefined;
  const envelope = {
    page_info: { hasNext, cursor, totalCount: total },
    has_more: hasNext,
    cursor: cursor ?? null,
    total,
    warnings,
  };
  const end = JSON.stringify(envelope).slice(1);
  return createResponse(200, CONTENT_TYPES.json, `{"data":[${rowTexts.join(',')}],${end}`, headers);
}

/** Returns the envelope as headers, for CSV and Arrow. */
export function pageHeaders({ total, cursor }: PageEnd): string[] {
  const headers = ['X-SVC-Total-Count', String(total)];
  if (cursor !== undefined) headers.push('X-SVC-Next-Cursor', cursor);
  return headers;
}

const total = z.int().describe('Rows on all pages together.');

const morePageInfo = z
  .strictObject({
    hasNext: z.literal(true),
    cursor: z.string().describe('Send it to get the next page; absent on the last one.'),
    totalCount: total,
  })
  .meta({ id: 'MorePageInfo' });

const lastPageInfo = z
  .strictObject({ hasNext: z.literal(false), totalCount: total })
  .meta({ id: 'LastPageInfo' });

/**
 * Returns the schema of a page.
 *
 * @param id Id of the schema in the API description. Both forms have ids as well, because
 *   generators of clients drop alternatives without one.
 */
/** @param facts Further members of the last page. */
export function pageSchema<T extends z.ZodType>(id: string, row: T, facts: z.ZodRawShape = {}) {
  const shared = { data: z.array(row).describe('The rows of this page.'), total };
  const more = z.strictObject({
    ...shared,
    page_info: morePageInfo,
    has_more: z.literal(true),
    cursor: z.string().describe('Send it to get the next page; null on the last one.'),
  });
  const last = z.strictObject({
    ...shared,
    page_info: lastPageInfo,
    has_more: z.literal(false),
    cursor: z.null(),
    ...facts,
  });
  return z.union([more.meta({ id: `${id}More` }), last.meta({ id: `${id}Last` })]).meta({ id });
}

/** Looks like a cursor; no server accepts it. */
const EXAMPLE_CURSOR = 'upjHaMX5RlTKNJtMaNcf3PUxKwWxAy6HL-a80xk0VQdbMTc5NTAwMzIwMDAwMF0';

/** Returns an example of the first page of several. */
export function firstPage(data: readonly unknown[], total: number) {
  return {
    data,
    page_info: { hasNext: true, cursor: EXAMPLE_CURSOR, totalCount: total },
    has_more: true,
    cursor: EXAMPLE_CURSOR,
    total,
  };
}

/** Returns an example of a page that holds the whole list. */
export function onlyPage(data: readonly unknown[]) {
  const total = data.length;
  return {
    data,
    page_info: { hasNext: false, totalCount: total },
    has_more: false,
    cursor: null,
    total,
  };
}

/** Parameters of lists that are stored in order of creation. */
export const listParameters = z.strictObject({
  limit: pageLimitField,
  cursor: cursorField.optional(),
});

/**
 * Responds with a page of a list that is stored in order of creation.
 *
 * @param query Names the list among those of an account and mode: a cursor of another is refused.
 * @param read Reads the rows before a sequence number.
 * @param jsonRow Converts a row to its form in the response.
 * @throws {ParameterError} a parameter is wrong, or the cursor is of another list.
 */
export async function listResponse<Row>(
  { cursors }: { cursors: Cursors },
  { key: { account, mode }, query: parameters }: Pick<AdmittedContext, 'key' | 'query'>,
  query: string,
  read: (place: ListPlace) => Promise<ListPart<Row>>,
  jsonRow: (row: Row) => unknown = (row) => row,
): Promise<ApiResponse> {
  const { limit, cursor } = checkedQuery(listParameters, parameters);
  const walk = { account, mode, query };
  const beforeSeq = cursor === undefined ? undefined : cursors.open<number>(cursor, walk);
  const { rows, lastSeq, hasMore, total } = await read({ beforeSeq, limit });
  const texts = rows.map((row) => JSON.stringify(jsonRow(row)));
  return pageResponse(texts, { total, cursor: hasMore ? cursors.seal(walk, lastSeq) : undefined });
}
