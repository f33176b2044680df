/** `Range`, `If-Range` and `If-Match` of RFC 9110, for files that never change. */

import type { IncomingHttpHeaders } from 'node:http';
import { HttpError } from '../../../base/errors.ts';
import { matchesEtag } from '../../http/response.ts';

/** Bytes [start, end) of a file. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A file as its validators describe it. */
export interface Ranged {
  bytes: number;
  etag: string;
  lastModified: string;
}

const SINGLE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/;

/**
 * Returns the requested range; undefined: the whole file. Several ranges, other units and text that
 * is no range get the whole file, as the standard allows.
 *
 * @throws {HttpError} 416: the range begins behind the end; 412: `If-Match` names another file.
 */
export function requestedRange(headers: IncomingHttpHeaders, file: Ranged): ByteRange | undefined {
  const { bytes, etag, lastModified } = file;
  const { range, 'if-range': ifRange, 'if-match': ifMatch, 'if-none-match': ifNone } = headers;
  if (ifMatch !== undefined && !matchesEtag(ifMatch, etag)) {
    throw new HttpError(412, 'If-Match must name the ETag of the file: list the files again');
  }
  if (ifNone !== undefined && matchesEtag(ifNone, etag)) return undefined;
  if (ifRange !== undefined && ifRange !== etag && ifRange !== lastModified) return undefined;
  const match = SINGLE_RANGE.exec(range ?? '');
  if (!match) return undefined;
  const [, first, last, suffix] = match;
  const start = first === undefined ? Math.max(0, bytes - Number(suffix)) : Number(first);
  const end = first === undefined || last === '' ? bytes : Math.min(bytes, Number(last) + 1);
  // A last byte before the first one makes the header invalid, which the standard ignores.
  if (first !== undefined && last !== '' && Number(last) < start) return undefined;
  if (start < bytes && start < end) return { start, end };
  throw new HttpError(416, `Range must begin within the ${bytes} bytes of the file`, [
    'Content-Range',
    `bytes */${bytes}`,
  ]);
}
