/** `/v1/openapi.json`, `/docs`, a page for each type of error, and `/llms.txt`. */

import { z } from 'zod';
import { HttpError } from '../../base/errors.ts';
import { quoted } from '../../base/quoted.ts';
import type { PublicRoute, Route, RouteContract } from '../contract/route.ts';
import { ERROR_TYPES } from '../http/error-types.ts';
import { CONTENT_TYPES } from '../http/format.ts';
import type { ApiResponse } from '../http/response.ts';
import { createResponse } from '../http/response.ts';
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

const CACHED_AN_HOUR = ['Cache-Control', 'max-age=3600'];

/** Guide for language models that read this server's address. */
const LLMS = `# Tapeworks

> Market data of US stocks and ETFs from your own server: bars, quotes, indicators, screens,
> statements, insider transactions, news. All paths below are of this server.

All data needs an API key in the header \`X-API-Key\` or \`Authorization: Bearer\`. \`svc_test_\` keys
read synthetic data, \`svc_live_\` keys real data. Errors are JSON with \`error.type\` and
\`error.message\`. Lists have pages: send \`cursor\` again. \`format=csv|arrow|parquet\` is for many rows.

## Use

- [MCP](/mcp): tools for agents, by streamable HTTP with the same key
- [OpenAPI](/v1/openapi.json): all operations, with schemas and examples
- [Reference](/docs): the same for people

## Frequent requests

- \`GET /v1/svc/symbols?search=nvid\`: find a ticker
- \`GET /v1/svc/technical/AAPL?indicators=rsi:14,sma:200&limit=100\`: bars with indicators
- \`GET /v1/svc/screener?where=rsi(14)<30 and close>sma(200)\`: screen (encode the query)
- \`GET /v1/svc/fundamentals/AAPL/statements?period=annual\`: income statements in USD
- \`GET /v1/svc/candles?symbols=*&interval=1d&from=2026-01-01&format=arrow\`: bars of all symbols

## Optional

- [Readiness](/readyz): how new the data is, without a key
- [Liveness](/healthz)
`;

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
    {
      path: '/llms.txt',
      respond: () => createResponse(200, 'text/markdown; charset=utf-8', LLMS, CACHED_AN_HOUR),
    },
    { path: '/docs', respond: ({ target }) => referencePage(target) },
    { path: '/docs/:file', respond: ({ params }) => referenceFile(params.file) },
    { path: '/docs/errors/:type', respond: ({ params }) => errorPage(params.type) },
  ];
}
