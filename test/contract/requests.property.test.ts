/**
 * Hundreds of requests to each operation, made from its description: every answer is one that the
 * description has, whatever is asked.
 */

import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES, routeName } from '../../src/api/routes/routes.ts';
import type { Reply } from '../api/support/test-server.ts';
import { isLong } from '../faults/scale.ts';
import { createRequests, type GeneratedRequest } from './arbitrary-requests.ts';
import { createValues } from './arbitrary-values.ts';
import { useContractMarket } from './contract-market.ts';
import {
  type Document,
  type DocumentedOperation,
  operationsOfDocument,
} from './documented-operations.ts';
import { askSettled, knownValues } from './known-values.ts';

const SEED = 20_261_118;
const REQUESTS = isLong ? 500 : 30;
/** Fewer good answers would leave little tested. */
const GOOD_SHARE_MIN = 0.3;
/**
 * A condition, a factor and a saved screen exclude one another, and each has rows of its own. Rows
 * over days exclude sorts, filters and past days; digits exclude Arrow, and a past moment must be
 * one that is kept.
 */
const GOOD_SHARES_MIN: Readonly<Record<string, number>> = {
  'GET /svc/study': 0.02,
  'GET /svc/screener': 0.05,
  'GET /svc/technical': 0.1,
};

const market = useContractMarket();
let document: Document;
const operations = new Map<string, DocumentedOperation>();

beforeAll(async () => {
  document = (await market.server.request('/v1/openapi.json')).json;
  for (const operation of operationsOfDocument(document)) {
    operations.set(operation.name, operation);
  }
});

const NOT_FINITE = /(^|[,\r\n])-?(NaN|Infinity)(?=[,\r\n]|$)/;

/** Arrow and CSV: columns of numbers have no NaN and no Infinity. */
function expectFinite({ text, bytes }: Reply, type: string): void {
  if (type.startsWith('text/csv')) expect(text).not.toMatch(NOT_FINITE);
  if (!type.includes('arrow')) return;
  const table = tableFromIPC(bytes);
  for (const { name } of table.schema.fields) {
    const values = [...(table.getChild(name) ?? [])];
    const isWrong = (value: unknown) => typeof value === 'number' && !Number.isFinite(value);
    expect(values.find(isWrong), name).toBeUndefined();
  }
}

/** Headers that only some answers of a status have; every other documented one is always there. */
const SOMETIMES = [
  'Idempotent-Replayed',
  'Server-Timing',
  'X-SVC-Adjusted',
  'X-SVC-Adjustment',
  'X-SVC-As-Of',
  'X-SVC-Snapshot-Changed',
  'X-SVC-Not-Found',
  'X-SVC-Null',
  'X-SVC-Total-Count',
  'X-SVC-Next-Cursor',
];

function expectHeaders(operation: DocumentedOperation, { status, headers }: Reply): void {
  const documented = operation.answers[status].headers;
  for (const [name, check] of Object.entries(documented)) {
    const text = headers.get(name);
    if (text === null) expect(SOMETIMES, `${name} is there`).toContain(name);
    else expect(check(text) && check(Number(text)), `${name}: ${text}`).toBe('');
  }
  const own = [...headers.keys()].filter((name) => /^x-svc-|^retry-after$/.test(name));
  const known = Object.keys(documented).map((name) => name.toLowerCase());
  expect(known, 'headers that an answer has are documented').toEqual(expect.arrayContaining(own));
}

function expectDocumented(operation: DocumentedOperation, reply: Reply): void {
  const { status, headers, json, text } = reply;
  // 500 and 503 are documented too, for what no request can bring about here.
  expect(status, text.slice(0, 500)).toBeLessThan(500);
  const answer = operation.answers[status];
  expect(answer, `status ${status} is documented: ${text.slice(0, 200)}`).toBeDefined();
  expectHeaders(operation, reply);
  const type = headers.get('Content-Type') ?? '';
  // Of a stream only the head was read.
  if (text === '' && type !== 'text/event-stream') {
    expect(Object.keys(answer.contents), 'no body is documented').toEqual([]);
    return;
  }
  const documented = Object.keys(answer.contents).find((name) => type.startsWith(name));
  expect(documented, `${type} is documented for ${status}`).toBeDefined();
  const check = answer.contents[documented ?? ''];
  if (type === 'application/json') {
    expect(check?.(json), text.slice(0, 500)).toBe('');
  } else {
    expectFinite(reply, type);
  }
}

/** The first parameter whose text no reading of its schema takes. */
function misfit(operation: DocumentedOperation, { parameters }: GeneratedRequest) {
  return operation.parameters.find(({ name, check }) => {
    const text = parameters[name];
    if (text === undefined) return false;
    const list = text.split(',');
    const readings = [text, Number(text), text === 'true', list, list.map(Number)];
    return !readings.some((reading) => check(reading) === '');
  });
}

/** Operations that the sandbox refuses. */
const REFUSED_HERE = ['POST /svc/backfills', 'POST /svc/backfills/files'];

describe.each(ROUTES.map(routeName))('%s', (name) => {
  it('responds to any request as documented', async () => {
    const operation = operations.get(name);
    if (!operation) throw new Error('the description has every route');
    let good = 0;
    const values = createValues(document, await knownValues(market, operation));
    const check = async (request: GeneratedRequest) => {
      const { method, target, headers, body } = request;
      const key = { 'X-API-Key': market.operatorKey };
      const init = { method, headers: { ...key, ...headers }, body };
      const ask = (path: string) => market.server.request(path, init);
      const reply = await askSettled(market, target, ask);
      expectDocumented(operation, reply);
      if (reply.status >= 300) return;
      good++;
      expect(misfit(operation, request), 'is refused').toBeUndefined();
    };
    const property = fc.asyncProperty(createRequests(operation, values), check);
    await fc.assert(property, { seed: SEED, numRuns: REQUESTS });
    if (REFUSED_HERE.includes(name)) return expect(good).toBe(0);
    expect(good / REQUESTS, 'share of good answers').toBeGreaterThan(
      GOOD_SHARES_MIN[name] ?? GOOD_SHARE_MIN,
    );
  });
});

describe('the description', () => {
  it('has every route and no other', () => {
    expect([...operations.keys()].sort()).toEqual(ROUTES.map(routeName).sort());
  });
});
