/** A response as a route returns it: the part that does not depend on the client. */

import type { KeptForms } from './coding.ts';

export interface ApiResponse {
  status: number;
  contentType: string;
  /** Further headers, names and values in turn. */
  headers: readonly string[];
  /** A string if short: Node then sends it in one piece with the headers. Empty: no body. */
  body: string | Buffer;
  /** Length of the body in UTF-8; infinite for a streamed one, which no cache keeps. */
  bodyBytes: number;
  /**
   * Makes a body that is too long to hold, instead of `body`. A piece is valid until the next one
   * is requested and may be empty.
   */
  pieces?: () => Iterable<Uint8Array>;
  /** Strong validator of the plain form, with quotes; enables `If-None-Match`. */
  etag?: string;
  /** Coded forms of a cached response. */
  kept?: KeptForms;
}

/** Forbids caches on the way to store the response. */
export const NO_STORE: readonly string[] = ['Cache-Control', 'no-store'];

/** Lets only the client's own cache store the response, and makes it revalidate each time. */
export const PRIVATE_HEADERS: readonly string[] = [
  'Cache-Control',
  'private, no-cache',
  'Vary',
  'Accept',
];

/** Headers that keep browsers from misinterpreting a response, names and values in turn. */
export const SECURITY_HEADERS: readonly string[] = [
  'X-Content-Type-Options',
  'nosniff',
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
];

/** Policy of responses that are data; pages bring their own. */
export const DATA_POLICY: readonly string[] = [
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
];

/** @param headers Names and values in turn. */
export function createResponse(
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: readonly string[] = [],
): ApiResponse {
  const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  return { status, contentType, headers, body, bodyBytes };
}

/** @param headers Names and values in turn. */
export function streamedResponse(
  contentType: string,
  pieces: () => Iterable<Uint8Array>,
  headers: readonly string[] = [],
): ApiResponse {
  const bodyBytes = Number.POSITIVE_INFINITY;
  return { status: 200, contentType, headers, body: '', bodyBytes, pieces };
}

/** @param headers Names and values in turn. */
export function jsonResponse(
  status: number,
  value: unknown,
  headers: readonly string[] = [],
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
