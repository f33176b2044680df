import { delay } from '../world/clock.ts';

/** Waits, and ends without an error when the signal aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
