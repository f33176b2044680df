/** The TypeScript client: in step with the description, against the real server, in a browser. */

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApiError, Tapeworks } from 'tapeworks/client';
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import { generatedTexts } from '../../clients/typescript/operations-text.ts';
import type { OpenApiDocument } from '../../src/api/docs/openapi/document-types.ts';
import type { Technical } from '../api/support/technical-fixture.ts';
import { launchBrowser } from '../support/browser.ts';
import { chromium } from '../support/tools.ts';
import { FUND, STOCK, useContractMarket } from './contract-market.ts';

const source = fileURLToPath(new URL('../../clients/typescript/', import.meta.url));
const market = useContractMarket({ corsOrigins: ['*'] });

function client(): Tapeworks {
  return new Tapeworks({ url: `${market.server.address}/`, apiKey: market.server.rawKey });
}

async function errorOf(answer: Promise<unknown>): Promise<unknown> {
  return answer.then(
    () => undefined,
    (error) => error,
  );
}

describe('the generated files', () => {
  it('follow from the description', async () => {
    const { json } = await market.server.request('/v1/openapi.json');
    for (const [name, text] of Object.entries(generatedTexts(json as OpenApiDocument))) {
      const message = `${name} is stale: node clients/typescript/generate.ts`;
      expect(readFileSync(join(source, name), 'utf8') === text, message).toBe(true);
    }
  });
});

describe('requests', () => {
  it('give typed JSON, CSV as a text and Arrow as bytes', async () => {
    const server = client();
    const asked = { symbol: STOCK, indicators: ['sma:5', 'macd'], limit: 3 } as const;
    const json = await server.getTechnical(asked);
    expectTypeOf(json.candles).toEqualTypeOf<Technical['candles']>();
    expectTypeOf(json.indicators['sma:5'][0].value).toEqualTypeOf<number>();
    expect(json.candles).toHaveLength(3);
    expect(Object.keys(json.indicators)).toEqual(['sma:5', 'macd']);
    const csv = await server.getTechnical({ ...asked, format: 'csv' });
    expectTypeOf(csv).toEqualTypeOf<string>();
    expect(csv).toMatch(/^timestamp,date,open/);
    const arrow = await server.getCandles({ symbols: [STOCK, FUND], from: '2026-11-01' });
    expectTypeOf(arrow).toEqualTypeOf<Uint8Array>();
    expect(arrow.length).toBeGreaterThan(1000);
  });

  it('notice a bulk response that a proxy has cut and ended well', async () => {
    for (const format of ['csv', 'arrow', 'parquet'] as const) {
      const cutting: typeof fetch = async (...args) => {
        const whole = await fetch(...args);
        const bytes = await whole.bytes();
        // A whole row is missing, so that what is left is well-formed.
        const left = format === 'csv' ? bytes.lastIndexOf(10, -2) + 1 : bytes.length - 8;
        return new Response(bytes.subarray(0, left), { headers: whole.headers });
      };
      const options = { url: market.server.address, apiKey: market.server.rawKey };
      const request = { symbols: [STOCK], limit: 10, format };
      const server = new Tapeworks({ ...options, fetch: cutting });
      const cut = await errorOf(server.getCandles(request));
      expect(String(cut)).toContain('ended before its data did');
      expect((await client().getCandles(request)).length).toBeGreaterThan(100);
    }
  });

  it('take columns of a screen as a list, and place an error in an expression', async () => {
    const server = client();
    const columns = ['sma(5)', 'volume / avg(volume, 20)'];
    const { data } = await server.getScreener({ columns, limit: 1 });
    expect(Object.keys(data[0].columns ?? {})).toEqual(columns);
    const text = await server.getScreener({ columns: columns.join(', '), limit: 1 });
    expect(text.data).toEqual(data);
    const wrong = await errorOf(server.getScreener({ where: 'clsoe > 5' }));
    expect(wrong).toBeInstanceOf(ApiError);
    const { expression } = wrong as ApiError;
    expectTypeOf(expression?.position).toEqualTypeOf<number | undefined>();
    expect(expression).toMatchObject({ field: 'where', position: 1, nearest: 'close' });
    const none = await errorOf(server.getQuote({ symbol: 'NONE' }));
    expect((none as ApiError).expression).toBeUndefined();
  });

  it('accept values for paths, headers and bodies', async () => {
    const server = client();
    const body = { label: 'made by the client', scopes: ['news:read' as const] };
    const request = { body, 'Idempotency-Key': 'client-1' };
    const made = await server.createKey(request);
    expect(await server.createKey(request)).toEqual(made);
    expect(await server.revokeKey({ keyId: made.id })).toBeUndefined();
    const odd = await errorOf(server.getQuote({ symbol: 'A/B?c' }));
    expect(odd).toMatchObject({ status: 400 });
  });

  it('of JavaScript are refused without a value for the path, and leave out null', async () => {
    const server = client();
    for (const values of [{}, { symbol: undefined }, { symbol: null }]) {
      const wrong = await errorOf(server.getTechnical(values as never));
      expect(wrong).toEqual(new TypeError('symbol is missing'));
    }
    const limit = null as unknown as undefined;
    const { candles } = await server.getTechnical({ symbol: STOCK, limit });
    expect(candles.length).toBeGreaterThan(1);
  });

  it('take a key with a newline and an address with /v1, and no error holds a key', async () => {
    const { address: url, rawKey } = market.server;
    const server = new Tapeworks({ url: `${url}/v1/`, apiKey: `${rawKey}\n` });
    expect((await server.getQuote({ symbol: STOCK })).symbol).toBe(STOCK);
    expect(() => new Tapeworks({ url, apiKey: 'svc_live_\nx' })).toThrow(
      'apiKey must be one line of ASCII characters',
    );
  });

  it('tell of headers', async () => {
    let basis: string | null = null;
    const onResponse = ({ headers }: Response) => {
      basis = headers.get('X-SVC-Adjustment');
    };
    await client().getTechnical({ symbol: STOCK, limit: 1 }, { onResponse });
    expect(basis).toBe('split');
  });
});

