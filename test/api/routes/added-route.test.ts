/** A route is one declaration: with a row more in the list, everything else follows. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from '../../../src/api/contract/route.ts';
import { FORMATS } from '../../../src/api/http/format.ts';
import { queryParser } from '../../../src/api/http/query.ts';
import { formatField, symbolPath } from '../../../src/api/http/query-fields.ts';
import { jsonResponse } from '../../../src/api/http/response.ts';
import { ROUTES, routeName } from '../../../src/api/routes/routes.ts';
import { sharedFolder } from '../../support/folders.ts';
import { readApiDescription } from '../support/api-description.ts';
import { parseMetrics } from '../support/prometheus-text.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const parameters = z.strictObject({ format: formatField.optional() });
const parsedQuery = queryParser(parameters, FORMATS);

const added: Route = {
  template: '/svc/lengths/{symbol}',
  access: { scope: 'quotes:read', tokens: 3 },
  contract: {
    operationId: 'getLength',
    tag: 'Symbols',
    summary: 'Get the length of a ticker',
    description: 'Counts its characters.',
    path: symbolPath,
    query: parameters,
    response: z.strictObject({ length: z.int() }).meta({ id: 'Length' }),
    examples: [{ title: 'Four', path: { symbol: 'QXAA' }, response: { length: 4 } }],
  },
  respond({ query, params, headers }) {
    parsedQuery(query, headers.accept);
    return jsonResponse(200, { length: params.symbol.length });
  },
};

const TOKEN = 'operator-token-of-the-test';
const dataDir = sharedFolder();
let server: TestServer;

beforeAll(async () => {
  const nowMs = Date.UTC(2026, 0, 6);
  server = await startTestServer(dataDir, nowMs, { operatorToken: TOKEN }, {}, [...ROUTES, added]);
});

afterAll(() => server.close());

describe('a route more', () => {
  it('responds, for keys with its scope', async () => {
    const path = '/v1/svc/lengths/ABC';
    expect(await server.get(path)).toMatchObject({ status: 200, json: { length: 3 } });
    expect((await server.get(`${path}?colour=red`)).status).toBe(400);
    const other = await server.newKey({ scopes: ['news:read'] });
    expect((await server.get(path, { 'X-API-Key': other })).status).toBe(403);
  });

  it('stands in the API description', async () => {
    const { operations } = await readApiDescription(server);
    const { operation } = operations.find(({ name }) => name === routeName(added))!;
    expect(operation).toMatchObject({ operationId: 'getLength', 'x-tokens': 3 });
    expect(Object.keys(operation.responses)).toContain('404');
  });

  it('is counted in the metrics', async () => {
    await server.get('/v1/svc/lengths/ABC');
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const metrics = parseMetrics((await server.request('/metrics', { headers })).text);
    const labels = { route: '/v1/svc/lengths/{symbol}', method: 'GET', status: '2xx' };
    const histogram = metrics.get('tapeworks_http_request_duration_seconds');
    expect(histogram?.value('_count', labels)).toBeGreaterThan(0);
  });
});
