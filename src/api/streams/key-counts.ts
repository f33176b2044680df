/** Open streams of keys over all threads; each thread writes a part of its own. */

import { limits } from '../../base/limits.ts';

const { keysMax } = limits.stream;

/** Reserves 4 MB; the system allocates only the pages that are written to. */
export function newStreamMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(limits.api.threadsMax * keysMax * Int32Array.BYTES_PER_ELEMENT);
}

/** @param thread Number of this thread. What a predecessor counted is forgotten: it is dead. */
export function createKeyCounts(memory: SharedArrayBuffer, thread: number) {
  const words = new Int32Array(memory);
  const start = thread * keysMax;
  words.fill(0, start, start + keysMax);
  return {
    add(keyNumber: number, change: 1 | -1): void {
      Atomics.add(words, start + (keyNumber % keysMax), change);
    },
    /** Returns the open streams of a key on all threads. */
    total(keyNumber: number): number {
      let sum = 0;
      for (let i = keyNumber % keysMax; i < words.length; i += keysMax) {
        sum += Atomics.load(words, i);
      }
      return sum;
    },
  };
}
