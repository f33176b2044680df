/**
 * Requests that every operation rejects, each with the error envelope and a documented status.
 * `openapi.test.ts` provokes the documented statuses one by one.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES, routeName } from '../../src/api/routes/routes.ts';
import type { Reply } from '../api/support/test-server.ts';
import { useContractMarket } from './contract-market.ts';
import { type DocumentedOperation, operationsOfDocument } from './documented-operations.ts';
import { knownValues } from './known-values.ts';

const market = useContractMarket();
const operations = new Map<string, DocumentedOperation>();

beforeAll(async () => {
  const { json } = await market.server.request('/v1/openapi.json');
  for (const operation of operationsOfDocument(json)) operations.set(operation.name, operation);
});

async function pathOf(operation: DocumentedOperation): Promise<string> {
  const known = await knownValues(market, operation);
  return operation.path.replace(/\{(\w+)\}/g, (_text, name) => String(known[name][0]));
}

describe.each(ROUTES.map(routeName))('%s refuses', (name) => {
  let operation: DocumentedOperation;
  let path: string;

  beforeAll(async () => {
    operation = operations.get(name) as DocumentedOperation;
    path = await pathOf(operation);
  });

  function ask(init: RequestInit, query = ''): Promise<Reply> {
    const headers = { 'X-API-Key': market.operatorKey, ...init.headers };
    return market.server.request(path + query, { method: operation.method, ...init, headers });
  }

  function expectRefused(reply: Reply): void {
    expect(reply.status, reply.text.slice(0, 200)).toBe(400);
    const check = operation.answers[400]?.contents['application/json'];
    expect(check, '400 is documented').toBeDefined();
    expect(check?.(reply.json)).toBe('');
  }

  it('long texts, and echoes at most 200 characters of them', async () => {
    const long = 'z'.repeat(3000);
    const list = Array.from({ length: 600 }, (_, i) => `zz${i}`).join(',');
    const queries = operation.parameters
      .filter((one) => one.in === 'query')
      .map(({ name }) => name);
    const asked = [long, list].flatMap((text) => [
      ...[...queries, long].map((name) => `${path}?${name}=${text}`),
      `${path}?${long}=1&${long}=2`,
      `${path}?a=%ff${text}`,
      operation.path.replace(/\{(\w+)\}/g, text),
    ]);
    const headers = { 'X-API-Key': market.operatorKey };
    const method = operation.method;
    const replies = await Promise.all(
      asked.map((one) => market.server.request(one, { method, headers })),
    );
    replies.push(await ask({ headers: { Accept: long } }));
    if (operation.body) {
      const json = { 'Content-Type': 'application/json' };
      const fields = Object.keys((operation.body.properties ?? {}) as object);
      replies.push(await ask({ body: '{}', headers: { 'Content-Type': long } }));
      for (const name of [...fields, long]) {
        for (const value of [long, [long], { [long]: 1 }]) {
          replies.push(await ask({ body: JSON.stringify({ [name]: value }), headers: json }));
        }
      }
    }
    for (const { status, text } of replies) {
      if (status < 400) continue;
      const { error } = JSON.parse(text) as { error: { message: string } };
      expect(error.message.match(/z\d*/g)?.join('').length ?? 0, error.message).toBeLessThanOrEqual(
        200,
      );
    }
  });

  it('bodies without an end and of no shape', async () => {
    if (!operation.body) return;
    const json = { 'Content-Type': 'application/json' };
    for (const body of ['{', '[]', 'null', '1e999', '"\\ud800"', `${'['.repeat(30_000)}`]) {
      expectRefused(await ask({ body, headers: json }));
    }
  });
});