describe('pages', () => {
  it('are walked to the last one', async () => {
    const server = client();
    const { total } = await server.listNews();
    const ids: string[] = [];
    for await (const page of server.pages.listNews({ limit: 70 })) {
      ids.push(...page.data.map(({ id }) => id));
    }
    expect(new Set(ids).size).toBe(total);
    expect(ids.length).toBe(total);
  });

  it('of the screener have rows of days if the request has days', async () => {
    const server = client();
    const request = { where: 'close > 0', from: '2026-01-01', limit: 2 } as const;
    const { data } = await server.getScreener(request);
    expectTypeOf(data[0].date).toEqualTypeOf<string>();
    expect(data).toHaveLength(2);
    for await (const row of server.rows.getScreener(request)) {
      expectTypeOf(row).not.toHaveProperty('price');
      expect(row).toEqual(data[0]);
      break;
    }
  });

  it('give their rows one by one', async () => {
    const server = client();
    const symbols: string[] = [];
    for await (const row of server.rows.getScreener({ exchange: ['NYSE', 'NASDAQ'], limit: 3 })) {
      expectTypeOf(row.price).toEqualTypeOf<number>();
      symbols.push(row.symbol);
    }
    const { data, total } = await server.getScreener({ exchange: ['NYSE', 'NASDAQ'], limit: 200 });
    expect(symbols).toEqual(data.map(({ symbol }) => symbol));
    expect([symbols.length, total > 3]).toEqual([total, true]);
  });

  it('end early when the caller stops', async () => {
    for await (const page of client().pages.listSymbols({ limit: 2 })) {
      expect(page.data).toHaveLength(2);
      break;
    }
  });
});

