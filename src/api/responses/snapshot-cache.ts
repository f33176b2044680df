/** Answers that follow from a snapshot and a question alone: kept, and tagged for `304`. */

import { createHash } from 'node:crypto';
import type { Mode } from '../../base/config/data-dir.ts';
import type { Answer } from '../http/response.ts';
import { createAnswerCache } from './cache.ts';

/** Raised with every change to how answers are written, so that no client keeps an old form. */
const ANSWER_VERSION = 2;

const CACHE_HEADERS = ['Cache-Control', 'private, no-cache', 'Vary', 'Accept'];

/**
 * @param id Of the snapshot, or of the part of it that the answer is read from.
 * @param question Canonical: every spelling of the same question gives the same text, and
 *   whatever changes the answer's bytes (format, parameters) changes it.
 * @param make Writes the answer where it is not kept.
 */
export type SnapshotAnswers = (
  mode: Mode,
  id: string,
  question: string,
  make: () => Answer | Promise<Answer>,
) => Answer | Promise<Answer>;

export function createSnapshotAnswers(bytesMax: number): SnapshotAnswers {
  const caches = {
    live: createAnswerCache(bytesMax / 2),
    sandbox: createAnswerCache(bytesMax / 2),
  };
  return (mode, id, question, make) => {
    const kept = caches[mode].get(question, id);
    if (kept) return kept;
    const finish = (made: Answer): Answer => {
      const etag = etagOf(mode, id, question);
      const answer = { ...made, etag, headers: [...made.headers, ...CACHE_HEADERS] };
      return caches[mode].put(question, id, answer);
    };
    const made = make();
    return made instanceof Promise ? made.then(finish) : finish(made);
  };
}

function etagOf(mode: Mode, id: string, question: string): string {
  const text = [ANSWER_VERSION, mode, id, question].join('\n');
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}
