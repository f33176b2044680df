/** The API description: OpenAPI 3.1, made from the contracts of the routes. */

import { assert } from '../../../base/errors.ts';
import { RESPONSE_HEADERS } from '../../contract/response-headers.ts';
import type { PublicRoute, Route } from '../../contract/route.ts';
import { TAGS } from '../../contract/tags.ts';
import { ERROR_TYPES, errorSchema } from '../../http/error-types.ts';
import type { RouteMethod } from '../../http/methods.ts';
import type { JsonSchema, OpenApiDocument, PathItem } from './document-types.ts';
import { EVENT_HEADERS, EVENT_SCHEMAS, eventOperations } from './events.ts';
import { type DescribedRoute, HEADER_PARAMETERS, operationOf } from './operation.ts';
import { type SchemaConverters, sharedResponses } from './responses.ts';
import { API_VERSION } from './version.ts';
import { jsonSchemasFromZod } from './zod-schemas.ts';

const ERROR_PAGES = Object.entries(ERROR_TYPES).map(
  ([type, { statuses, title }]) =>
    `- [\`${type}\`](/docs/errors/${type}) (${statuses.join(', ')}): ${title}`,
);

/** Paragraphs in Markdown, by heading. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  Keys: [
    'Every path under `/v1/svc` needs a key: `X-API-Key: svc_live_…` reads real data, ' +
      '`svc_test_…` the synthetic sandbox. `Authorization: Bearer …` is accepted too; two ' +
      "different keys in one request get 401. A key's scopes say what it may do. Each operation " +
      'lists the scope it needs; a 403 names it too.',
  ],
  'Limits and tokens': [
    'Every response to a valid key carries `X-SVC-RateLimit-Limit`, `-Remaining` and `-Reset`. ' +
      'One request too many gets 429 with `Retry-After`; wait that many seconds and the next ' +
      'one succeeds. A successful response costs the tokens listed for its operation; errors ' +
      'are free. An account can have a daily token quota.',
  ],
  Requests: [
    'Give each parameter at most once and separate the items of a list by commas. An unknown, ' +
      'repeated, empty or out-of-range parameter gets 400, and the message names it; values are ' +
      'never adjusted silently. Bodies are JSON in UTF-8 of at most 64 KiB. `HEAD` works as ' +
      '`GET` without a body, and `OPTIONS` gets 204 with `Allow`. Any other method gets 405 with ' +
      '`Allow`, an unknown path 404; both have the usual error body.',
  ],
  Responses: [
    'Responses are JSON. Ask for CSV, Arrow or Parquet with `format=csv`, `format=arrow`, ' +
      '`format=parquet` or the header `Accept`, where the operation supports them; Arrow is one ' +
      'uncompressed IPC stream, and Parquet has the same columns. ' +
      'Numbers are the shortest text that reads back as the same float64, and date-times are ' +
      '`YYYY-MM-DDTHH:mm:ss.sssZ` in UTC. Every field is always present; unknown values are null.',
    'Send the `ETag` of a response as `If-None-Match` to get 304 until newer data is published.',
  ],
  Pages: [
    'Paged lists carry two envelopes: `page_info` with `hasNext`, `cursor` and `totalCount`; and ' +
      '`has_more`, `cursor` (null on the last page) and `total`. To get the next page, repeat ' +
      'the query with `cursor`. CSV and Arrow have the headers `X-SVC-Total-Count` and ' +
      '`X-SVC-Next-Cursor` instead.',
  ],
  Errors: [
    'Every error is JSON: `error.message` for people, `error.type` for programs, ' +
      '`error.docs_url`, and `request_id`, which is also in the header `X-Request-Id` and in ' +
      "the server's log. Checks run in this order: 401, 403, 429, 400, 404.",
    ERROR_PAGES.join('\n'),
  ],
};

/** Rules of all operations: the start of the API description. */
const INTRODUCTION = Object.entries(PARTS)
  .map(([title, paragraphs]) => [`## ${title}`, ...paragraphs].join('\n\n'))
  .join('\n\n');

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
