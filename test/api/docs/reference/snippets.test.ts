/** Snippets of the reference page are run as they stand, against the sandbox. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampleRequest } from '../../../../src/api/docs/reference/sample-request.ts';
import {
  SNIPPET_LANGUAGES,
  type SnippetLanguage,
  snippet,
} from '../../../../src/api/docs/reference/snippets.ts';
import { ROUTES, routeName } from '../../../../src/api/routes/routes.ts';
import { useContractMarket } from '../../../contract/contract-market.ts';
import { python } from '../../../support/tools.ts';
import { type ApiDescription, jsonOf, readApiDescription } from '../../support/api-description.ts';

const market = useContractMarket();

let description: ApiDescription;
/** Names of things that exist, by those of the examples. */
const existing = new Map<string, string>();

beforeAll(async () => {
  description = await readApiDescription(market.server);
  market.server.accounts.createAccount({ id: 'acme', label: 'Acme Research', plan: {} });
  await createWebhook();
});

async function createWebhook(): Promise<void> {
  const example = description.operations.find(({ name }) => name === 'GET /svc/webhooks/{id}');
  const [id] = description.parameters(example!.operation);
  const reply = await market.server.request('/v1/svc/webhooks', {
    method: 'POST',
    headers: { 'X-API-Key': market.operatorKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/hook', events: ['news.published'] }),
  });
  existing.set(String(id.example), (reply.json as { id: string }).id);
}

interface Outcome {
  text?: string;
  failure?: string;
}

/** Each runs codes by name and tells what each prints: a process of each one's own takes longer. */
const JAVASCRIPT_RUNNER = `
import { format } from 'node:util';
const outcomes = {};
for (const [name, code] of Object.entries(JSON.parse(process.argv[1]))) {
  const lines = [];
  console.log = (...values) => lines.push(format(...values));
  try {
    await import('data:text/javascript,' + encodeURIComponent(code));
    outcomes[name] = { text: lines.join('\\n') };
  } catch (error) {
    outcomes[name] = { failure: String(error) };
  }
}
process.stdout.write(JSON.stringify(outcomes));`;

const PYTHON_RUNNER = `
import contextlib, io, json, sys, traceback
outcomes = {}
for name, code in json.loads(sys.argv[1]).items():
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(code, name, 'exec'), {'__name__': '__main__'})
        outcomes[name] = {'text': printed.getvalue()}
    except BaseException:
        outcomes[name] = {'failure': traceback.format_exc()}
print(json.dumps(outcomes))`;

const RUNNERS: Partial<Record<SnippetLanguage, readonly [command: string, ...options: string[]]>> =
  {
    javascript: [process.execPath, '--input-type=module', '-e', JAVASCRIPT_RUNNER],
    python: [python ?? 'python3', '-c', PYTHON_RUNNER],
  };

function codeOf(language: SnippetLanguage, name: string): string {
  const { method, path, operation } = description.operations.find((one) => one.name === name)!;
  const request = sampleRequest(description.document, method, path, operation);
  let code = snippet(language, market.server.address, request);
  for (const [example, real] of existing) code = code.replaceAll(example, real);
  return code;
}

async function printed(command: string, ...options: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, API_KEY: market.operatorKey };
  return (await promisify(execFile)(command, options, { env, maxBuffer: 2 ** 26 })).stdout;
}

const outcomes = new Map<SnippetLanguage, Promise<Record<string, Outcome>>>();

async function run(language: SnippetLanguage, name: string): Promise<string> {
  const runner = RUNNERS[language];
  if (!runner) return printed('/bin/sh', '-c', codeOf(language, name));
  if (!outcomes.has(language)) {
    const codes = NAMES.map((one) => [one, codeOf(language, one)]);
    const all = printed(...runner, JSON.stringify(Object.fromEntries(codes)));
    outcomes.set(language, all.then(JSON.parse));
  }
  const { text, failure } = (await outcomes.get(language)!)[name];
  expect(failure).toBeUndefined();
  return text!;
}

const READS = ROUTES.map(routeName).filter((route) => route.startsWith('GET '));
const PUBLIC = ['GET /healthz', 'GET /readyz', 'GET /openapi.json'];
/** A body with and without null, and none. */
const WRITES = [
  'POST /svc/developer/keys',
  'PATCH /svc/accounts/{accountId}',
  'POST /svc/webhooks/{id}/test',
];

const NAMES = [...READS, ...PUBLIC, ...WRITES];

describe.each(NAMES)('%s', (name) => {
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
  it('responds to its example with the documented headers and columns', async () => {
    const { method, path, operation } = description.operations.find((one) => one.name === name)!;
    const { query, path: target } = sampleRequest(description.document, method, path, operation);
    const response = description.response(operation, 200);
    const csv = response?.content?.['text/csv'];
    for (const format of csv ? ['', 'csv'] : ['']) {
      const asked = new URLSearchParams([...query].map(([key, value]) => [key, value]));
      if (format) asked.set('format', format);
      const [example] = existing.keys();
      const real = target.replace(example, existing.get(example)!);
      const reply = await market.server.request(`${real}?${asked}`, {
        headers: { 'X-API-Key': market.operatorKey },
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
