/** Pages of lists: both envelopes of section 2.2 of the specification at once. */

import { CONTENT_TYPES } from '../http/format.ts';
import { type Answer, createAnswer } from '../http/response.ts';

/** What an answer says of a page beside its rows. */
export interface PageEnd {
  /** Rows on all pages together, exact. */
  total: number;
  /** Where the next page begins; undefined on the last one. */
  cursor: string | undefined;
}

/**
 * A page as JSON. On the last page the flat `cursor` is null and `page_info.cursor` is absent.
 *
 * @param rowTexts The rows, each as JSON text.
 * @param headers  Names and values in turn, beside `Content-Type`.
 */
export function pageAnswer(
  rowTexts: readonly string[],
  { total, cursor }: PageEnd,
  headers: readonly string[] = [],
): Answer {
  const hasNext = cursor !== undefined;
  const envelope = {
    page_info: { hasNext, cursor, totalCount: total },
    has_more: hasNext,
    cursor: cursor ?? null,
    total,
  };
  const end = JSON.stringify(envelope).slice(1);
  return createAnswer(200, CONTENT_TYPES.json, `{"data":[${rowTexts.join(',')}],${end}`, headers);
}

/**
 * Headers of every page. It has no ETag, since its cursor says when it was given.
 */
export const PAGE_HEADERS: readonly string[] = [
  'Cache-Control',
  'private, no-cache',
  'Vary',
  'Accept',
];

/** What the envelope says, as headers: CSV and Arrow have no place for it. */
export function pageHeaders({ total, cursor }: PageEnd): string[] {
  const headers = ['X-SVC-Total-Count', String(total)];
  if (cursor !== undefined) headers.push('X-SVC-Next-Cursor', cursor);
  return headers;
}
