/**
 * Signed addresses of files, for readers that can't send a header: polars, and ClickHouse's tables.
 * The first part of such a path is `<version>.<key id>.<day>.<signature>`, and stands for its key
 * until the day ends.
 */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { MILLIS_PER_DAY } from '../../base/bars.ts';
import { unauthenticated } from './authenticate.ts';

const DAY_RADIX = 36;
/** A run this long is masked in the log, as keys are. */
const SIGNATURE_CHARS = 40;

export interface FileLinks {
  /** Returns the path's first part; the same text for a day, so that clients can cache by it. */
  signed(version: string, keyId: string): string;
  /**
   * Reads a path's first part; undefined: it is a bare version.
   *
   * @throws {HttpError} 401: altered, made elsewhere, or expired.
   */
  keyIdOf(signed: string, nowMs: number): string | undefined;
}

/** Returns the version in a path's first part. */
export function versionOf(signed: string): string {
  return signed.split('.', 1)[0];
}

/** @param secret The same in all API threads and over restarts. */
export function createFileLinks(secret: Uint8Array, now: () => number): FileLinks {
  const signatureOf = (content: string) =>
    createHmac('sha256', secret).update(`file\n${content}`).digest('hex').slice(0, SIGNATURE_CHARS);
  return {
    signed(version, keyId) {
      // Today and tomorrow, so that a link lasts for at least a day.
      const day = (Math.floor(now() / MILLIS_PER_DAY) + 1).toString(DAY_RADIX);
      const content = `${version}.${keyId}.${day}`;
      return `${content}.${signatureOf(content)}`;
    },
    keyIdOf(signed, nowMs) {
      const parts = signed.split('.');
      if (parts.length === 1) return undefined;
      const [version, keyId, day, signature] = parts;
      const expected = Buffer.from(signatureOf(`${version}.${keyId}.${day}`));
      const given = Buffer.from(signature ?? '');
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
      const isNew = nowMs < (Number.parseInt(day, DAY_RADIX) + 1) * MILLIS_PER_DAY;
      if (isOurs && isNew && parts.length === 4) return keyId;
      throw unauthenticated('The link has expired or is altered: list the files again');
    },
  };
}
