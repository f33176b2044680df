/** Work in small pieces: all at once, or for a moment in each turn of the event loop. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from './limits/limits.ts';

/** Gives way wherever somebody else may go on: every 0.2 ms or so. Its value is the result. */
export type Work<T> = Generator<void, T>;

/** Items of a loop, of a microsecond or less, that are gone through before it gives way. */
const PIECE_ITEMS = 512;

/** Whether a loop gives way behind an item. */
export function isPieceEnd(item: number): boolean {
  return item % PIECE_ITEMS === PIECE_ITEMS - 1;
}

export function doneAtOnce<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Begins in a later turn. Whoever else has something to do waits for `limits.turnMs`, or a piece. */
export async function doneInTurns<T>(work: Work<T>): Promise<T> {
  for (;;) {
    await nextTurn();
    const untilMs = performance.now() + limits.turnMs;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < untilMs);
  }
}
