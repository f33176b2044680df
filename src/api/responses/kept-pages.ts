/** Pages of lists for those who ask the same again within a moment. */

import type { AdmittedExchange, Route, RouteSources } from '../http/route.ts';
import { createPagesOfMoment } from './pages-of-moment.ts';

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
  const page = createPagesOfMoment(now);

  return (answer) => (exchange: AdmittedExchange) => {
    const { key, target, headers } = exchange;
    const { id } = readers[key.mode].current();
    const asked = [key.mode, key.account, headers.accept, target].join('\n');
    return page(asked, id, () => answer(exchange));
  };
}
