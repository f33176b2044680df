/** A response as a route returns it: the part that does not depend on the client. */

import type { ServerResponse } from 'node:http';
import type { KeptForms } from './coding.ts';

/** Headers: names and values in turn, which Node writes without building an object. */
export type HeaderLines = readonly string[];

export interface ApiResponse {
  status: number;
  contentType: string;
  /** Headers in addition to those of every response. */
  headers: HeaderLines;
  /** A string if short: Node then sends it in one piece with the headers. Empty: no body. */
  body: string | Buffer;
  /**
   * Length of the body in UTF-8; infinite for a streamed one of unknown length, which no cache
   * keeps.
   */
  bodyBytes: number;
  /**
   * Makes a body that is too long to hold, instead of `body`. A piece is valid until the next one
   * is requested and may be empty.
   */
  pieces?: () => Iterable<Uint8Array>;
  /** Name of a header that is known after the last piece, and its value: the trailer of chunks. */
  trailer?: { name: string; value: () => string };
  /**
   * Writes a body without a known end, after the head was sent at once, instead of `body`. It is
   * never compressed: a coder would hold back what it is given. Resolves when the response is closed.
   */
  follow?: (response: ServerResponse) => Promise<void>;
  /** Strong validator of the plain form, with quotes; enables `If-None-Match`. */
  etag?: string;
  /** Coded forms of a cached response. */
  kept?: KeptForms;
}

/** Forbids caches on the way to store the response. */
export const NO_STORE: HeaderLines = ['Cache-Control', 'no-store'];

/** Lets only the client's own cache store the response, and makes it revalidate each time. */
export const PRIVATE_HEADERS: HeaderLines = [
  'Cache-Control',
  'private, no-cache',
  'Vary',
  'Accept',
];

/** Headers that keep browsers from misinterpreting a response. */
export const SECURITY_HEADERS: HeaderLines = [
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
];

/** Policy of responses that are data; pages bring their own. */
export const DATA_POLICY: HeaderLines = [
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
];

export function createResponse(
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: HeaderLines = [],
): ApiResponse {
  const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  return { status, contentType, headers, body, bodyBytes };
}

export function streamedResponse(
  contentType: string,
  pieces: () => Iterable<Uint8Array>,
  headers: HeaderLines = [],
): ApiResponse {
  const bodyBytes = Number.POSITIVE_INFINITY;
  return { status: 200, contentType, headers, body: '', bodyBytes, pieces };
}

/** Keeps proxies from compressing or gathering what must arrive at once. */
const AT_ONCE: HeaderLines = ['Cache-Control', 'no-store, no-transform', 'X-Accel-Buffering', 'no'];

export function followedResponse(
  contentType: string,
  follow: NonNullable<ApiResponse['follow']>,
): ApiResponse {
  // No coding applies to a body of no bytes.
  return { status: 200, contentType, headers: AT_ONCE, body: '', bodyBytes: 0, follow };
}

export function jsonResponse(
  status: number,
  value: unknown,
  headers: HeaderLines = [],
): ApiResponse {
  return createResponse(status, 'application/json', JSON.stringify(value), headers);
}

const LIST_SEPARATOR = /\s*,\s*/;

/** Returns true if `If-None-Match` names the tag, by the weak comparison of RFC 9110. */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch
    .trim()
    .split(LIST_SEPARATOR)
    .some((tag) => tag === etag || tag === `W/${etag}`);
}
