/** The API description: OpenAPI 3.1, made from the contracts of the routes. */

import type { z } from 'zod';
import { assert } from '../../../base/errors.ts';
import type { ErrorStatus, RouteContract } from '../../contract/route.ts';
import { TAGS } from '../../contract/tags.ts';
import { errorSchema } from '../../http/error-types.ts';
import type { RouteMethod } from '../../http/methods.ts';
import type { HeaderObject, JsonSchema, OpenApiDocument, PathItem } from './document-types.ts';
import { EVENT_SCHEMAS } from './event-schemas.ts';
import { EVENT_HEADERS, eventOperations } from './events.ts';
import { INTRODUCTION } from './introduction.ts';
import {
  type DescribedRoute,
  HEADER_PARAMETERS,
  operationOf,
  type RouteSchemas,
} from './operation.ts';
import { RESPONSE_HEADERS } from './response-headers.ts';
import { sharedResponses } from './responses.ts';
import { jsonSchemasFromZod } from './zod-schemas.ts';

/** Increases with additions; `/v1` never loses anything. */
const API_VERSION = '1.0.0';

const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: '`svc_live_…` for real data, `svc_test_…` for the sandbox.',
  },
  Bearer: { type: 'http', scheme: 'bearer', description: 'The same key.' },
};

/** Returns schemas of responses by operation, and of errors with details. */
function responseSchemas(contracts: readonly RouteContract[]): Record<string, z.ZodType> {
  const schemas: Record<string, z.ZodType> = { error: errorSchema };
  for (const { operationId, response, errorDetails } of contracts) {
    if (response) schemas[operationId] = response;
    for (const [status, { schema }] of Object.entries(errorDetails ?? {})) {
      schemas[`${operationId} ${status}`] = schema;
    }
  }
  return schemas;
}

function bodySchemas(contracts: readonly RouteContract[]): Record<string, z.ZodType> {
  return Object.fromEntries(
    contracts.flatMap(({ operationId, body }) => (body ? [[operationId, body] as const] : [])),
  );
}

function schemasOf(
  { operationId, errorDetails }: RouteContract,
  responses: Record<string, JsonSchema>,
  bodies: Record<string, JsonSchema>,
): RouteSchemas {
  const statuses = Object.keys(errorDetails ?? {}).map((status) => Number(status) as ErrorStatus);
  return {
    response: responses[operationId],
    body: bodies[operationId],
    errors: Object.fromEntries(
      statuses.map((status) => [status, responses[`${operationId} ${status}`]] as const),
    ),
  };
}

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

function pathsFrom(
  routes: readonly DescribedRoute[],
  schemasFrom: (contract: RouteContract) => RouteSchemas,
): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  const ordered = routes.toSorted((a, b) => (a.template < b.template ? -1 : 1));
  for (const route of ordered) {
    const { method, template, isOutside, contract } = route;
    paths[template] ??= {
      ...(isOutside && { servers: [{ url: '/' }] }),
      'x-other-methods': { $ref: '#/components/responses/Error405' },
    };
    const key = method.toLowerCase() as Lowercase<RouteMethod>;
    paths[template][key] = operationOf(route, schemasFrom(contract));
  }
  return paths;
}

export function openApiDocument(routes: readonly DescribedRoute[]): OpenApiDocument {
  const contracts = routes.map(({ contract }) => contract);
  const responses = jsonSchemasFromZod(
    { ...responseSchemas(contracts), ...EVENT_SCHEMAS },
    'output',
  );
  const bodies = jsonSchemasFromZod(bodySchemas(contracts), 'input');
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
    paths: pathsFrom(routes, (contract) => schemasOf(contract, responses.schemas, bodies.schemas)),
    webhooks: eventOperations(responses.schemas),
    components: {
      schemas: joined(responses.components, bodies.components),
      parameters: { ...HEADER_PARAMETERS, ...EVENT_HEADERS },
      headers: RESPONSE_HEADERS as unknown as Record<string, HeaderObject>,
      responses: sharedResponses(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
