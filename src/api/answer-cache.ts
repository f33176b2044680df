/** The least recently used answers go first when their bytes pass a bound. */

import type { Answer } from './answer.ts';

export interface AnswerCache {
  get(key: string, snapshotId: string): Answer | undefined;
  put(key: string, snapshotId: string, answer: Answer): void;
}

/** An answer larger than this share of the cache would push out too many others. */
const LARGEST_SHARE = 1 / 16;

/** What an entry costs beside its body: headers, key, bookkeeping. */
const ENTRY_BYTES = 1024;

/** A short buffer is a part of one for many, all of which would stay for it. */
function ofOwnMemory(answer: Answer): Answer {
  const { body } = answer;
  if (typeof body === 'string' || body.buffer.byteLength === body.length) return answer;
  const own = Buffer.allocUnsafeSlow(body.length);
  own.set(body);
  return { ...answer, body: own };
}

/** @param bytesMax Bound on the bytes of all entries together. */
export function createAnswerCache(bytesMax: number): AnswerCache {
  // A Map iterates in order of insertion, so putting an entry back makes it the newest.
  const entries = new Map<string, { snapshotId: string; answer: Answer }>();
  let bytes = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    bytes -= entry.answer.bodyBytes + ENTRY_BYTES;
  }

  return {
    get(key, snapshotId) {
      const entry = entries.get(key);
      if (!entry || entry.snapshotId !== snapshotId) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.answer;
    },
    put(key, snapshotId, answer) {
      remove(key);
      const size = answer.bodyBytes + ENTRY_BYTES;
      if (size > bytesMax * LARGEST_SHARE) return;
      entries.set(key, { snapshotId, answer: ofOwnMemory(answer) });
      bytes += size;
      for (const oldest of entries.keys()) {
        if (bytes <= bytesMax) return;
        remove(oldest);
      }
    },
  };
}
