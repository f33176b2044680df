/** Opaque, signed places in a list: where the next page begins, and whose list it is. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Mode } from '../../base/config/data-dir.ts';
import { assert, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import { quoted } from '../../base/quoted.ts';

/** Whose walk it is and over what. Any key of the account may go on with it. */
export interface Walk {
  account: string;
  mode: Mode;
  /**
   * Canonical text of path and parameters: every spelling of the same question gives the same
   * text. Without the page's size and format, which may change on the way.
   */
  question: string;
}

/** @typeParam Position What a list needs to go on; must survive JSON (no NaN, no undefined). */
export interface Cursors<Position> {
  /** The cursor of a place, good for `limits.page.cursorTtlMs` from now. */
  seal(walk: Walk, position: Position): string;
  /**
   * The place that a cursor holds.
   *
   * @throws {ParameterError} `cursor`: altered or made elsewhere, expired, or of another
   *   account, mode or question; the message says which.
   */
  open(cursor: string, walk: Walk): Position;
}

/** Raised when the content of cursors changes, so that older ones are refused. */
const CURSOR_VERSION = 2;

const MAC_BYTES = 32;
const SECRET_BYTES_MIN = 32;
const FINGERPRINT_CHARS = 22;
const MILLIS_PER_HOUR = 3_600_000;

type Content<Position> = [
  sealedMs: number,
  account: string,
  mode: Mode,
  fingerprint: string,
  position: Position,
];

/**
 * @param secret 32 random bytes or more, the same in all processes that answer and over restarts.
 * @param now    Milliseconds since the epoch.
 */
export function createCursors<Position>(secret: Uint8Array, now: () => number): Cursors<Position> {
  assert(secret.length >= SECRET_BYTES_MIN, 'the secret of cursors is long enough');

  function macOf(content: Uint8Array): Buffer {
    return createHmac('sha256', secret)
      .update(`cursor ${CURSOR_VERSION}\n`)
      .update(content)
      .digest();
  }

  function contentOf(cursor: string): Content<Position> {
    const bytes = Buffer.from(cursor, 'base64url');
    const content = bytes.subarray(MAC_BYTES);
    // The decoder passes over characters that are not base64, so the text is compared as well.
    const isWhole = bytes.length > MAC_BYTES && bytes.toString('base64url') === cursor;
    if (!isWhole || !timingSafeEqual(macOf(content), bytes.subarray(0, MAC_BYTES))) {
      throw new ParameterError(
        'cursor',
        `cursor must be one that an answer of this path gave, got ${quoted(cursor)}`,
      );
    }
    return JSON.parse(content.toString());
  }

  return {
    seal({ account, mode, question }, position) {
      const content: Content<Position> = [now(), account, mode, fingerprintOf(question), position];
      const bytes = Buffer.from(JSON.stringify(content));
      return Buffer.concat([macOf(bytes), bytes]).toString('base64url');
    },
    open(cursor, walk) {
      const [sealedMs, account, mode, fingerprint, position] = contentOf(cursor);
      if (account !== walk.account) throw refused('belongs to another account');
      if (mode !== walk.mode) {
        throw refused(`belongs to ${mode} data, and this key reads ${walk.mode} data`);
      }
      if (fingerprint !== fingerprintOf(walk.question)) {
        throw refused('belongs to another query: repeat the parameters of the page it came with');
      }
      const { cursorTtlMs } = limits.page;
      if (now() - sealedMs >= cursorTtlMs) {
        throw refused(
          `has expired after ${cursorTtlMs / MILLIS_PER_HOUR} hours: start again without it`,
        );
      }
      return position;
    },
  };
}

function refused(reason: string): ParameterError {
  return new ParameterError('cursor', `cursor ${reason}`);
}

function fingerprintOf(question: string): string {
  return createHash('sha256').update(question).digest('base64url').slice(0, FINGERPRINT_CHARS);
}
