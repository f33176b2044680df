/** Pages for those who ask the same within a moment. */

import { limits } from '../../base/limits/limits.ts';
import type { Answer } from '../http/response.ts';
import { type AnswerCache, createAnswerCache } from './cache.ts';

/**
 * A page of this moment, made where nobody has asked for it.
 *
 * @param key What the page depends on, beside the version and the moment.
 * @param id Of the version.
 */
export type PageOfMoment = (
  key: string,
  id: string,
  make: () => Answer | Promise<Answer>,
) => Answer | Promise<Answer>;

/**
 * Pages of the moment before are of no use to anybody, so they go with it: while they are young
 * that costs nothing.
 *
 * @param now Milliseconds since the epoch.
 */
export function createPagesOfMoment(now: () => number): PageOfMoment {
  let newest = createAnswerCache(limits.page.keptBytesMax);
  let moment = Number.NaN;

  function pagesNow(): AnswerCache {
    const current = Math.floor(now() / limits.page.keptMs);
    if (current !== moment) newest = createAnswerCache(limits.page.keptBytesMax);
    moment = current;
    return newest;
  }

  async function kept(
    pages: AnswerCache,
    key: string,
    id: string,
    made: Answer | Promise<Answer>,
  ): Promise<Answer> {
    return pages.put(key, id, await made);
  }

  return (key, id, make) => {
    // A page that is made when the moment ends is still of it: its cursor says so.
    const pages = pagesNow();
    return pages.get(key, id) ?? kept(pages, key, id, make());
  };
}
