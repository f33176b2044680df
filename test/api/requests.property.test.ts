import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  errorSchema,
  quoteBatchSchema,
  quoteSchema,
  technicalSchema,
} from '../../src/api/answer-schemas.ts';
import { BASES } from '../../src/bars.ts';
import { modePaths } from '../../src/data-dir.ts';
import { INTERVALS } from '../../src/intervals.ts';
import { publishIntradayMarket } from './intraday-market.ts';
import { NOW_MS } from './market-fixture.ts';
import { type Reply, startTestServer, type TestServer } from './test-server.ts';

const SEED = 20_260_105;
const STATUSES = [200, 400, 404, 406, 414];

let dataDir: string;
let server: TestServer;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  await publishIntradayMarket(modePaths(dataDir, 'sandbox').serving);
  server = await startTestServer(dataDir, NOW_MS);
});

afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true });
});

const anyText = fc.string({ unit: 'binary', maxLength: 12 });
/** A good value most of the time. */
const mostly = (...good: fc.Arbitrary<string>[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.oneof(...good) }, { weight: 1, arbitrary: anyText });
const integer = fc.integer({ min: -2, max: 1200 }).map(String);
const moment = fc
  .date({ min: new Date('1900-01-01Z'), max: new Date('2100-01-01Z'), noInvalidDate: true })
  .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().slice(0, 10)));
const symbol = mostly(fc.constantFrom('ABC', 'brk-b', 'BRK.B', 'RAW', 'new', 'MIN', 'WAIT', 'ZZZ'));
const indicator = mostly(
  fc.constantFrom('sma', 'ema', 'rsi', 'macd', 'bollinger'),
  fc.tuple(fc.constantFrom('sma', 'ema', 'rsi'), integer).map((pair) => pair.join(':')),
  fc.tuple(fc.constant('bollinger'), integer, fc.constantFrom('2', '0.5')).map((t) => t.join(':')),
  fc.tuple(fc.constant('macd'), integer, integer, integer).map((parts) => parts.join(':')),
);
const listOf = (item: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(item, { minLength: 1, maxLength }).map((items) => items.join(','));
const format = mostly(fc.constantFrom('json', 'csv', 'arrow'));
const accept = mostly(
  fc.constantFrom('*/*', 'text/csv', 'application/vnd.apache.arrow.stream', 'image/png'),
).filter((text) => /^[\x20-\x7e]*$/.test(text));

function queryOf(parameters: Record<string, string | undefined>): string {
  return Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value ?? '')}`)
    .join('&');
}

function optional(shape: Record<string, fc.Arbitrary<string>>) {
  return fc.record(shape, { requiredKeys: [] }).map(queryOf);
}

/** No failure of the server, no status beyond the documented ones, every body of its schema. */
function expectDocumented(reply: Reply, schema: z.ZodType): void {
  expect(STATUSES).toContain(reply.status);
  const type = reply.headers.get('Content-Type');
  if (reply.status !== 200) errorSchema.parse(reply.json);
  else if (type === 'application/json') schema.parse(reply.json);
  else if (type === 'text/csv; charset=utf-8') expect(reply.text).not.toMatch(/NaN|Infinity/);
  else expect(tableFromIPC(reply.bytes).numCols).toBeGreaterThan(5);
}

async function check(requests: fc.Arbitrary<[string, string]>, schema: z.ZodType): Promise<void> {
  const property = fc.asyncProperty(requests, async ([path, acceptText]) => {
    expectDocumented(await server.get(`/v1/svc/${path}`, { Accept: acceptText }), schema);
  });
  await fc.assert(property, { seed: SEED, numRuns: 500 });
}

const pathOf = (folder: string) => (text: string) => `${folder}/${encodeURIComponent(text)}`;
const nonEmpty = symbol.filter((text) => !['', '.', '..'].includes(text));

it('technical answers any request as documented', async () => {
  const query = optional({
    indicators: listOf(indicator, 4),
    interval: mostly(fc.constantFrom(...INTERVALS)),
    period: mostly(integer),
    from: mostly(moment),
    to: mostly(moment),
    limit: mostly(integer, fc.constant('all')),
    adjustment: mostly(fc.constantFrom(...BASES)),
    format,
  });
  const path = fc.tuple(nonEmpty.map(pathOf('technical')), query).map((parts) => parts.join('?'));
  await check(fc.tuple(path, accept), technicalSchema);
});

it('quotes answer any request as documented', async () => {
  const path = fc
    .tuple(nonEmpty.map(pathOf('quotes')), optional({ format }))
    .map((parts) => parts.join('?'));
  await check(fc.tuple(path, accept), quoteSchema);
});

it('batches of quotes answer any request as documented', async () => {
  const query = optional({ symbols: listOf(symbol, 6), format, other: anyText });
  await check(
    fc.tuple(
      query.map((text) => `quotes/batch?${text}`),
      accept,
    ),
    quoteBatchSchema,
  );
});

it('bulk candles answer any request as documented', async () => {
  const query = optional({
    symbols: mostly(fc.constant('*'), listOf(symbol, 4)),
    interval: mostly(fc.constantFrom(...INTERVALS)),
    from: mostly(moment),
    to: mostly(moment),
    adjustment: mostly(fc.constantFrom(...BASES)),
    format: mostly(fc.constantFrom('csv', 'arrow')),
  });
  await check(
    fc.tuple(
      query.map((text) => `candles?${text}`),
      accept,
    ),
    errorSchema,
  );
});
