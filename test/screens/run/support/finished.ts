import { dayFromDate } from '../../../../src/base/time/dates.ts';
import { universeAsOf } from '../../../../src/screens/run/as-of.ts';
import { ScreenMemory } from '../../../../src/screens/run/screen-memory.ts';
import type { ScreenUniverse } from '../../../../src/screens/run/screen-universe.ts';
import type { Snapshot } from '../../../../src/store/arrow/snapshot/snapshot.ts';

/** Runs steps to their end. */
export function finished<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export function asOf(snapshot: Snapshot, date: string): ScreenUniverse {
  return finished(universeAsOf(snapshot, new ScreenMemory(0), dayFromDate(date)));
}
