/** Repeats uploads and downloads while a process runs. */

import { TapeworksError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { delay } from '../../base/world/clock.ts';
import { ObjectGoneError } from '../../store/objects/download.ts';

const { retryFirstMs, retryMaxMs } = limits.replicas;

export interface RoundOptions {
  /** Receives a line where a round fails, or works again. */
  note: (line: string) => void;
  signal: AbortSignal;
}

/**
 * Repeats a round until the signal aborts. The same failure in a row is noted once.
 *
 * @param title Begins the line about a failure.
 * @param round Returns the time until the next one. It is told whether the one before has failed.
 */
export async function repeatRounds(
  title: string,
  { note, signal }: RoundOptions,
  round: (hasFailed: boolean) => Promise<number>,
): Promise<void> {
  let failed = '';
  let failures = 0;
  while (!signal.aborted) {
    let waitMs: number;
    try {
      waitMs = await round(failures > 0);
      failed = '';
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      const reason = reasonOf(error);
      if (reason !== failed) note(`${title}: ${reason}`);
      failed = reason;
      // A newer version has replaced the objects meanwhile.
      const isGone = error instanceof ObjectGoneError && failures === 0;
      waitMs = isGone ? 0 : Math.min(retryFirstMs * 2 ** failures, retryMaxMs);
      failures++;
    }
    await delay(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

/** @throws a bug, which is not a failure of the storage. */
function reasonOf(error: unknown): string {
  if (error instanceof TapeworksError) return error.message;
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  return (error as Error).message;
}
