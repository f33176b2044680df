/** Requests of the golden corpus to operations that change something, in an order that works. */

import type { ParsedJson } from '../support/parsed-json.ts';
import type { Json } from './json.ts';

/**
 * Asks one request and keeps its answer in the corpus.
 *
 * @param operation As `routeName` names it.
 * @param path      Under `/v1`; default: the operation's own.
 * @returns the body; undefined where there is none.
 */
export type AskGolden = (
  operation: string,
  request?: { path?: string; body?: Json; headers?: Record<string, string> },
) => Promise<ParsedJson>;

export async function askAboutKeys(ask: AskGolden): Promise<void> {
  const create = 'POST /svc/developer/keys';
  const body = { label: 'golden', scopes: ['quotes:read', 'news:read'] };
  const { id } = await ask(create, { body });
  await ask(create, { body, headers: { 'Idempotency-Key': 'golden-1' } });
  await ask(create, { body, headers: { 'Idempotency-Key': 'golden-1' } });
  const other = { ...body, label: 'other' };
  await ask(create, { body: other, headers: { 'Idempotency-Key': 'golden-1' } });
  await ask(create, { body: { ...body, scopes: ['gold:mine'] } });
  await ask(create, { body: { ...body, colour: 'gold' } });
  const revoke = 'DELETE /svc/developer/keys/{keyId}';
  await ask(revoke, { path: `/svc/developer/keys/${id}` });
  await ask(revoke, { path: '/svc/developer/keys/key_none' });
  const list = 'GET /svc/developer/keys';
  const { cursor } = await ask(list, { path: '/svc/developer/keys?limit=2' });
  await ask(list, { path: `/svc/developer/keys?limit=2&cursor=${cursor}` });
  await ask(list, { path: '/svc/developer/keys?cursor=golden' });
}

export async function askAboutAccounts(ask: AskGolden): Promise<void> {
  const create = 'POST /svc/accounts';
  const plan = {
    rateLimit: { requests: 10, windowSeconds: 1 },
    tokensPerDay: 100,
    scopes: ['quotes:read'],
    keyExpiryDays: 30,
  };
  await ask(create, { body: { id: 'golden', label: 'Golden', plan } });
  await ask(create, { body: { id: 'plain', label: 'Plain' } });
  await ask(create, { body: { id: 'golden', label: 'Golden' } });
  await ask('GET /svc/accounts');
  const own = '/svc/accounts/golden';
  await ask('GET /svc/accounts/{accountId}', { path: own });
  await ask('GET /svc/accounts/{accountId}', { path: '/svc/accounts/none' });
  const change = 'PATCH /svc/accounts/{accountId}';
  await ask(change, { path: own, body: { plan: { tokensPerDay: null } } });
  await ask(change, { path: own, body: { suspended: true } });
  await ask(change, { path: '/svc/accounts/none', body: {} });
  const key = { label: 'theirs', scopes: ['quotes:read'] };
  const keys = `${own}/keys`;
  const { id } = await ask('POST /svc/accounts/{accountId}/keys', { path: keys, body: key });
  await ask('GET /svc/accounts/{accountId}/keys', { path: keys });
  const revoke = 'DELETE /svc/accounts/{accountId}/keys/{keyId}';
  await ask(revoke, { path: `${keys}/${id}` });
  await ask(revoke, { path: `${keys}/key_none` });
}

export async function askAboutWebhooks(ask: AskGolden): Promise<void> {
  const create = 'POST /svc/webhooks';
  const url = 'https://hooks.example.com/golden';
  const plain = { url, events: ['news.published', 'webhook.test'] };
  const screener = { screener: 'sector=Energy', events: ['screener.matched'] };
  const { id } = await ask(create, { body: plain });
  await ask(create, { body: { ...plain, ...screener, symbols: ['brk-b'], description: 'all' } });
  await ask(create, { body: { ...plain, url: 'https://127.0.0.1/' } });
  await ask(create, { body: { ...plain, events: ['gold.found'] } });
  await ask('GET /svc/webhooks');
  const none = '/svc/webhooks/wh_none';
  const own = `/svc/webhooks/${id}`;
  const rotate = 'POST /svc/webhooks/{id}/rotate-secret';
  for (const path of [own, none]) {
    await ask('GET /svc/webhooks/{id}', { path });
    await ask('POST /svc/webhooks/{id}/test', { path: `${path}/test` });
    await ask(rotate, { path: `${path}/rotate-secret` });
    await ask('GET /svc/webhooks/{id}/deliveries', { path: `${path}/deliveries` });
  }
  for (const path of [own, none]) await ask('DELETE /svc/webhooks/{id}', { path });
}

