/** Bound on concurrent streamed responses: each holds memory while its client reads. */

import { HttpError } from '../../base/errors.ts';

/** Delay before a retry: most streams have ended by then. */
const RETRY_S = 5;

/** @param what Names the streams in the error. */
export function createStreamBound(streamsMax: number, what = 'bulk responses') {
  let count = 0;
  return {
    /** @throws {HttpError} 503: the bound is reached. */
    check(): void {
      if (count < streamsMax) return;
      throw new HttpError(503, `${count} ${what} are in progress: try again later`, [
        'Retry-After',
        String(RETRY_S),
      ]);
    },
    /** Counts a stream from its first piece to its last, or until the client disconnects. */
    counted: (pieces: () => Iterable<Uint8Array>) =>
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
