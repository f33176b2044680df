/** The least recently used answers go first when their bytes pass a bound. */

import { keptForms } from '../http/coded-body.ts';
import type { Answer } from '../http/response.ts';

export interface AnswerCache {
  get(key: string, snapshotId: string): Answer | undefined;
  /** @returns the answer as it is kept, with place for its coded forms; else the answer itself. */
  put(key: string, snapshotId: string, answer: Answer): Answer;
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

interface Entry {
  snapshotId: string;
  answer: Answer;
  /** Coded forms count when they are made. */
  bytes: number;
}

/** @param bytesMax Bound on the bytes of all entries together. */
export function createAnswerCache(bytesMax: number): AnswerCache {
  // A Map iterates in order of insertion, so putting an entry back makes it the newest.
  const entries = new Map<string, Entry>();
  let bytes = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (!entry) return;
    entries.delete(key);
    bytes -= entry.bytes;
  }

  function dropOldest(): void {
    for (const oldest of entries.keys()) {
      if (bytes <= bytesMax) return;
      remove(oldest);
    }
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
      if (size > bytesMax * LARGEST_SHARE) return answer;
      const kept = keptForms('quick', (formBytes) => {
        if (entries.get(key) !== entry) return;
        entry.bytes += formBytes;
        bytes += formBytes;
        dropOldest();
      });
      const entry: Entry = { snapshotId, answer: { ...ofOwnMemory(answer), kept }, bytes: size };
      entries.set(key, entry);
      bytes += size;
      dropOldest();
      return entry.answer;
    },
  };
}
