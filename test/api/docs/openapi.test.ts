/** `/v1/openapi.json`: complete, valid, and true of the server that gives it. */

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { failedAuthLimits } from '../../../src/api/access/failed-auth.ts';
import type { MediaType, Operation } from '../../../src/api/docs/openapi/document-types.ts';
import { errorSchema } from '../../../src/api/http/error-types.ts';
import { ROUTES, routeName } from '../../../src/api/routes/routes.ts';
import { limits } from '../../../src/base/limits.ts';
import { SCOPE_NAMES } from '../../../src/store/accounts/keys/scopes.ts';
import { EVENT_TYPE_NAMES } from '../../../src/store/accounts/webhooks/event-record.ts';
import { useLimits } from '../../support/use-limits.ts';
import {
  type ApiDescription,
  type DescribedOperation,
  jsonOf,
  readApiDescription,
  targetOf,
} from '../support/api-description.ts';
import { useFixtureServer } from '../support/fixture-server.ts';
import type { Reply } from '../support/test-server.ts';

// Each operation is asked without a valid key.
useLimits(failedAuthLimits, { perWindow: 1000 });

const fixture = useFixtureServer();
let description: ApiDescription;

beforeAll(async () => {
  description = await readApiDescription(fixture.server);
});

const accessOf = (name: string) => ROUTES.find((route) => routeName(route) === name)?.access;

const PUBLIC = ['GET /healthz', 'GET /openapi.json', 'GET /readyz'];
const NAMES = [...ROUTES.map(routeName), ...PUBLIC];
const hasBody = (method: string) => method === 'POST' || method === 'PATCH';

function operationOf(name: string): DescribedOperation {
  const found = description.operations.find((described) => described.name === name);
  if (!found) throw new Error(`"${name}" is not described`);
  return found;
}

/** All objects of a JSON value. */
function* objectsOf(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const part of Object.values(value)) yield* objectsOf(part);
}

describe('the document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(description.document)));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(description.document.openapi).toBe('3.1.0');
    expect(description.document.info).toMatchObject({ version: '1.0.0', license: { name: 'MIT' } });
    expect(description.document.servers[0].url).toBe('/v1');
  });

  // Headings once were riddles: "What became of its events", "Purchases less sales of insiders".
  it('names each operation by a verb and a noun', () => {
    const verbs =
      /^(Cancel|Change|Check|Create|Delete|Download|Get|List|Revoke|Rotate|Screen|Send) [a-z]/;
    const summaries = description.operations.map(({ operation }) => operation.summary);
    expect(summaries.filter((summary) => !verbs.test(summary))).toEqual([]);
  });

  it('refers to nothing that is not there, and holds nothing unused', () => {
    const used = new Set<string>();
    for (const { $ref } of objectsOf(description.document)) {
      if (typeof $ref !== 'string') continue;
      description.resolve({ $ref });
      used.add($ref);
    }
    const { securitySchemes: _, ...components } = description.document.components;
    const unused = Object.entries(components).flatMap(([kind, all]) =>
      Object.keys(all)
        .map((name) => `#/components/${kind}/${name}`)
        .filter((pointer) => !used.has(pointer)),
    );
    expect(unused).toEqual([]);
  });

  it('names the forms of a page, because generators of clients leave out those without', () => {
    const { schemas } = description.document.components as {
      schemas: Record<string, { anyOf?: object[] }>;
    };
    const pages = Object.entries(schemas).filter(([id]) => id.endsWith('Page'));
    expect(pages.length).toBeGreaterThan(8);
    for (const [id, { anyOf }] of pages) {
      const ref = (form: string) => ({ $ref: `#/components/schemas/${id}${form}` });
      expect(anyOf).toEqual([ref('More'), ref('Last')]);
    }
  });

  it('has every route and nothing else', () => {
    const names = description.operations.map(({ name }) => name);
    expect(names.sort()).toEqual([...NAMES].sort());
  });

  it('names each operation once, under a tag that is explained', () => {
    const ids = description.operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
    const tags = new Set(description.document.tags.map(({ name }) => name));
    for (const { operation } of description.operations) expect(tags).toContain(operation.tags[0]);
  });

  it('has every event of webhooks, with an example that fits', () => {
    const { webhooks } = description.document;
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPE_NAMES);
    for (const { post } of Object.values(webhooks)) {
      const { schema, examples = {} } = post.requestBody.content['application/json'];
      expect(description.faults(schema, examples.example1.value)).toBe('');
    }
  });

  it('describes events as the guide shows them', () => {
    const guide = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
    const shown = guide.split('\n').filter((line) => line.startsWith('{"type": "'));
    expect(shown.length).toBeGreaterThan(10);
    for (const line of shown) {
      const { type, data } = JSON.parse(line);
      const { post } = description.document.webhooks[type];
      const { schema } = post.requestBody.content['application/json'];
      const body = { id: 'evt_1', type, timestamp: '2026-06-30T10:00:00.000Z', data };
      expect([type, description.faults(schema, body)]).toEqual([type, '']);
    }
  });

  it('needs no key, and is 304 for its ETag', async () => {
    const first = await fixture.server.request('/v1/openapi.json');
    expect(first.headers.get('Content-Type')).toBe('application/json');
    const etag = first.headers.get('ETag') ?? '';
    const again = await fixture.server.request('/v1/openapi.json', {
      headers: { 'If-None-Match': etag },
    });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await fixture.server.request('/v1/openapi.json', {
      method: 'HEAD',
      headers: { 'Accept-Encoding': 'identity' },
    });
    expect(head.headers.get('Content-Length')).toBe(String(first.bytes.length));
  });
});

