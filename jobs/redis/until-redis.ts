import { QueueUnavailableError } from '../../src/base/errors.ts';
import { limits } from '../../src/base/limits.ts';
import { pause } from '../../src/base/time/pause.ts';
import { reportChanges } from '../../src/store/duckdb/connection/writer-lock.ts';

/**
 * Repeats `open` until Redis replies.
 *
 * @returns undefined if the signal aborts before.
 * @throws as `open`, except `QueueUnavailableError`.
 */
export async function untilRedis<T>(
  open: () => Promise<T>,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<T | undefined> {
  const say = reportChanges((reason) => note(`waits for Redis: ${reason}`));
  while (!signal.aborted) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof QueueUnavailableError)) throw error;
      say(error.message);
    }
    await pause(limits.redis.reconnectMaxMs, signal);
  }
  return undefined;
}
