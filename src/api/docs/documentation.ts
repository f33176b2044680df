/** Pages about the API: the OpenAPI file, the reference, and a page for each type of error. */

import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { HttpError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import type { PublicRoute, Route } from '../contract/route.ts';
import { ERROR_TYPES } from '../http/error-types.ts';
import { CONTENT_TYPES } from '../http/format.ts';
import { type ApiResponse, createResponse } from '../http/response.ts';
import { lastingResponse } from '../responses/cached.ts';
import { openApiDocument } from './openapi/document.ts';
import type { OpenApiDocument } from './openapi/document-types.ts';
import { type DescribedRoute, describedPublicRoute, describedRoute } from './openapi/operation.ts';
import { inlineHtml } from './reference/html.ts';
import { HTML_TYPE, type Page, pageHeaders, pageHtml } from './reference/page.ts';
import { createReference } from './reference/reference.ts';

export interface Documentation {
  description(): ApiResponse;
  reference(headers: IncomingHttpHeaders): ApiResponse;
  /** @throws {HttpError} 404: the type does not exist. */
  errorPage(type: string): ApiResponse;
}

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

/** Creates the pages; each is made at the first request for it. */
export function createDocumentation(
  routes: readonly Route[],
  publicRoutes: readonly PublicRoute[],
): Documentation {
  let made: OpenApiDocument | undefined;
  function document(): OpenApiDocument {
    made ??= openApiDocument([
      ...routes.map(describedRoute),
      ...publicRoutes.flatMap(describedPublicRoute),
      DESCRIPTION_ROUTE,
    ]);
    return made;
  }
  let description: ApiResponse | undefined;
  return {
    description() {
      description ??= lastingResponse(CONTENT_TYPES.json, JSON.stringify(document()));
      return description;
    },
    reference: createReference(document),
    errorPage,
  };
}

/** Responds to `/docs/errors/{type}`, the `docs_url` of an error. */
function errorPage(type: string): ApiResponse {
  if (!Object.hasOwn(ERROR_TYPES, type)) throw new HttpError(404, `No error type ${quoted(type)}`);
  const { statuses, title, meaning, remedy } = ERROR_TYPES[type as keyof typeof ERROR_TYPES];
  const main = `<p><a href="/docs#errors">Tapeworks API</a></p>
<h1>${inlineHtml(title)}</h1>
<p><code>${type}</code>, HTTP status ${statuses.join(', ')}</p>
<p>${inlineHtml(meaning)}</p>
<p>${inlineHtml(remedy)}</p>`;
  const page: Page = { title: type, main };
  const headers = ['Cache-Control', 'max-age=3600', ...pageHeaders(page)];
  return createResponse(200, HTML_TYPE, pageHtml(page), headers);
}
