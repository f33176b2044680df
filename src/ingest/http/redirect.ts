/** Where a redirect may lead. Pure. */

import { SourceUnavailableError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';

const REDIRECTS = [301, 302, 303, 307, 308];

/** The `Location` of a redirect; undefined for an answer that is none. */
export function redirectOf(
  status: number,
  location: string | string[] | undefined,
): string | undefined {
  return REDIRECTS.includes(status) ? [location].flat()[0] : undefined;
}

/**
 * The address a redirect leads to. It stays on its host, since the request may carry a key, and
 * never goes back from https to http.
 *
 * @param redirects How many were followed before.
 * @throws {SourceUnavailableError} it leads elsewhere, or was one too many.
 */
export function redirectedTo(title: string, from: URL, location: string, redirects: number): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const isUpgrade =
    from.protocol === 'http:' && to?.protocol === 'https:' && to.hostname === from.hostname;
  if (to && (isUpgrade || to.origin === from.origin) && redirects < limits.http.redirectsMax) {
    return to;
  }
  throw new SourceUnavailableError(
    `${title} is not available: it redirects to "${to?.origin ?? location}", which is not followed`,
  );
}
