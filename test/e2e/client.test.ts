/**
 * The program as users start it, asked through the TypeScript client: every operation of the
 * description, from an empty folder to a delivered event.
 */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tableFromIPC } from 'apache-arrow';
import { Webhook } from 'standardwebhooks';
import { ApiError, Tapeworks } from 'tapeworks/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../clients/typescript/operations.js';
import { putSandbox } from '../cli/support/full-sandbox.ts';
import { useCliFolder } from '../cli/support/run-cli.ts';

const folder = useCliFolder({ TAPEWORKS_WEBHOOK_PRIVATE: 'on' });
const asked = new Set<string>();
let address: string;
let server: Tapeworks;
let operator: Tapeworks;
let symbol: string;

/** A client that remembers which operations were asked. */
function clientOf(apiKey: string): Tapeworks {
  const client = new Tapeworks({ url: address, apiKey });
  return new Proxy(client, {
    get(target, name, receiver) {
      asked.add(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
}

async function refusal(answer: Promise<unknown>): Promise<[number, string]> {
  const error = await answer.then(
    () => undefined,
    (caught) => caught,
  );
  expect(error).toBeInstanceOf(ApiError);
  return [error.status, error.type];
}

beforeAll(async () => {
  await putSandbox(folder);
  const { document } = await folder.start('start');
  ({ address } = document);
  server = clientOf(document.key);
  const scopes = ['--scopes', 'all,accounts:write'];
  const key = ['keys', 'create', '--mode', 'test', '--label', 'operator', ...scopes];
  operator = clientOf((await folder.json(...key)).rawKey);
});

describe('the service', () => {
  it('is ready and describes itself', async () => {
    const { modes } = await server.getReadiness();
    expect(['ready', 'stale']).toContain(modes.sandbox);
    expect(await server.getHealth()).toEqual({ status: 'ok' });
    expect((await server.getDescription()).info.version).toBe('1.0.0');
  });
});

describe('market data', () => {
  it('lists symbols and screens them', async () => {
    const symbols = new Set<string>();
    for await (const page of server.pages.listSymbols({ type: ['stock'], limit: 15 })) {
      for (const row of page.data) symbols.add(row.symbol);
    }
    expect(symbols.size).toBe((await server.listSymbols({ type: 'stock' })).total);
    const study = await server.getStudy({ where: 'close > sma(20)', horizons: [5] });
    expect(study.definition).toMatchObject({ horizons: [5], mode: 'begins' });
    const { data } = await server.getScreener({ exchange: ['NYSE', 'NASDAQ'], limit: 3 });
    const caps = data.map(({ marketCap }) => marketCap ?? 0);
    expect(caps).toEqual(caps.toSorted((a, b) => b - a));
    [{ symbol }] = data;
    expect(symbols).toContain(symbol);
    expect((await server.getSymbol({ symbol })).symbol).toBe(symbol);
    const { data: catalogue } = await server.listIndicators();
    expect(catalogue.map(({ name }) => name)).toContain('rsi');
  });

  it('saves a screen, and finds its rows by the closes that candles have', async () => {
    const query = new URLSearchParams({ where: 'close > sma(5) + 0', columns: 'close' });
    const saved = await server.createScreen({ body: { name: 'above', query: `${query}` } });
    expect((await server.listScreens()).data).toEqual([saved]);
    expect(await server.getScreen({ id: saved.id })).toEqual(saved);
    const above = new Map<string, number>();
    for await (const row of server.rows.getScreenRows({ id: saved.id, limit: 3 })) {
      above.set(row.symbol, Number(row.columns?.close));
    }
    const latest = { symbols: '*', indicators: ['sma:5'], latest: 'true' } as const;
    const newest = tableFromIPC(await server.getTechnicalOfSymbols(latest)).toArray();
    const expected = newest.filter((row) => row.close > row['sma:5']);
    expect(above).toEqual(new Map(expected.map(({ symbol: name, close }) => [name, close])));
    expect(above.size).toBeGreaterThan(3);
    await server.deleteScreen({ id: saved.id });
    expect(await refusal(server.getScreenRows({ id: saved.id }))).toEqual([404, 'not_found_error']);
  });

  it('answers prices that agree with each other', async () => {
    const quote = await server.getQuote({ symbol });
    const { data, notFound } = await server.getQuotes({ symbols: [symbol, 'NONE'] });
    expect([data, notFound]).toEqual([[quote], ['NONE']]);
    const { candles, indicators } = await server.getTechnical({ symbol, indicators: ['sma:5'] });
    const closes = candles.slice(-5).map(({ close }) => close);
    const mean = closes.reduce((sum, close) => sum + close) / 5;
    expect(indicators['sma:5'].at(-1)?.value).toBeCloseTo(mean, 10);
    const bars = tableFromIPC(await server.getCandles({ symbols: [symbol] }));
    expect(bars.getChild('close')?.get(bars.numRows - 1)).toBe(closes.at(-1));
    const newest = { symbols: [symbol], indicators: ['sma:5'], latest: 'true' } as const;
    const means = tableFromIPC(await server.getTechnicalOfSymbols(newest));
    expect(means.getChild('sma:5')?.get(0)).toBe(indicators['sma:5'].at(-1)?.value);
    const { data: actions } = await server.listCorporateActions({ symbol });
    expect(actions.every((action) => action.symbol === symbol)).toBe(true);
    const { data: factors } = await server.listFactors({ symbol });
    expect(factors.at(-1)?.factor).toBe(1);
  });

  it('answers what companies file', async () => {
    const { data } = await server.listStatements({ symbol, period: 'quarterly' });
    expect(data.length).toBeGreaterThan(3);
    const { data: sheets } = await server.listBalanceSheets({ symbol, limit: 2 });
    const { data: flows } = await server.listCashFlowStatements({ symbol, limit: 2 });
    expect(flows[0].unexplainedChange).toBe(0);
    expect(sheets).toHaveLength(2);
    const { data: ratios } = await server.listRatios({ symbol, period: 'ttm', limit: 1 });
    expect(ratios[0].price).toBe((await server.getQuote({ symbol })).price);
    const { data: filings } = await server.listFilings({ symbol, limit: 1 });
    expect(filings[0].acceptedAt?.slice(0, 10)).toBe(filings[0].filedAt);
    const { data: trades } = await server.listInsiderTransactions({ symbol, limit: 1 });
    const summary = await server.getInsiderSummary({ symbol });
    expect(summary.mostRecentTransaction).toEqual(trades[0]);
  });

  it('answers universes, and the members of a day', async () => {
    const { data } = await server.listUniverses();
    expect(data.map(({ name }) => name)).toEqual(['active', 'all']);
    const members = await server.listMembers({ name: 'active' });
    expect(members.data).toHaveLength(data[0].members);
  });

  it('answers news, and one article', async () => {
    const [article] = (await server.listNews({ symbols: symbol, limit: 1 })).data;
    for await (const { data } of server.pages.listNewsOfSymbol({ symbol, limit: 1 })) {
      expect(data).toEqual([article]);
      break;
    }
    expect(await server.listNewsOfSymbol({ symbol: article.id })).toEqual(article);
  });

  it('answers what analysts say, reports and expirations', async () => {
    expect((await server.getAnalystConsensus({ symbol })).symbol).toBe(symbol);
    expect((await server.listAnalystTargets({ symbol })).data.length).toBeGreaterThan(0);
    expect((await server.listRatingChanges({ symbol })).data.length).toBeGreaterThan(0);
    // A whole quarter: everybody reports in it, whatever day this runs.
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString();
    const quarter = { from: day(-62).slice(0, 10), to: day(30).slice(0, 10) };
    expect((await server.listEarnings(quarter)).total).toBeGreaterThan(30);
    const { data } = await server.listOptionExpirations({ symbol });
    expect(data).toEqual(data.toSorted());
  });
});

describe('keys', () => {
  it('are made, work within their scopes, and end', async () => {
    const body = { label: 'e2e', scopes: ['quotes:read' as const] };
    const request = { body, 'Idempotency-Key': 'e2e-1' };
    const made = await server.createKey(request);
    expect(await server.createKey(request)).toEqual(made);
    const other = clientOf(made.rawKey);
    expect((await other.getQuote({ symbol })).symbol).toBe(symbol);
    expect(await refusal(other.listNews())).toEqual([403, 'permission_error']);
    expect((await server.listKeys()).data.map(({ id }) => id)).toContain(made.id);
    await server.revokeKey({ keyId: made.id });
    await expect
      .poll(() => refusal(other.getQuote({ symbol })))
      .toEqual([401, 'authentication_error']);
  });

  it('are counted', async () => {
    const body = { label: 'counted', scopes: ['quotes:read' as const] };
    const { rawKey, id } = await server.createKey({ body });
    const other = clientOf(rawKey);
    await other.getQuote({ symbol });
    await other.getQuotes({ symbols: [symbol, 'NONE'] });
    await refusal(other.getQuote({ symbol: 'NONE' }));
    const used = async () =>
      (await server.getUsage({ key_id: id })).data.map(
        ({ endpoint, callCount, errorCount, tokensUsed }) =>
          [endpoint, callCount, errorCount, tokensUsed] as const,
      );
    await expect.poll(used).toEqual([
      ['/svc/quotes/batch', 1, 0, 2],
      ['/svc/quotes/{symbol}', 2, 1, 1],
    ]);
  });
});

describe('accounts', () => {
  it('have plans, keys and usage of their own', async () => {
    const plan = { tokensPerDay: 3, scopes: ['quotes:read' as const, 'developer:read' as const] };
    const accountId = (await operator.createAccount({ body: { label: 'desk', plan } })).id;
    expect((await operator.getAccount({ accountId })).plan).toMatchObject(plan);
    expect((await operator.listAccounts()).data[0].id).toBe(accountId);
    const key = { accountId, body: { label: 'desk', scopes: plan.scopes } };
    const { rawKey, id } = await operator.createAccountKey(key);
    const desk = clientOf(rawKey);
    for (let i = 0; i < 3; i++) await desk.getQuote({ symbol });
    const oneTry = new Tapeworks({ url: address, apiKey: rawKey, retries: 0 });
    expect(await refusal(oneTry.getQuote({ symbol }))).toEqual([429, 'rate_limit_error']);
    expect((await desk.listKeys()).data.map((row) => row.id)).toEqual([id]);
    const tokens = async () => {
      const { data } = await operator.getAccountUsage({ account: accountId });
      return data.reduce((sum, row) => sum + row.tokensUsed, 0);
    };
    await expect.poll(tokens).toBe(4);
    await operator.changeAccount({ accountId, body: { suspended: true } });
    await expect.poll(() => refusal(desk.listKeys())).toEqual([403, 'permission_error']);
    expect((await operator.listAccountKeys({ accountId })).data[0].revokedAt).toBeNull();
    await operator.revokeAccountKey({ accountId, keyId: id });
    expect((await operator.listAccountKeys({ accountId })).data[0].revokedAt).not.toBeNull();
  });
});

describe('webhooks', () => {
  const received: { headers: Record<string, string>; body: string }[] = [];
  let receiver: Server;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        received.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => receiver.close());

  it('get a signed test, and say what became of it', async () => {
    const { port } = receiver.address() as AddressInfo;
    const body = { url: `http://127.0.0.1:${port}/hook`, events: ['webhook.test' as const] };
    const { id } = await server.createWebhook({ body });
    const { secret } = await server.rotateWebhookSecret({ id });
    const { eventId } = await server.testWebhook({ id });
    await expect.poll(() => received.length).toBe(1);
    const [{ headers, body: text }] = received;
    expect(new Webhook(secret).verify(text, headers)).toMatchObject({ type: 'webhook.test' });
    expect(headers['webhook-id']).toBe(eventId);
    const delivery = async () => (await server.listWebhookDeliveries({ id })).data[0];
    await expect.poll(delivery).toMatchObject({ status: 'delivered', responseStatus: 204 });
    expect((await server.getWebhook({ id })).active).toBe(true);
    await server.deleteWebhook({ id });
    expect((await server.listWebhooks()).total).toBe(0);
    expect(await refusal(server.getWebhook({ id }))).toEqual([404, 'not_found_error']);
  });
});

describe('backfills', () => {
  it('load an uploaded file, and say how it ended', async () => {
    const scopes = ['--scopes', 'all,ingest:write'];
    const key = ['keys', 'create', '--mode', 'live', '--label', 'loader', ...scopes];
    const live = clientOf((await folder.json(...key)).rawKey);
    const csv = 'date,open,high,low,close,volume\n2024-01-02,1,2,1,2,10\n';
    const file = { name: 'FILED.csv', body: Buffer.from(csv) };
    const { id } = await live.uploadBackfillFile(file);
    const shown = () => live.getBackfill({ id });
    await expect.poll(async () => (await shown()).state).toBe('done');
    expect((await shown()).result?.accepted).toBe(1);
    expect((await live.listBackfills()).data.map((one) => one.id)).toEqual([id]);
    expect(await refusal(live.cancelBackfill({ id }))).toEqual([400, 'invalid_request_error']);
    const crypto = { source: 'any' as const, symbols: ['BTC-USD'] };
    expect(await refusal(live.createBackfill({ body: crypto }))).toEqual([
      400,
      'invalid_request_error',
    ]);
    const { candles } = await live.getTechnical({ symbol: 'FILED' });
    expect(candles).toHaveLength(1);
    const at = candles[0].timestamp.slice(0, 10);
    const origin = await live.getCandleOrigin({ symbol: 'FILED', at });
    expect(origin.prices).toMatchObject([{ adjustment: 'raw', close: 2 }]);
  });
});

describe('files', () => {
  it('are listed, and one of no version is unknown', async () => {
    expect((await server.listFiles()).data).toBeInstanceOf(Array);
    const none = server.getFile({ version: '0-0', name: 'candles-1d-2025.parquet' });
    expect(await refusal(none)).toEqual([404, 'not_found_error']);
  });
});

describe('streams', () => {
  it('open, and end when the client leaves', async () => {
    const stop = new AbortController();
    const { promise: opened, resolve } = Promise.withResolvers<number>();
    const options = { signal: stop.signal, onResponse: ({ status }: Response) => resolve(status) };
    const next = server.streamEvents({ events: 'data.ready' }, options).next();
    expect(await opened).toBe(200);
    stop.abort();
    await expect(next).rejects.toThrow(/abort/);
  });
});

describe('the description', () => {
  it('has no operation that was not asked here', () => {
    expect(Object.keys(OPERATIONS).filter((name) => !asked.has(name))).toEqual([]);
  });
});
