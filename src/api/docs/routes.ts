/** Answers about the API itself, each made once, when it is asked for first. */

import type { IncomingHttpHeaders } from 'node:http';
import { CONTENT_TYPES } from '../http/format.ts';
import type { Answer } from '../http/response.ts';
import type { PublicRoute, Route } from '../http/route.ts';
import type { RouteAccess } from '../http/route-access.ts';
import { lastingAnswer } from '../responses/lasting.ts';
import { errorPage } from './error-pages.ts';
import { DESCRIPTION_ROUTE } from './openapi/description.ts';
import { openApiDocument } from './openapi/document.ts';
import type { OpenApiDocument } from './openapi/document-types.ts';
import { describedPublicRoute, describedRoute } from './openapi/operation.ts';
import { createReference } from './reference/reference.ts';

export interface Documentation {
  description(): Answer;
  reference(headers: IncomingHttpHeaders): Answer;
  /** @throws {HttpError} 404: no error has this type. */
  errorPage(type: string): Answer;
}

export function createDocumentation(
  routes: readonly { route: Route; access: RouteAccess }[],
  publicRoutes: readonly PublicRoute[],
): Documentation {
  let made: OpenApiDocument | undefined;
  function document(): OpenApiDocument {
    made ??= openApiDocument([
      ...routes.map(({ route, access }) => describedRoute(route, access)),
      ...publicRoutes.flatMap(describedPublicRoute),
      DESCRIPTION_ROUTE,
    ]);
    return made;
  }
  let description: Answer | undefined;
  return {
    description() {
      description ??= lastingAnswer(CONTENT_TYPES.json, JSON.stringify(document()));
      return description;
    },
    reference: createReference(document),
    errorPage,
  };
}
