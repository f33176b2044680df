/** `/v1/openapi.json`, `/docs` and a page for each type of error. */

import { z } from 'zod';
import { HttpError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import type { PublicRoute, Route, RouteContract } from '../contract/route.ts';
import { ERROR_TYPES } from '../http/error-types.ts';
import { CONTENT_TYPES } from '../http/format.ts';
import type { ApiResponse } from '../http/response.ts';
import { lastingResponse } from '../responses/cached.ts';
import { escaped, htmlPage } from '../responses/html-page.ts';
import { referenceFile, referencePage } from './reference.ts';

/** Contract of `/v1/openapi.json`. */
const DESCRIPTION: RouteContract = {
  operationId: 'getDescription',
  tag: 'Service',
  summary: 'Get the API description',
  description: 'OpenAPI 3.1, made from the schemas that requests are checked against.',
  response: z
    .looseObject({
      openapi: z.literal('3.1.0'),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      paths: z.looseObject({}),
      components: z.looseObject({}),
    })
    .meta({ id: 'ApiDescription' }),
  isTagged: true,
  examples: [
    {
      title: 'This document',
      response: {
        openapi: '3.1.0',
        info: { title: 'Tapeworks', version: '1.0.0' },
        paths: {},
        components: {},
      },
    },
  ],
};

/**
 * Responds to `/docs/errors/{type}`, the `docs_url` of an error.
 *
 * @throws {HttpError} 404: the type does not exist.
 */
function errorPage(type: string): ApiResponse {
  if (!Object.hasOwn(ERROR_TYPES, type)) throw new HttpError(404, `No error type ${quoted(type)}`);
  const { statuses, title, meaning, remedy } = ERROR_TYPES[type as keyof typeof ERROR_TYPES];
  const main = `<p><a href="/docs">Tapeworks API</a></p>
<h1>${title}</h1>
<p><code>${type}</code>, HTTP status ${statuses.join(', ')}</p>
<p>${escaped(meaning)}</p>
<p>${escaped(remedy)}</p>`;
  return htmlPage(type, main, 'max-age=3600');
}

/**
 * Creates the routes.
 *
 * @param routes Routes that need a key.
 * @param publicRoutes Routes without a key, except those returned here.
 */
export function documentationRoutes(
  routes: readonly Route[],
  publicRoutes: readonly PublicRoute[],
): PublicRoute[] {
  let made: Promise<ApiResponse> | undefined;
  const description: PublicRoute = {
    path: '/v1/openapi.json',
    contract: DESCRIPTION,
    respond() {
      // Made at the first request: it takes about 90 ms of CPU.
      made ??= import('./openapi/document.ts').then(({ openApiDocument }) => {
        const document = openApiDocument(routes, [...publicRoutes, description]);
        return lastingResponse(CONTENT_TYPES.json, JSON.stringify(document));
      });
      return made;
    },
  };
  return [
    description,
    { path: '/docs', respond: ({ target }) => referencePage(target) },
    { path: '/docs/:file', respond: ({ params }) => referenceFile(params.file) },
    { path: '/docs/errors/:type', respond: ({ params }) => errorPage(params.type) },
  ];
}