describe.each(NAMES)('%s', (name) => {
  const access = accessOf(name);

  it('states its scope and cost', () => {
    const { operation } = operationOf(name);
    const scopes = access ? [{ ApiKey: [access.scope] }, { Bearer: [access.scope] }] : [];
    expect(operation.security).toEqual(scopes);
    expect(operation['x-tokens']).toBe(access?.tokens);
    if (access) expect(operation['x-tokens-per']).toBe(access.perSymbol ? 'symbol' : 'answer');
  });

  it('explains every parameter, and every error by the envelope', () => {
    const { operation } = operationOf(name);
    const unexplained = description.parameters(operation).filter((one) => !one.description);
    expect(unexplained).toEqual([]);
    expect(operation.summary).not.toMatch(/\.$/);
    expect(operation.description).toMatch(/\.$/);
    for (const status of Object.keys(operation.responses).map(Number)) {
      if (status < 400) continue;
      const json = jsonOf(description.response(operation, status));
      const [example] = Object.values(json?.examples ?? {});
      errorSchema.loose().parse(example.value);
    }
  });

  it('gives examples that fit their schemas', () => {
    const { operation } = operationOf(name);
    for (const { name: parameter, schema, example } of description.parameters(operation)) {
      if (example !== undefined) {
        expect(`${parameter}: ${description.faults(schema, example)}`).toBe(`${parameter}: `);
      }
    }
    const media = Object.values(operation.responses)
      .map((response) => description.resolve(response))
      .flatMap((response) => jsonOf(response as never) ?? [])
      .concat(operation.requestBody?.content['application/json'] ?? []);
    for (const { schema, examples } of media as MediaType[]) {
      expect(Object.keys(examples ?? {}).length).toBeGreaterThan(0);
      for (const { value } of Object.values(examples ?? {})) {
        expect(description.faults(schema, value)).toBe('');
      }
    }
  });
});

/** Values that exist nowhere, but have a valid form and are therefore looked up. */
const NOWHERE = { symbol: 'NONE', keyId: 'key_none', accountId: 'none', id: 'none' };
/** The caller's own account is there. */
const SOMEWHERE = { ...NOWHERE, symbol: 'ABC', accountId: 'default' };

async function ask(
  { method, path, operation }: DescribedOperation,
  values: Record<string, string>,
  options: RequestInit & { query?: string } = {},
): Promise<Reply> {
  const { query = '', headers, ...rest } = options;
  const [type = 'application/json'] = Object.keys(operation.requestBody?.content ?? {});
  return fixture.server.request(targetOf(description, path, values) + query, {
    method,
    headers: { 'X-API-Key': await operatorKey(), 'Content-Type': type, ...headers },
    ...rest,
    body: hasBody(method) ? (rest.body ?? '{"nonsense":1}') : undefined,
  });
}

let operator: string | undefined;
async function operatorKey(): Promise<string> {
  operator ??= await fixture.server.newKey({ scopes: ['all', 'ingest:write', 'accounts:write'] });
  return operator;
}

/** The other parameter that bulk indicators need. */
function indicatorsOf({ name }: DescribedOperation): string {
  return name === 'GET /svc/technical' ? '&indicators=sma' : '';
}

