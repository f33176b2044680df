/** `/v1/openapi.json`, `/docs` and a page for each type of error. */

import type { PublicRoute, Route } from '../contract/route.ts';
import { type ApiResponse, createResponse } from '../http/response.ts';

/**
 * Creates the routes. Pages are loaded and made at the first request for one, not at the start: the
 * description takes about 90 ms of CPU.
 *
 * @param routes Routes that need a key.
 * @param publicRoutes Routes without a key, except those returned here.
 */
export function documentationRoutes(
  routes: readonly Route[],
  publicRoutes: readonly PublicRoute[],
): PublicRoute[] {
  let description: Promise<ApiResponse> | undefined;
  return [
    // A relative redirect works for a server below a path of a proxy.
    { path: '/', respond: () => createResponse(302, 'text/plain', '', ['Location', 'docs']) },
    {
      path: '/v1/openapi.json',
      respond() {
        description ??= import('./documentation.ts').then(({ descriptionResponse }) =>
          descriptionResponse(routes, publicRoutes),
        );
        return description;
      },
    },
    {
      path: '/docs',
      respond: async ({ target }) => (await import('./reference.ts')).referencePage(target),
    },
    {
      path: '/docs/:file',
      respond: async ({ params }) => (await import('./reference.ts')).referenceFile(params.file),
    },
    {
      path: '/docs/errors/:type',
      respond: async ({ params }) => (await import('./documentation.ts')).errorPage(params.type),
    },
  ];
}
