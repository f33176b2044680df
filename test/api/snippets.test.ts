/** Snippets of the reference page are run as they stand, against the sandbox. */

import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillSandbox } from '../../jobs/sandbox.ts';
import { sampleRequest } from '../../src/api/reference/sample-request.ts';
import {
  SNIPPET_LANGUAGES,
  type SnippetLanguage,
  snippet,
} from '../../src/api/reference/snippets.ts';
import { ROUTE_ACCESS } from '../../src/api/route-access.ts';
import { settingsFromEnv } from '../../src/config.ts';
import { modePaths } from '../../src/data-dir.ts';
import { dayFromDate } from '../../src/dates.ts';
import { python } from '../tools.ts';
import { type ApiDescription, jsonOf, readApiDescription } from './api-description.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const NOW_MS = Date.parse('2026-11-18T12:00:00Z');

let dataDir: string;
let server: TestServer;
let description: ApiDescription;
let operator: string;
/** Names of things that exist, by those of the examples. */
const existing = new Map<string, string>();

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'tapeworks-'));
  const universe = { stocks: 40, fromDay: dayFromDate('2025-06-02') };
  const deps = { verb: 'test', nowMs: NOW_MS, settings: settingsFromEnv({}) };
  await fillSandbox(modePaths(dataDir, 'sandbox'), universe, deps);
  server = await startTestServer(dataDir, NOW_MS);
  description = await readApiDescription(server);
  operator = server.newKey({ scopes: ['all', 'accounts:write'] });
  server.accounts.createAccount({ id: 'acme', label: 'Acme Research', plan: {} });
  await createWebhook();
});

afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true });
});

async function createWebhook(): Promise<void> {
  const example = description.operations.find(({ name }) => name === 'GET /svc/webhooks/{id}');
  const [id] = description.parameters(example!.operation);
  const reply = await server.request('/v1/svc/webhooks', {
    method: 'POST',
    headers: { 'X-API-Key': operator, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/hook', events: ['news.published'] }),
  });
  existing.set(String(id.example), (reply.json as { id: string }).id);
}

const COMMANDS: Record<SnippetLanguage, readonly [command: string, ...options: string[]]> = {
  curl: ['/bin/sh', '-c'],
  javascript: [process.execPath, '--input-type=module', '-e'],
  python: [python ?? 'python3', '-c'],
};

async function run(language: SnippetLanguage, name: string): Promise<string> {
  const { method, path, operation } = description.operations.find((one) => one.name === name)!;
  const request = sampleRequest(description.document, method, path, operation);
  let code = snippet(language, server.address, request);
  for (const [example, real] of existing) code = code.replaceAll(example, real);
  const [command, ...options] = COMMANDS[language];
  const env = { PATH: process.env.PATH, API_KEY: operator };
  const { stdout } = await promisify(execFile)(command, [...options, code], { env });
  return stdout;
}

const READS = Object.keys(ROUTE_ACCESS).filter((route) => route.startsWith('GET '));
const PUBLIC = ['GET /healthz', 'GET /readyz', 'GET /openapi.json'];
/** A body with and without null, and none. */
const WRITES = [
  'POST /svc/developer/keys',
  'PATCH /svc/accounts/{accountId}',
  'POST /svc/webhooks/{id}/test',
];

describe.each([...READS, ...PUBLIC, ...WRITES])('%s', (name) => {
  it.each(SNIPPET_LANGUAGES)(
    'answers its snippet in %s',
    { timeout: 120_000 },
    async (language) => {
      const text = await run(language, name);
      expect(text.length).toBeGreaterThan(2);
      if (language !== 'curl') return;
      const { operation } = description.operations.find((one) => one.name === name)!;
      const success = Object.keys(operation.responses).find((status) => status.startsWith('2'));
      const json = jsonOf(description.response(operation, Number(success)));
      if (json) expect(description.faults(json.schema, JSON.parse(text))).toBe('');
      else expect(text).toMatch(/^symbol,timestamp,/);
    },
  );
});

/** Examples that come with a query of their own are asked as they stand. */
describe.each(READS)('%s', (name) => {
  it('answers its example with the headers and columns that are documented', async () => {
    const { method, path, operation } = description.operations.find((one) => one.name === name)!;
    const { query, path: target } = sampleRequest(description.document, method, path, operation);
    const response = description.response(operation, 200);
    const csv = response?.content?.['text/csv'];
    for (const format of csv ? ['', 'csv'] : ['']) {
      const asked = new URLSearchParams([...query].map(([key, value]) => [key, value]));
      if (format) asked.set('format', format);
      const [example] = existing.keys();
      const real = target.replace(example, existing.get(example)!);
      const reply = await server.request(`${real}?${asked}`, {
        headers: { 'X-API-Key': operator },
      });
      expect(reply.status).toBe(200);
      const documented = Object.keys(response?.headers ?? {}).map((one) => one.toLowerCase());
      const own = [...reply.headers.keys()].filter((one) => /^x-svc|^etag$|^cache/.test(one));
      expect(own.filter((one) => !documented.includes(one))).toEqual([]);
      expect(documented.includes('etag')).toBe(reply.headers.has('ETag'));
      expect(reply.headers.has('Cache-Control')).toBe(true);
      if (!format) continue;
      const [columns] = String(csv?.examples?.example1.value).split('\r\n');
      expect(reply.text.split('\r\n')[0]).toBe(columns);
    }
  });
});
