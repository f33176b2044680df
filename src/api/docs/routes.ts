/** `/v1/openapi.json`, `/docs` and a page for each type of error. */

import type { PublicRoute, Route } from '../contract/route.ts';
import { createResponse } from '../http/response.ts';
import type { Documentation } from './documentation.ts';

/**
 * Creates the routes. The pages are loaded and made at the first request for one, not at the start:
 * that takes about 90 ms of CPU.
 *
 * @param routes Routes that need a key.
 * @param publicRoutes Routes without a key, except those returned here.
 */
export function documentationRoutes(
  routes: readonly Route[],
  publicRoutes: readonly PublicRoute[],
): PublicRoute[] {
  let loading: Promise<Documentation> | undefined;
  function loaded(): Promise<Documentation> {
    loading ??= import('./documentation.ts').then(({ createDocumentation }) =>
      createDocumentation(routes, publicRoutes),
    );
    return loading;
  }
  return [
    // A relative redirect works for a server below a path of a proxy.
    { path: '/', respond: () => createResponse(302, 'text/plain', '', ['Location', 'docs']) },
    { path: '/v1/openapi.json', respond: async () => (await loaded()).description() },
    { path: '/docs', respond: async ({ headers }) => (await loaded()).reference(headers) },
    {
      path: '/docs/errors/:type',
      respond: async ({ params }) => (await loaded()).errorPage(params.type),
    },
  ];
}
