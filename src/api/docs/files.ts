/** What tells of the API: `/v1/openapi.json`, `/docs` and a page for each type of error. */

import { createAnswer } from '../http/response.ts';
import type { PublicRoute, Route } from '../http/route.ts';
import type { RouteAccess } from '../http/route-access.ts';
import type { Documentation } from './routes.ts';

/**
 * All of it is loaded and made at the first request that needs it, not at the start: that takes
 * some 90 ms of CPU.
 *
 * @param routes Those that need a key.
 * @param publicRoutes Those that need none, without what is given back.
 */
export function documentationRoutes(
  routes: readonly { route: Route; access: RouteAccess }[],
  publicRoutes: readonly PublicRoute[],
): PublicRoute[] {
  let loading: Promise<Documentation> | undefined;
  function loaded(): Promise<Documentation> {
    loading ??= import('./routes.ts').then(({ createDocumentation }) =>
      createDocumentation(routes, publicRoutes),
    );
    return loading;
  }
  return [
    // Until there is a page of its own; relative, for a server below a path of a proxy.
    { path: '/', answer: () => createAnswer(302, 'text/plain', '', ['Location', 'docs']) },
    { path: '/v1/openapi.json', answer: async () => (await loaded()).description() },
    { path: '/docs', answer: async ({ headers }) => (await loaded()).reference(headers) },
    {
      path: '/docs/errors/:type',
      answer: async ({ params }) => (await loaded()).errorPage(params.type),
    },
  ];
}
