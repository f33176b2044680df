/** Bodies too long to hold, sent piece by piece as the client takes them. */

import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../../base/limits/limits.ts';
import { createCoder } from '../http/coded-body.ts';
import type { Coding } from '../http/content-coding.ts';

/**
 * Sends pieces and ends the response. A piece is asked for once the kernel, or the coder, has taken
 * the one before, whose memory may then be used again, and in a turn of the event loop of its own.
 * A client that goes away, or takes nothing for `limits.bulk.stallMs`, ends the work.
 *
 * @param writeHead Called when the first `limits.bulk.firstBytes` are made, or all: what fails
 *   before that, as a damaged file does, can still be answered as an error. Of an answer that
 *   waits for others of its connection, of which there may be hundreds, nothing is made ahead.
 * @param coding As the head names it.
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
    await nextTurn();
    if (response.destroyed) return;
  }
  if (sink) sink.end();
  else {
    sink = start();
    sink.end(first);
  }
  if (sink !== response) await untilEnded(response);
}

/** The response, or what codes for it; the latter goes when the client does. */
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
    const done = () => {
      response.off('close', done);
      resolve();
    };
    response.on('close', done);
    sink.write(piece, done);
  });
}

/** Until the last coded bytes are with the kernel, or the client is gone. */
async function untilEnded(response: ServerResponse): Promise<void> {
  await finished(response).catch(() => undefined);
}