/** After the others, so that there is something to report. */
export async function askAboutUsage(ask: AskGolden): Promise<void> {
  for (const collection of ['/svc/developer/usage/daily', '/svc/accounts/usage/daily']) {
    const operation = `GET ${collection}`;
    await ask(operation, { path: `${collection}?endpoint=/svc/developer/keys` });
    await ask(operation, { path: `${collection}?endpoint=/svc/developer/keys&format=csv` });
    await ask(operation, { path: `${collection}?endpoint=/svc/developer/keys&format=arrow` });
    await ask(operation, { path: `${collection}?from=2026-11-19&to=2026-11-18` });
  }
}

export async function askAboutScreens(ask: AskGolden): Promise<void> {
  const create = 'POST /svc/screens';
  const body = { name: 'Golden', query: 'where=close > sma(20)&columns=rsi(14)&sort=volume' };
  const { id } = await ask(create, { body });
  await ask(create, { body: { ...body, query: 'prise_min=1' } });
  await ask('GET /svc/screens');
  const hook = { url: 'https://hooks.example.com/golden', events: ['screener.matched'] };
  await ask('POST /svc/webhooks', { body: { ...hook, screen: id } });
  await ask('POST /svc/webhooks', { body: { ...hook, screen: 'scr_none' } });
  const where = 'where=close > smaa(200)';
  await ask(create, { body: { ...body, query: where } });
  await ask('POST /svc/webhooks', { body: { ...hook, screener: where } });
  const rows = 'GET /svc/screens/{id}/rows';
  for (const more of ['', '?format=csv&limit=2', '?as_of=2026-06-30&limit=1', '?sort=volume']) {
    await ask(rows, { path: `/svc/screens/${id}/rows${more}` });
  }
  for (const path of [`/svc/screens/${id}`, '/svc/screens/scr_none']) {
    await ask('GET /svc/screens/{id}', { path });
    if (path.endsWith('none')) await ask(rows, { path: `${path}/rows` });
    await ask('DELETE /svc/screens/{id}', { path });
  }
}

/** @param liveKey A key of live mode; backfills of the sandbox are refused. */
export async function askAboutBackfills(ask: AskGolden, liveKey: string): Promise<void> {
  const headers = { 'X-API-Key': liveKey };
  const create = 'POST /svc/backfills';
  const body = { source: 'any', symbols: ['aapl', 'brk-b'], from: '2026-11-02' };
  await ask(create, { body });
  const { id } = await ask(create, { body, headers });
  await ask(create, { body: { ...body, source: 'files' }, headers });
  await ask(create, { body: { ...body, symbols: ['BTC-USD'] }, headers });
  await ask(create, { body: { ...body, dataset: 'news' }, headers });
  const upload = 'POST /svc/backfills/files';
  const form = { ...headers, 'Content-Type': 'multipart/form-data' };
  await ask(upload, { path: '/svc/backfills/files?name=AAPL.csv', body: {}, headers: form });
  const plain = { ...headers, 'Content-Type': 'text/csv' };
  await ask(upload, { path: '/svc/backfills/files?name=../AAPL.csv', body: {}, headers: plain });
  await ask(upload, { path: '/svc/backfills/files?name=AAPL.csv', body: {}, headers: plain });
  await ask('GET /svc/backfills', { path: '/svc/backfills?limit=1', headers });
  for (const path of [`/svc/backfills/${id}`, '/svc/backfills/bf_none']) {
    await ask('GET /svc/backfills/{id}', { path, headers });
    await ask('DELETE /svc/backfills/{id}', { path, headers });
  }
}
