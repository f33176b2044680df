/** Cached responses: those of a snapshot by their bytes, and those that last as long as the server. */

import { createHash } from 'node:crypto';
import type { Mode } from '../../base/config/data-dir.ts';
import { keptForms } from '../http/coding.ts';
import { type ApiResponse, createResponse, PRIVATE_HEADERS } from '../http/response.ts';

/** Responses by query; the least recently used go first when their bytes exceed a bound. */
export interface ResponseCache {
  get(key: string, snapshotId: string): ApiResponse | undefined;
  /** Returns the cached response with place for its coded forms, or the response if too large. */
  put(key: string, snapshotId: string, response: ApiResponse): ApiResponse;
}

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

interface Entry {
  snapshotId: string;
  response: ApiResponse;
  /** Includes coded forms, once they are made. */
  bytes: number;
}

/** @param bytesMax Bound on the bytes of all entries together. */
export function createResponseCache(bytesMax: number): ResponseCache {
  // A Map iterates in order of insertion, so re-inserting an entry makes it the newest.
  const entries = new Map<string, Entry>();
  let bytes = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    bytes -= entry.bytes;
  }

  function evict(): void {
    for (const oldest of entries.keys()) {
      if (bytes <= bytesMax) return;
      remove(oldest);
    }
  }

  return {
    get(key, snapshotId) {
      const entry = entries.get(key);
      if (!entry || entry.snapshotId !== snapshotId) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.response;
    },
    put(key, snapshotId, response) {
      remove(key);
      const size = response.bodyBytes + ENTRY_BYTES;
      if (size > bytesMax * LARGEST_SHARE) return response;
      const kept = keptForms('quick', (formBytes) => {
        if (entries.get(key) !== entry) return;
        entry.bytes += formBytes;
        bytes += formBytes;
        evict();
      });
      const entry: Entry = {
        snapshotId,
        response: { ...withOwnMemory(response), kept },
        bytes: size,
      };
      entries.set(key, entry);
      bytes += size;
      evict();
      return entry.response;
    },
  };
}

/** Part of every ETag; increase it when the form of responses changes. */
const FORM_VERSION = 2;

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

/**
 * Creates a response that never changes while the server runs, with an ETag.
 *
 * @param headers Names and values in turn.
 */
export function lastingResponse(
  contentType: string,
  text: string,
  headers: readonly string[] = [],
): ApiResponse {
  const lines = ['Cache-Control', 'no-cache', ...headers];
  const response = createResponse(200, contentType, Buffer.from(text), lines);
  return { ...response, etag: etagOf(text), kept: keptForms('lasting') };
}