/** Requests that must be answered with the status. Of 408, 500 and 503 other tests tell. */
const PROVOKED: Record<number, (operation: DescribedOperation) => Promise<Reply>> = {
  400: (operation) => ask(operation, SOMEWHERE, { query: '?nonsense=1' }),
  401: (operation) => ask(operation, SOMEWHERE, { headers: { 'X-API-Key': 'svc_test_none' } }),
  403: async (operation) => {
    const scopes = SCOPE_NAMES.filter((scope) => scope !== accessOf(operation.name)?.scope);
    const rawKey = await fixture.server.newKey({ scopes });
    return await ask(operation, SOMEWHERE, { headers: { 'X-API-Key': rawKey } });
  },
  404: async (operation) => {
    if (operation.name === 'GET /svc/study') {
      return ask(operation, SOMEWHERE, {
        query: '?where=close>1',
        headers: { Accept: 'image/png' },
      });
    }
    const needsSymbols = ['GET /svc/news', 'GET /svc/candles', 'GET /svc/technical'];
    const isOrigin = operation.name === 'GET /svc/candles/{symbol}/origin';
    const query = isOrigin ? '?at=2026-01-05' : '';
    const example =
      operation.operation.requestBody?.content['application/json']?.examples?.example1;
    return await ask(operation, NOWHERE, {
      query: needsSymbols.includes(operation.name)
        ? `?symbols=NONE${indicatorsOf(operation)}`
        : query,
      body: example && JSON.stringify(example.value),
    });
  },
  406: async (operation) => {
    if (operation.name === 'GET /svc/study') {
      return ask(operation, SOMEWHERE, {
        query: '?where=close>1',
        headers: { Accept: 'image/png' },
      });
    }
    const needsSymbols = ['GET /svc/quotes/batch', 'GET /svc/candles', 'GET /svc/technical'];
    const query = needsSymbols.includes(operation.name)
      ? `?symbols=ABC${indicatorsOf(operation)}`
      : '';
    return await ask(operation, SOMEWHERE, { query, headers: { Accept: 'image/png' } });
  },
  413: (operation) => ask(operation, SOMEWHERE, { body: ' '.repeat(70_000) }),
  414: (operation) => ask(operation, SOMEWHERE, { query: `?a=${'a'.repeat(17_000)}` }),
  415: (operation) => ask(operation, SOMEWHERE, { headers: { 'Content-Type': 'text/plain' } }),
  429: async (operation) => {
    const limit = { requests: 1, windowS: 86_400 };
    const rawKey = await fixture.server.newKey({
      scopes: ['all', 'ingest:write', 'accounts:write'],
      limit,
    });
    const headers = { 'X-API-Key': rawKey };
    const isFile = operation.name === 'GET /svc/files/{version}/{name}';
    const allowed = isFile ? limits.files.requestsFactor : 1;
    for (let i = 0; i < allowed; i++) await ask(operation, SOMEWHERE, { headers });
    return await ask(operation, SOMEWHERE, { headers });
  },
  431: ({ method, path }) => sendRaw(method, targetOf(description, path, SOMEWHERE)),
};

/** Headers that no client library would send. */
function sendRaw(method: string, target: string): Promise<Reply> {
  const { port } = new URL(fixture.server.address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head, body] = text.split('\r\n\r\n');
      const status = Number(head.split(' ')[1]);
      resolve({ status, headers: new Headers(), text: body, json: JSON.parse(body) } as Reply);
    });
    socket.write(
      `${method} ${target} HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
    );
  });
}

describe.each(ROUTES.map(routeName))('%s answers', (name) => {
  it('every error that is documented, and the headers with it', async () => {
    const described = operationOf(name);
    const { operation } = described;
    const statuses = Object.keys(operation.responses).map(Number);
    // The test of uploads sends a file that is too large.
    const isUpload = name === 'POST /svc/backfills/files';
    for (const status of statuses.filter((one) => PROVOKED[one] && !(isUpload && one === 413))) {
      const reply = await PROVOKED[status](described);
      expect([name, status, reply.status, reply.text]).toEqual([name, status, status, reply.text]);
      if (status === 403) expect(reply.text).toContain(accessOf(name)?.scope);
      expectDocumented(operation, reply);
    }
  });

  it('a key with its scope alone', async () => {
    const rawKey = await fixture.server.newKey({ scopes: [accessOf(name)!.scope] });
    const headers = { 'X-API-Key': rawKey };
    const { status } = await ask(operationOf(name), SOMEWHERE, { headers });
    expect([401, 403]).not.toContain(status);
    expect(status).toBeLessThan(500);
  });

  it('no 404, 406, 413 or 415 where none is documented', async () => {
    const described = operationOf(name);
    for (const status of [404, 406, 413, 415]) {
      if (described.operation.responses[status]) continue;
      const reply = await PROVOKED[status](described);
      expect(Object.keys(described.operation.responses)).toContain(String(reply.status));
    }
  });

  it('405 with Allow to methods that the path does not take', async () => {
    const { path } = operationOf(name);
    const reply = await fixture.server.request(targetOf(description, path, SOMEWHERE), {
      method: 'PUT',
      headers: { 'X-API-Key': await operatorKey() },
    });
    expect(reply.status).toBe(405);
    const taken = description.operations.filter((one) => one.path === path);
    const allowed = taken.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const allow = reply.headers.get('Allow')?.split(', ').sort();
    expect(allow).toEqual([...allowed, 'OPTIONS'].sort());
  });
});

function expectDocumented(operation: Operation, reply: Reply): void {
  const response = description.response(operation, reply.status);
  const schema = jsonOf(response)?.schema;
  expect(description.faults(schema, reply.json)).toBe('');
  // What was read off the socket has none.
  if ([...reply.headers].length === 0) return;
  const documented = Object.keys(response?.headers ?? {}).map((header) => header.toLowerCase());
  const missing = documented.filter((header) => !reply.headers.has(header));
  expect(missing).toEqual([]);
  const shown = [...reply.headers.keys()].filter((header) => /^x-svc|^retry|^www/.test(header));
  expect(shown.filter((header) => !documented.includes(header))).toEqual([]);
}
