import { monotonicMs } from '../../base/world/clock.ts';

const STEP_MS = 0.4;

/** Runs all steps at once, where no other work waits. */
export function lastOf<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Calls `work` for each item, and yields by the clock. An item costs 5 µs, or 300 µs if a batch must
 * be checked first, so no number of items makes an even step. Results do not depend on the clock.
 */
export function* inSteps<T>(items: Iterable<T>, work: (item: T) => void): Generator<undefined> {
  let endMs = monotonicMs() + STEP_MS;
  for (const item of items) {
    if (monotonicMs() >= endMs) {
      yield;
      endMs = monotonicMs() + STEP_MS;
    }
    work(item);
  }
}
