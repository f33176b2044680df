/** How many answers in pieces may be on their way at once: each holds memory while its client reads. */

import { HttpError } from '../../base/errors.ts';

/** When a refused client may ask again: most streams have ended by then. */
const RETRY_S = 5;

export interface StreamBound {
  /** @throws {HttpError} 503: as many as may be are on their way. */
  check(): void;
  /** Counts from the first piece asked for to the last, or until the client goes away. */
  counted(pieces: () => Iterable<Uint8Array>): () => Iterable<Uint8Array>;
}

export function createStreamBound(streamsMax: number): StreamBound {
  let count = 0;
  return {
    check() {
      if (count < streamsMax) return;
      throw new HttpError(503, `${count} bulk answers are on their way already: try again later`, [
        'Retry-After',
        String(RETRY_S),
      ]);
    },
    counted: (pieces) =>
      function* () {
        count++;
        try {
          yield* pieces();
        } finally {
          count--;
        }
      },
  };
}
