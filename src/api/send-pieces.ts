/** Bodies too long to hold, sent piece by piece as the client takes them. */

import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../limits.ts';

/**
 * Sends pieces and ends the response. A piece is asked for once the kernel has taken the one
 * before, whose memory may then be used again, and in a turn of the event loop of its own. A
 * client that goes away, or takes nothing for `limits.bulk.stallMs`, ends the work.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: Iterable<Uint8Array>,
): Promise<void> {
  response.setTimeout(limits.bulk.stallMs);
  for (const piece of pieces) {
    if (piece.length > 0) await untilTaken(response, piece);
    await nextTurn();
    if (response.destroyed) return;
  }
  response.end();
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
