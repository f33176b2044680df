/** Sends a body that is too long to hold piece by piece, at the pace of the client. */

import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { HttpError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { clearTimeout, nextTick, setTimeout } from '../../base/world/clock.ts';
import { type Coding, createCoder } from './coding.ts';

/** Head of a response in pieces. */
export interface PiecesHead {
  /**
   * Writes the head.
   *
   * @param bodyBytes Length of the body, if all of it was made before the head.
   */
  write: (bodyBytes: number | undefined) => void;
  /** The coding that the head names. */
  coding?: Coding | undefined;
  /**
   * True for a client that sees the end of a body only by its length: a body that is too long to
   * make before its head is refused.
   */
  needsLength?: boolean;
  /** Called after the last piece, before a body with chunks ends. */
  beforeEnd?: () => void;
}

/** Message of 426. */
export const NEEDS_VERSION =
  'HTTP/1.1 is needed for this response: in HTTP/1.0 a cut one looks complete. ' +
  'Behind nginx, set "proxy_http_version 1.1"';

/**
 * Sends pieces and ends the response. The next piece is requested once the kernel, or the coder,
 * has taken the one before, so its memory can be reused; each has its own event-loop tick. A client
 * that disconnects, or does not take a piece within `limits.bulk.stallMs`, ends the work.
 *
 * The head is written when the first `limits.bulk.firstBytes`, or all bytes, are made: a failure
 * before that, such as a damaged file, can still be sent as an error. Nothing is made ahead for a
 * response that waits behind others of its connection: there may be hundreds.
 *
 * @throws {HttpError} 426, before the head: the client needs the length of a long body.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: Iterable<Uint8Array>,
  { write, coding, needsLength = false, beforeEnd }: PiecesHead,
): Promise<void> {
  response.setTimeout(limits.bulk.stallMs);
  const start = (bodyBytes?: number) => {
    write(bodyBytes);
    return sinkInto(response, coding);
  };
  const aheadBytes = needsLength ? limits.bulk.lengthBytesMax : limits.bulk.firstBytes;
  const ahead: Buffer[] = [];
  let madeBytes = 0;
  let sink = response.socket || needsLength ? undefined : start();
  for (const piece of pieces) {
    if (sink) {
      if (piece.length > 0) await untilTaken(response, sink, piece);
    } else {
      ahead.push(Buffer.from(piece));
      madeBytes += piece.length;
      if (madeBytes >= aheadBytes) {
        if (needsLength) throw new HttpError(426, NEEDS_VERSION, ['Upgrade', 'HTTP/1.1']);
        sink = start();
        await untilTaken(response, sink, Buffer.concat(ahead.splice(0)));
      }
    }
    await nextTick();
    if (response.destroyed) return;
  }
  sink ??= start(coding ? undefined : madeBytes);
  beforeEnd?.();
  sink.end(Buffer.concat(ahead));
  if (sink !== response) await untilEnded(response);
}

/** Returns the response, or a coder in front of it that ends when the client disconnects. */
function sinkInto(response: ServerResponse, coding: Coding | undefined): Writable {
  if (!coding) return response;
  const coder = createCoder(coding);
  response.once('close', () => coder.destroy());
  coder.once('error', () => response.destroy());
  coder.pipe(response);
  return coder;
}

function untilTaken(response: ServerResponse, sink: Writable, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    // A client that takes a few bytes now and then is not silent, and would hold its place for ever.
    const timer = setTimeout(() => response.destroy(), limits.bulk.stallMs);
    const done = () => {
      clearTimeout(timer);
      response.off('close', done);
      resolve();
    };
    response.on('close', done);
    sink.write(piece, done);
  });
}

/** Waits until the kernel has the last coded bytes, or the client has disconnected. */
async function untilEnded(response: ServerResponse): Promise<void> {
  await finished(response).catch(() => undefined);
}
