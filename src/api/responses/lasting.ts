import { createHash } from 'node:crypto';
import { keptForms } from '../http/coded-body.ts';
import { type Answer, createAnswer } from '../http/response.ts';

/**
 * An answer that never changes while the server runs; who has it is told so by its ETag.
 *
 * @param headers Names and values in turn.
 */
export function lastingAnswer(
  contentType: string,
  text: string,
  headers: readonly string[] = [],
): Answer {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  const lines = ['Cache-Control', 'no-cache', ...headers];
  const answer = createAnswer(200, contentType, Buffer.from(text), lines);
  return { ...answer, etag, kept: keptForms('lasting') };
}
