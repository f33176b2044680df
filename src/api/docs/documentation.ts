/** Pages about the API: the OpenAPI file, and a page for each type of error. */

import { z } from 'zod';
import { HttpError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import type { PublicRoute, Route } from '../contract/route.ts';
import { ERROR_TYPES } from '../http/error-types.ts';
import { CONTENT_TYPES } from '../http/format.ts';
import type { ApiResponse } from '../http/response.ts';
import { lastingResponse } from '../responses/cached.ts';
import { escaped, htmlPage } from '../responses/html-page.ts';
import { openApiDocument } from './openapi/document.ts';
import { type DescribedRoute, describedPublicRoute, describedRoute } from './openapi/operation.ts';

/** The description of `/v1/openapi.json` itself. */
const DESCRIPTION_ROUTE: DescribedRoute = {
  method: 'GET',
  template: '/openapi.json',
  isOutside: false,
  contract: {
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
  },
  access: undefined,
};

/** Creates the response of `/v1/openapi.json`. */
export function descriptionResponse(
  routes: readonly Route[],
  publicRoutes: readonly PublicRoute[],
): ApiResponse {
  const document = openApiDocument([
    ...routes.map(describedRoute),
    ...publicRoutes.flatMap(describedPublicRoute),
    DESCRIPTION_ROUTE,
  ]);
  return lastingResponse(CONTENT_TYPES.json, JSON.stringify(document));
}

/**
 * Responds to `/docs/errors/{type}`, the `docs_url` of an error.
 *
 * @throws {HttpError} 404: the type does not exist.
 */
export function errorPage(type: string): ApiResponse {
  if (!Object.hasOwn(ERROR_TYPES, type)) throw new HttpError(404, `No error type ${quoted(type)}`);
  const { statuses, title, meaning, remedy } = ERROR_TYPES[type as keyof typeof ERROR_TYPES];
  const main = `<p><a href="/docs">Tapeworks API</a></p>
<h1>${title}</h1>
<p><code>${type}</code>, HTTP status ${statuses.join(', ')}</p>
<p>${escaped(meaning)}</p>
<p>${escaped(remedy)}</p>`;
  return htmlPage(type, main, 'max-age=3600');
}
