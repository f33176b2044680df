/** Which methods a path takes, and what those beside GET answer. */

import { HttpError } from '../errors.ts';
import { type Answer, createAnswer } from './answer.ts';

const ALLOW = ['Allow', 'GET, HEAD, OPTIONS'];

const OPTIONS_ANSWER = createAnswer(204, '', '', ALLOW);

/**
 * @param get The answer to GET; Node leaves its body away for HEAD.
 * @throws {HttpError} 405.
 */
export function answerMethod<T extends Answer | Promise<Answer>>(
  method: string,
  get: () => T,
): T | Answer {
  if (method === 'GET' || method === 'HEAD') return get();
  if (method === 'OPTIONS') return OPTIONS_ANSWER;
  throw new HttpError(405, `method must be one of ${ALLOW[1]}, got "${method}"`, ALLOW);
}
