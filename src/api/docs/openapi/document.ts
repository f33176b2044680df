/** The API description: OpenAPI 3.1, made from the contracts of the routes. */

import { assert } from '../../../base/errors.ts';
import { RESPONSE_HEADERS } from '../../contract/response-headers.ts';
import type { PublicRoute, Route } from '../../contract/route.ts';
import { TAGS } from '../../contract/tags.ts';
import { errorSchema } from '../../http/error-types.ts';
import type { RouteMethod } from '../../http/methods.ts';
import type { JsonSchema, OpenApiDocument, PathItem } from './document-types.ts';
import { EVENT_HEADERS, EVENT_SCHEMAS, eventOperations } from './events.ts';
import { INTRODUCTION } from './introduction.ts';
import { type DescribedRoute, HEADER_PARAMETERS, operationOf } from './operation.ts';
import { type SchemaConverters, sharedResponses } from './responses.ts';
import { API_VERSION } from './version.ts';
import { jsonSchemasFromZod } from './zod-schemas.ts';

const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: '`svc_live_…` for real data, `svc_test_…` for the sandbox.',
  },
  Bearer: { type: 'http', scheme: 'bearer', description: 'The same key.' },
};

/** Joins the schemas of responses and bodies, which never share an id. */
function joined(
  responses: Record<string, JsonSchema>,
  bodies: Record<string, JsonSchema>,
): Record<string, JsonSchema> {
  for (const id of Object.keys(bodies)) assert(!(id in responses), `"${id}" names one schema`);
  const all = { ...responses, ...bodies };
  return Object.fromEntries(
    Object.keys(all)
      .sort()
      .map((id) => [id, all[id]] as const),
  );
}

function describedRoute(route: Route): DescribedRoute {
  return { isOutside: false, method: 'GET', ...route };
}

function describedPublicRoute({ path, contract }: PublicRoute): DescribedRoute[] {
  if (!contract) return [];
  const isOutside = !path.startsWith('/v1/');
  const template = isOutside ? path : path.slice('/v1'.length);
  return [{ method: 'GET', template, isOutside, contract, access: undefined }];
}

function pathsFrom(
  routes: readonly DescribedRoute[],
  schemaOf: SchemaConverters,
): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  const ordered = routes.toSorted((a, b) => (a.template < b.template ? -1 : 1));
  for (const route of ordered) {
    const { method, template, isOutside } = route;
    paths[template] ??= {
      ...(isOutside && { servers: [{ url: '/' }] }),
      'x-other-methods': { $ref: '#/components/responses/Error405' },
    };
    const key = method.toLowerCase() as Lowercase<RouteMethod>;
    paths[template][key] = operationOf(route, schemaOf);
  }
  return paths;
}

/** @param publicRoutes Routes without a key; those for people, which have no contract, are omitted. */
export function openApiDocument(
  routes: readonly Route[],
  publicRoutes: readonly PublicRoute[],
): OpenApiDocument {
  const described = [...routes.map(describedRoute), ...publicRoutes.flatMap(describedPublicRoute)];
  const contracts = described.map(({ contract }) => contract);
  const responses = jsonSchemasFromZod(
    [
      errorSchema,
      ...contracts.flatMap(({ response, errorDetails = {} }) => [
        ...(response ? [response] : []),
        ...Object.values(errorDetails).map(({ schema }) => schema),
      ]),
      ...Object.values(EVENT_SCHEMAS),
    ],
    'output',
  );
  const bodies = jsonSchemasFromZod(
    contracts.flatMap(({ body }) => body ?? []),
    'input',
  );
  const used = new Set<string>(contracts.map(({ tag }) => tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tapeworks',
      version: API_VERSION,
      summary: 'Market data from your own server.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { description: 'The reference with examples', url: '/docs' },
    servers: [{ url: '/v1', description: 'This server; the key picks live data or the sandbox' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths: pathsFrom(described, { response: responses.of, body: bodies.of }),
    webhooks: eventOperations(responses.of),
    components: {
      schemas: joined(responses.components, bodies.components),
      parameters: { ...HEADER_PARAMETERS, ...EVENT_HEADERS },
      headers: RESPONSE_HEADERS,
      responses: sharedResponses(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
