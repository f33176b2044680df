/** Cached responses: those of a snapshot by their bytes, and those that last as long as the server. */

import { createHash } from 'node:crypto';
import type { Mode } from '../../base/config/data-dir.ts';
import { limits } from '../../base/limits.ts';
import type { KeptForms } from '../http/coding.ts';
import type { AdmittedContext } from '../http/request-context.ts';
import {
  type ApiResponse,
  createResponse,
  type HeaderLines,
  PRIVATE_HEADERS,
} from '../http/response.ts';
import { KeptResults } from './kept-results.ts';

/** Share of the cache that one response may take: a larger one would evict too many others. */
const LARGEST_SHARE = 1 / 16;

/** Bytes of an entry besides its body: headers, key, bookkeeping. */
const ENTRY_BYTES = 1024;

/** Copies the body out of Node's shared pool, whose whole slab would stay alive with it. */
function withOwnMemory(response: ApiResponse): ApiResponse {
  const { body } = response;
  if (typeof body === 'string' || body.buffer.byteLength === body.length) return response;
  const own = Buffer.allocUnsafeSlow(body.length);
  own.set(body);
  return { ...response, body: own };
}

/**
 * Creates a cache of responses by query.
 *
 * @param bytesMax Bound on the bytes of all responses and their coded forms.
 */
export function createResponseCache(bytesMax: number) {
  const results = new KeptResults<{ snapshotId: string; response: ApiResponse }>(bytesMax);
  return {
    get(key: string, snapshotId: string): ApiResponse | undefined {
      const found = results.get(key);
      return found?.snapshotId === snapshotId ? found.response : undefined;
    },
    /** Returns the response with place for its coded forms; unchanged if it is too large. */
    put(key: string, snapshotId: string, response: ApiResponse): ApiResponse {
      const size = response.bodyBytes + ENTRY_BYTES;
      if (size > bytesMax * LARGEST_SHARE) {
        results.remove(key);
        return response;
      }
      const count = (formBytes: number) => results.grow(key, result, formBytes);
      const kept: KeptForms = { forms: new Map(), count };
      const result = { snapshotId, response: { ...withOwnMemory(response), kept } };
      results.put(key, result, size);
      return result.response;
    },
  };
}

/** Part of every ETag; increase it when the form of responses changes. */
const FORM_VERSION = 3;

/**
 * Returns the response to a query on a snapshot, from the cache or made now, with an ETag.
 *
 * @param id Id of the snapshot, or of the part of it that the response is read from.
 * @param query Canonical text: every spelling of a query gives the same text, and everything that
 *   changes the bytes of the response (format, parameters) changes it.
 */
export type SnapshotCache = (
  mode: Mode,
  id: string,
  query: string,
  make: () => ApiResponse | Promise<ApiResponse>,
) => ApiResponse | Promise<ApiResponse>;

/** @param bytesMax Bound on the bytes of both modes together. */
export function createSnapshotCache(bytesMax: number): SnapshotCache {
  const caches = {
    live: createResponseCache(bytesMax / 2),
    sandbox: createResponseCache(bytesMax / 2),
  };
  return (mode, id, query, make) => {
    const kept = caches[mode].get(query, id);
    if (kept) return kept;
    const finish = (made: ApiResponse): ApiResponse => {
      const etag = etagOf([FORM_VERSION, mode, id, query].join('\n'));
      const response = { ...made, etag, headers: [...made.headers, ...PRIVATE_HEADERS] };
      return caches[mode].put(query, id, response);
    };
    const made = make();
    return made instanceof Promise ? made.then(finish) : finish(made);
  };
}

function etagOf(text: string): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/** Creates a response that never changes while the server runs, with an ETag. */
export function lastingResponse(
  contentType: string,
  text: string,
  headers: HeaderLines = [],
): ApiResponse {
  const lines = ['Cache-Control', 'no-cache', ...headers];
  const response = createResponse(200, contentType, Buffer.from(text), lines);
  return { ...response, etag: etagOf(text), kept: { forms: new Map() } };
}

/**
 * Creates a cache of pages for one second. A page is valid for a moment only: its cursor contains
 * the time, and some queries mean today. It belongs to an account, because its cursor does.
 *
 * @param now Milliseconds since the epoch.
 */
export function createPageCache(now: () => number) {
  const { keptMs, keptBytesMax } = limits.page;
  let pages = createResponseCache(keptBytesMax);
  let second = Number.NaN;
  return (
    { key, target, headers }: AdmittedContext,
    snapshotId: string,
    make: () => ApiResponse | Promise<ApiResponse>,
  ): ApiResponse | Promise<ApiResponse> => {
    const current = Math.floor(now() / keptMs);
    // Replacing the whole cache while it is young costs nothing.
    if (current !== second) pages = createResponseCache(keptBytesMax);
    second = current;
    const name = [key.mode, key.account, headers.accept, target].join('\n');
    const kept = pages.get(name, snapshotId);
    if (kept) return kept;
    // A page that is finished in the next second still belongs to this one, as its cursor does.
    const { put } = pages;
    const made = make();
    return made instanceof Promise
      ? made.then((page) => put(name, snapshotId, page))
      : put(name, snapshotId, made);
  };
}
