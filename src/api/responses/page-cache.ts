/** Caches pages for one second. */

import { limits } from '../../base/limits/limits.ts';
import type { AdmittedContext } from '../http/request-context.ts';
import type { ApiResponse } from '../http/response.ts';
import { createResponseCache } from './cached.ts';

/** Returns the page of a request, from the cache or made now. @param id Id of the snapshot. */
export type PageCache = (
  context: AdmittedContext,
  id: string,
  make: () => ApiResponse | Promise<ApiResponse>,
) => ApiResponse | Promise<ApiResponse>;

/**
 * Creates the cache. A page is valid for a moment only: its cursor contains the time, and some
 * queries mean today. It belongs to an account, because its cursor does.
 *
 * @param now Milliseconds since the epoch.
 */
export function createPageCache(now: () => number): PageCache {
  const { keptMs, keptBytesMax } = limits.page;
  let pages = createResponseCache(keptBytesMax);
  let second = Number.NaN;
  return ({ key, target, headers }, id, make) => {
    const current = Math.floor(now() / keptMs);
    // Replacing the whole cache while it is young costs nothing.
    if (current !== second) pages = createResponseCache(keptBytesMax);
    second = current;
    const name = [key.mode, key.account, headers.accept, target].join('\n');
    const kept = pages.get(name, id);
    if (kept) return kept;
    // A page that is finished in the next second still belongs to this one, as its cursor does.
    const { put } = pages;
    const made = make();
    return made instanceof Promise ? made.then((page) => put(name, id, page)) : put(name, id, made);
  };
}
