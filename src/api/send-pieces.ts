/** Bodies too long to hold, sent piece by piece as the client takes them. */

import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../limits.ts';

/**
 * Sends pieces and ends the response. A piece is asked for once the kernel has taken the one
 * before, whose memory may then be used again, and in a turn of the event loop of its own. A
 * client that goes away, or takes nothing for `limits.bulk.stallMs`, ends the work.
 *
 * @param writeHead Called when the first `limits.bulk.firstBytes` are made, or all: what fails
 *   before that, as a damaged file does, can still be answered as an error. Of an answer that
 *   waits for others of its connection, of which there may be hundreds, nothing is made ahead.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: Iterable<Uint8Array>,
  writeHead: () => void,
): Promise<void> {
  response.setTimeout(limits.bulk.stallMs);
  if (!response.socket) writeHead();
  let first = Buffer.alloc(0);
  for (const piece of pieces) {
    if (response.headersSent) {
      if (piece.length > 0) await untilTaken(response, piece);
    } else {
      first = Buffer.concat([first, piece]);
      if (piece.length > 0 && first.length < limits.bulk.firstBytes) continue;
      if (first.length >= limits.bulk.firstBytes) {
        writeHead();
        await untilTaken(response, first);
      }
    }
    await nextTurn();
    if (response.destroyed) return;
  }
  if (response.headersSent) response.end();
  else {
    writeHead();
    response.end(first);
  }
}

function untilTaken(response: ServerResponse, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('close', done);
      resolve();
    };
    response.on('close', done);
    response.write(piece, done);
  });
}
