/** What a route gives back: everything about an answer that does not depend on who asked. */

import type { KeptForms } from './coded-body.ts';

export interface Answer {
  status: number;
  contentType: string;
  /** Further headers, names and values in turn. */
  headers: readonly string[];
  /** Text where it is short: Node then sends it in one piece with the headers. Empty: none. */
  body: string | Buffer;
  /** Length of the body in UTF-8; infinite, which no cache keeps, where there are pieces. */
  bodyBytes: number;
  /**
   * Makes the body of an answer too long to hold, instead of `body`. A piece lasts until the next
   * is asked for and may be empty.
   */
  pieces?: () => Iterable<Uint8Array>;
  /**
   * Strong validator of the plain form, quotes included; the answer is then open to
   * `If-None-Match`.
   */
  etag?: string;
  /** Where coded forms are kept, of an answer that is kept itself. */
  kept?: KeptForms;
}

/** Of answers that nobody on the way may keep. */
export const NO_STORE: readonly string[] = ['Cache-Control', 'no-store'];

/** @param headers Names and values in turn. */
export function createAnswer(
  status: number,
  contentType: string,
  body: string | Buffer,
  headers: readonly string[] = [],
): Answer {
  const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  return { status, contentType, headers, body, bodyBytes };
}

/** @param headers Names and values in turn. */
export function piecesAnswer(
  contentType: string,
  pieces: () => Iterable<Uint8Array>,
  headers: readonly string[] = [],
): Answer {
  const bodyBytes = Number.POSITIVE_INFINITY;
  return { status: 200, contentType, headers, body: '', bodyBytes, pieces };
}

export function jsonAnswer(
  status: number,
  value: unknown,
  headers: readonly string[] = [],
): Answer {
  return createAnswer(status, 'application/json', JSON.stringify(value), headers);
}

const LIST_SEPARATOR = /\s*,\s*/;

/** Whether `If-None-Match` names the tag; weak comparison, as RFC 9110 has it. */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch
    .trim()
    .split(LIST_SEPARATOR)
    .some((tag) => tag === etag || tag === `W/${etag}`);
}
