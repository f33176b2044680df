/**
 * The golden corpus: what each operation answered when its contract was last agreed to. A field
 * that changes, moves or goes fails here, and so does one that comes. To accept it on purpose:
 * `npx vitest run test/contract/golden.test.ts --update`, and look at the difference.
 */

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES, routeName } from '../../src/api/routes/routes.ts';
import { backfillsLockPath } from '../../src/base/config/data-dir.ts';
import { lockFile } from '../../src/base/file-lock.ts';
import type { Reply } from '../api/support/test-server.ts';
import { useContractMarket } from './contract-market.ts';
import {
  type AskGolden,
  askAboutAccounts,
  askAboutBackfills,
  askAboutKeys,
  askAboutScreens,
  askAboutUsage,
  askAboutWebhooks,
} from './golden-accounts.ts';
import { type GoldenEntry, goldenEntry } from './golden-entry.ts';
import { GOLDEN_READS, GOLDEN_REFUSALS } from './golden-requests.ts';
import { jsonText } from './json-text.ts';

const ACCEPT =
  'an answer is not what the golden corpus says; if that is meant: ' +
  'npx vitest run test/contract/golden.test.ts --update';

const folder = fileURLToPath(new URL('golden', import.meta.url));
const market = useContractMarket();

async function request(method: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const plain = { 'Accept-Encoding': 'identity' };
  const headers = { ...plain, 'X-API-Key': market.operatorKey, ...init.headers };
  return market.server.request(`/v1${path}`, { ...init, method, headers });
}

async function reads(
  paths: readonly string[],
  check?: (path: string, reply: Reply) => Promise<void>,
): Promise<GoldenEntry[]> {
  const entries: GoldenEntry[] = [];
  for (const path of paths) {
    const reply = await request('GET', path);
    entries.push(await goldenEntry(`GET ${path}`, reply));
    await check?.(path, reply);
  }
  return entries;
}

/** `GET /svc/quotes/{symbol}` → `get-quotes-symbol.json`. */
function fileOf(operation: string): string {
  return `${operation.replace('/svc', '').match(/\w+/g)?.join('-').toLowerCase()}.json`;
}

async function expectGolden(operation: string, entries: GoldenEntry[]): Promise<void> {
  await expect(jsonText(entries), ACCEPT).toMatchFileSnapshot(`golden/${fileOf(operation)}`);
}

/** Expects `HEAD` to give the response of `GET`, without its body. */
async function expectHead(path: string, get: Reply): Promise<void> {
  const head = await request('HEAD', path);
  expect([path, head.status, head.text]).toEqual([path, get.status, '']);
  for (const name of ['Content-Type', 'Content-Length', 'ETag', 'Cache-Control', 'Vary']) {
    // A streamed body has a length once it is made, which HEAD does not do (RFC 9110, 8.6).
    if (name === 'Content-Length' && head.headers.has('X-SVC-Rows')) continue;
    // Cursors and request ids have the same length in every answer.
    expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
  }
}

describe('operations that read', () => {
  it.each(Object.entries(GOLDEN_READS))('%s', async (operation, paths) => {
    await expectGolden(operation, await reads(paths, expectHead));
  });
});

describe('operations that change something', () => {
  const answered = new Map<string, GoldenEntry[]>();

  beforeAll(async () => {
    const ask: AskGolden = async (operation, { path, body, headers } = {}) => {
      const [method, template] = operation.split(' ');
      const target = path ?? template;
      const text = body === undefined ? undefined : JSON.stringify(body);
      const type = { 'Content-Type': 'application/json' };
      const reply = await request(method, target, {
        headers: text === undefined ? headers : { ...type, ...headers },
        body: text,
      });
      const entry = await goldenEntry([method, target, text].filter(Boolean).join(' '), reply);
      answered.set(operation, [...(answered.get(operation) ?? []), entry]);
      return reply.json;
    };
    // Use of a key is written later than its response: lists of keys show it from here on.
    await request('GET', '/svc/symbols?limit=1');
    market.server.writeCounts();
    await askAboutKeys(ask);
    await askAboutAccounts(ask);
    await askAboutWebhooks(ask);
    await askAboutScreens(ask);
    const scopes = ['all', 'ingest:write'];
    const liveKey = await market.server.newKey({ mode: 'live', label: 'golden', scopes });
    // Stands in for the process that runs backfills.
    const lock = lockFile(backfillsLockPath(market.dataDir));
    await askAboutBackfills(ask, liveKey);
    lock?.close();
    market.server.writeCounts();
    await askAboutUsage(ask);
  });

  const changing = ROUTES.map(routeName).filter((operation) => !(operation in GOLDEN_READS));

  it.each(changing)('%s', async (operation) => {
    const entries = answered.get(operation);
    expect(entries, 'the corpus asks every operation').toBeDefined();
    await expectGolden(operation, entries ?? []);
  });
});

describe('refusals', () => {
  it('of requests without an operation', async () => {
    const entries = await reads(GOLDEN_REFUSALS);
    const post = await request('POST', '/svc/quotes/QXIR');
    const keyless = await market.server.request('/v1/svc/quotes/QXIR');
    entries.push(await goldenEntry('POST /svc/quotes/QXIR', post));
    entries.push(await goldenEntry('GET /svc/quotes/QXIR without a key', keyless));
    await expectGolden('refusals', entries);
  });
});

describe('the corpus', () => {
  it('has no file of an operation that is gone', () => {
    const files = new Set([...ROUTES.map(routeName), 'refusals'].map(fileOf));
    expect(readdirSync(folder).filter((file) => !files.has(file))).toEqual([]);
  });
});
