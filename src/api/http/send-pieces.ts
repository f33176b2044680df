/** Sends a body that is too long to hold piece by piece, at the pace of the client. */

import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTick } from 'node:timers/promises';
import { limits } from '../../base/limits.ts';
import { type Coding, createCoder } from './coding.ts';

/**
 * Sends pieces and ends the response. The next piece is requested once the kernel, or the coder,
 * has taken the one before, so its memory can be reused; each has its own event-loop tick. A client
 * that disconnects, or does not take a piece within `limits.bulk.stallMs`, ends the work.
 *
 * @param writeHead Called when the first `limits.bulk.firstBytes`, or all bytes, are made: a
 *   failure before that, such as a damaged file, can still be sent as an error. Nothing is made
 *   ahead for a response that waits behind others of its connection: there may be hundreds.
 * @param coding The coding that the head names.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: Iterable<Uint8Array>,
  writeHead: () => void,
  coding?: Coding,
): Promise<void> {
  response.setTimeout(limits.bulk.stallMs);
  const start = () => {
    writeHead();
    return sinkInto(response, coding);
  };
  let sink = response.socket ? undefined : start();
  let first = Buffer.alloc(0);
  for (const piece of pieces) {
    if (sink) {
      if (piece.length > 0) await untilTaken(response, sink, piece);
    } else {
      first = Buffer.concat([first, piece]);
      if (piece.length > 0 && first.length < limits.bulk.firstBytes) continue;
      if (first.length >= limits.bulk.firstBytes) {
        sink = start();
        await untilTaken(response, sink, first);
      }
    }
    await nextTick();
    if (response.destroyed) return;
  }
  if (sink) sink.end();
  else {
    sink = start();
    sink.end(first);
  }
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
