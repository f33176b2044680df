/** All rows of a screen as one file, joined from its pages. */

import { getResponse, type Query, RequestFailure } from '../state/request.ts';

const PAGE_ROWS = 200;
/** Longest wait for a rate limit, after which the download fails. */
const WAIT_MAX_MS = 120_000;
/** Bytes of the mark that ends an Arrow stream. */
const END_BYTES = 8;

/** Returns the length of the schema, the first message of a stream. */
function schemaBytes(stream: Uint8Array): number {
  return 8 + new DataView(stream.buffer, stream.byteOffset).getInt32(4, true);
}

/** Joins streams of equal columns: one schema, all batches, one end. */
export function joinedArrow(pages: readonly Uint8Array[]): Uint8Array[] {
  return pages.map((page, i) => {
    const start = i === 0 ? 0 : schemaBytes(page);
    const end = i === pages.length - 1 ? page.length : page.length - END_BYTES;
    return page.subarray(start, end);
  });
}

/** Joins pages, each with a header row. */
export function joinedCsv(pages: readonly Uint8Array[]): Uint8Array[] {
  return pages.map((page, i) => (i === 0 ? page : page.subarray(headerBytes(page))));
}

/** Names in a header may have line breaks of their own, in quotation marks. */
function headerBytes(page: Uint8Array): number {
  let isQuoted = false;
  for (let i = 0; i < page.length; i++) {
    if (page[i] === 0x22) isQuoted = !isQuoted;
    else if (page[i] === 0x0a && !isQuoted) return i + 1;
  }
  return page.length;
}

async function pageOf(query: Query, signal: AbortSignal): Promise<Response> {
  for (;;) {
    try {
      return await getResponse('v1/svc/screener', query, signal);
    } catch (error) {
      const retryAtMs = error instanceof RequestFailure ? error.retryAtMs : undefined;
      const waitMs = (retryAtMs ?? Number.NaN) - Date.now();
      if (!(waitMs < WAIT_MAX_MS)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, waitMs)));
      signal.throwIfAborted();
    }
  }
}

/**
 * Loads all pages.
 *
 * @param onRows Called with the number of rows so far, and of all.
 * @throws {RequestFailure}
 */
export async function wholeScreen(
  query: Query,
  format: 'csv' | 'arrow',
  onRows: (loaded: number, total: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const pages: Uint8Array[] = [];
  let cursor: string | undefined;
  let type = '';
  do {
    const response = await pageOf({ ...query, limit: PAGE_ROWS, format, cursor }, signal);
    pages.push(new Uint8Array(await response.arrayBuffer()));
    const { headers } = response;
    type = headers.get('Content-Type') ?? '';
    cursor = headers.get('X-SVC-Next-Cursor') ?? undefined;
    const total = Number(headers.get('X-SVC-Total-Count'));
    onRows(Math.min(total, pages.length * PAGE_ROWS), total);
  } while (cursor !== undefined);
  const parts = format === 'csv' ? joinedCsv(pages) : joinedArrow(pages);
  return new Blob(parts as BlobPart[], { type });
}
