/** Cursors: opaque, signed positions in a list. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Mode } from '../../base/config/data-dir.ts';
import { assert, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { quoted } from '../../base/quoted.ts';

/** A client's way through the pages of a list. Any key of the account may continue it. */
export interface Walk {
  account: string;
  mode: Mode;
  /**
   * Canonical text of path and parameters: every spelling of a query gives the same text. It
   * excludes the page's size and format, which may change on the way.
   */
  query: string;
}

/** Signs positions, and reads signed ones. A position must survive JSON (no NaN, no undefined). */
export interface Cursors {
  /** Signs a position; the cursor is valid for `limits.page.cursorTtlMs` from now. */
  seal(walk: Walk, position: unknown): string;
  /**
   * Reads the position in a cursor.
   *
   * @throws {ParameterError} `cursor`: altered, made elsewhere, expired, or of another account,
   *   mode or query; the message says which.
   */
  open<Position>(cursor: string, walk: Walk): Position;
}

/** Increase it when the content of cursors changes, so that older ones are refused. */
const CURSOR_VERSION = 2;

const MAC_BYTES = 32;
const SECRET_BYTES_MIN = 32;
const FINGERPRINT_CHARS = 22;
const MILLIS_PER_HOUR = 3_600_000;

type Content = [
  sealedMs: number,
  account: string,
  mode: Mode,
  fingerprint: string,
  position: unknown,
];

/**
 * @param secret 32 random bytes or more, the same in all API threads and over restarts.
 * @param now Milliseconds since the epoch.
 */
export function createCursors(secret: Uint8Array, now: () => number): Cursors {
  assert(secret.length >= SECRET_BYTES_MIN, 'the secret of cursors is long enough');

  function macOf(content: Uint8Array): Buffer {
    return createHmac('sha256', secret)
      .update(`cursor ${CURSOR_VERSION}\n`)
      .update(content)
      .digest();
  }

  function contentOf(cursor: string): Content {
    const bytes = Buffer.from(cursor, 'base64url');
    const content = bytes.subarray(MAC_BYTES);
    // The decoder skips characters that are not base64, so the text is compared as well.
    const isWhole = bytes.length > MAC_BYTES && bytes.toString('base64url') === cursor;
    if (!isWhole || !timingSafeEqual(macOf(content), bytes.subarray(0, MAC_BYTES))) {
      throw new ParameterError(
        'cursor',
        `cursor must come from a response of this path, got ${quoted(cursor)}`,
      );
    }
    return JSON.parse(content.toString());
  }

  return {
    seal({ account, mode, query }, position) {
      const content: Content = [now(), account, mode, fingerprintOf(query), position];
      const bytes = Buffer.from(JSON.stringify(content));
      return Buffer.concat([macOf(bytes), bytes]).toString('base64url');
    },
    open<Position>(cursor: string, walk: Walk) {
      const [sealedMs, account, mode, fingerprint, position] = contentOf(cursor);
      if (account !== walk.account) throw refused('belongs to another account');
      if (mode !== walk.mode) {
        throw refused(`belongs to ${mode} data, and this key reads ${walk.mode} data`);
      }
      if (fingerprint !== fingerprintOf(walk.query)) {
        throw refused('belongs to another query: repeat the parameters of the page it came with');
      }
      const { cursorTtlMs } = limits.page;
      if (now() - sealedMs >= cursorTtlMs) {
        throw refused(
          `has expired after ${cursorTtlMs / MILLIS_PER_HOUR} hours: start again without it`,
        );
      }
      return position as Position;
    },
  };
}

function refused(reason: string): ParameterError {
  return new ParameterError('cursor', `cursor ${reason}`);
}

function fingerprintOf(query: string): string {
  return createHash('sha256').update(query).digest('base64url').slice(0, FINGERPRINT_CHARS);
}
