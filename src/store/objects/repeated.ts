import { limits } from '../../base/limits.ts';
import { randomFraction } from '../../base/world/chance.ts';
import { delay, monotonicMs } from '../../base/world/clock.ts';
import { ObjectStoreError } from './object-store.ts';

interface RepeatOptions {
  /** Time for which failures are waited for; default: as many tries as a request has. */
  forMs?: number;
  /** Called with the reason of a wait, once for each reason in a row. */
  onWaiting?: (reason: string) => void;
  signal?: AbortSignal;
}

/** Repeats work whose failure passes. Its other failures, and the last one, are thrown. */
export async function repeated<T>(
  { forMs, onWaiting, signal }: RepeatOptions,
  work: () => Promise<T>,
): Promise<T> {
  const { triesMax, backoffFirstMs, backoffMaxMs } = limits.objects;
  const startMs = monotonicMs();
  let said = '';
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      const isPassing = error instanceof ObjectStoreError && error.isPassing;
      const isLast = forMs === undefined ? tries === triesMax : monotonicMs() - startMs >= forMs;
      if (!isPassing || isLast) throw error;
      if (error.message !== said) onWaiting?.(error.message);
      said = error.message;
      const longestMs = Math.min(backoffFirstMs * 2 ** (tries - 1), backoffMaxMs);
      const waitMs = longestMs * (0.5 + randomFraction() / 2);
      await delay(waitMs, undefined, { signal });
    }
  }
}
