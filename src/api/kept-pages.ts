/** Pages of lists for those who ask the same again within a moment. */

import { limits } from '../limits.ts';
import type { Answer } from './answer.ts';
import { createAnswerCache } from './answer-cache.ts';
import type { AdmittedExchange, Route, RouteSources } from './route.ts';

/**
 * The same answers, kept for a moment only: cursors say when they were given, and some questions
 * mean today. They are of an account, as cursors are.
 *
 * @returns wraps what answers a route; all that it wraps share the memory.
 */
export function createKeptPages({
  readers,
  now,
}: Pick<RouteSources, 'readers' | 'now'>): (answer: Route['answer']) => Route['answer'] {
  const pages = createAnswerCache(limits.page.keptBytesMax);

  async function kept(key: string, id: string, made: Answer | Promise<Answer>): Promise<Answer> {
    const answer = await made;
    pages.put(key, id, answer);
    return answer;
  }

  return (answer) => (exchange: AdmittedExchange) => {
    const { key, target, headers } = exchange;
    const { id } = readers[key.mode].current();
    const moment = Math.floor(now() / limits.page.keptMs);
    const asked = [key.mode, key.account, moment, headers.accept, target].join('\n');
    return pages.get(asked, id) ?? kept(asked, id, answer(exchange));
  };
}