describe('failures', () => {
  let stub: Server | undefined;
  afterEach(() => stub?.close());

  /** A server that answers with these statuses and `Retry-After`, then with 200. */
  async function stubbed(refusals: [status: number, retryAfter?: string][]): Promise<Tapeworks> {
    const left = [...refusals];
    stub = createServer((_request, response) => {
      const [status, retryAfter] = left.shift() ?? [200];
      response.statusCode = status;
      if (retryAfter) response.setHeader('Retry-After', retryAfter);
      response.setHeader('Content-Type', 'application/json');
      response.end(status === 200 ? '{"status":"ready"}' : '<html>no envelope</html>');
    });
    await new Promise<void>((resolve) => stub?.listen(0, '127.0.0.1', resolve));
    const { port } = stub.address() as AddressInfo;
    return new Tapeworks({ url: `http://127.0.0.1:${port}`, apiKey: 'k', waitMaxS: 60 });
  }

  it('are errors with the type, the request and the page about it', async () => {
    const error = await errorOf(client().getQuote({ symbol: 'NONE' }));
    expect(error).toBeInstanceOf(ApiError);
    const { status, type, requestId, docsUrl, message } = error as ApiError;
    expect([status, type]).toEqual([404, 'not_found_error']);
    expect(market.server.log.find(({ request_id }) => request_id === requestId)).toBeDefined();
    expect(docsUrl).toBe(`${market.server.address}/docs/errors/not_found_error`);
    expect(message).toContain('"NONE"');
  });

  it('that are temporary are retried after the stated delay', async () => {
    const server = await stubbed([
      [429, '0'],
      [503, '0'],
    ]);
    expect(await server.getReadiness()).toEqual({ status: 'ready' });
  });

  it('that last longer than anyone waits are thrown at once, without an envelope too', async () => {
    const server = await stubbed([[429, '3600']]);
    const error = await errorOf(server.getReadiness());
    expect(error).toMatchObject({ status: 429, type: 'api_error', retryAfterS: 3600 });
  });

  it('that are permanent are not retried', async () => {
    const server = await stubbed([[500]]);
    expect(await errorOf(server.getReadiness())).toMatchObject({ status: 500 });
  });

  it('come at once from a signal, also while it waits', async () => {
    const server = await stubbed([[429, '50']]);
    const controller = new AbortController();
    const answer = errorOf(server.getReadiness({}, { signal: controller.signal }));
    await new Promise((resolve) =>
      stub?.once('request', (_r, response) => response.on('finish', resolve)),
    );
    controller.abort(new Error('enough'));
    expect(await answer).toEqual(new Error('enough'));
    const before = AbortSignal.abort(new Error('never'));
    expect(await errorOf(server.getReadiness({}, { signal: before }))).toEqual(new Error('never'));
  });
});

describe.skipIf(!chromium)('in a browser', () => {
  it('walks pages and gets errors, without a build', async () => {
    const files = createServer((request, response) => {
      const isScript = request.url?.endsWith('.js');
      response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? readFileSync(join(source, String(request.url))) : '<!doctype html>');
    });
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
    const { port } = files.address() as AddressInfo;
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${port}/`);
      const script = `import('/client.js').then(async ({ Tapeworks }) => {
        const server = new Tapeworks(${JSON.stringify({
          url: market.server.address,
          apiKey: market.server.rawKey,
        })});
        const symbols = [];
        for await (const page of server.pages.listSymbols({ limit: 5 })) {
          symbols.push(...page.data.map((row) => row.symbol));
        }
        const error = await server.getQuote({ symbol: 'NONE' }).catch((caught) => caught);
        return [symbols.length, error.type, error.requestId];
      })`;
      const [count, type, requestId] = (await page.evaluate(script)) as [number, string, string];
      expect([count, type]).toEqual([(await client().listSymbols()).total, 'not_found_error']);
      expect(requestId).toMatch(/^req_/);
    } finally {
      await browser.close();
      files.close();
    }
  });
});
