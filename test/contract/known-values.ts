/** Values of things that exist: what no schema can know, so that most generated requests succeed. */

import type { Reply, TestServer } from '../api/support/test-server.ts';
import { type ContractMarket, FUND, SHARE_CLASS, STOCK } from './contract-market.ts';
import type { DocumentedOperation } from './documented-operations.ts';
import type { Json } from './json.ts';

const MARKET: Readonly<Record<string, Json[]>> = {
  symbol: [STOCK, SHARE_CLASS, FUND, STOCK.toLowerCase(), SHARE_CLASS.replace('.', '-')],
  symbols: [[STOCK], [STOCK, FUND], [FUND, SHARE_CLASS, STOCK]],
  indicators: [['sma'], ['ema:5', 'rsi'], ['macd:5:10:3', 'bollinger:20:2']],
  from: ['2026-10-20', '2026-11-02', '2026-11-10T14:30:00Z'],
  to: ['2026-11-17', '2026-11-20', '2026-11-30T20:00:00+01:00'],
  as_of: ['2026-06-30', '2025-01-01'],
  at: ['2026-11-16', '2026-11-13', '2026-11-02', '2026-11-16T15:00:00Z'],
  active_since: ['2026-11-17'],
  sector: [['Technology'], ['utilities', 'Energy']],
  industry: [['Semiconductors']],
  country: [['US'], ['us', 'ca']],
  where: ['close > sma(20)', 'rsi(14) < 50 and market_cap > 1e9 or sector is null'],
  columns: ['close, rsi(14)', 'volume > avg(volume, 20), company_name'],
  sort: ['market_cap', 'rsi(14)', 'close / sma(200)'],
  explain: ['false', 'true'],
  screener: ['sector=Energy&market_cap_min=1e9', 'where=close > sma(20)'],
  query: [
    'sector=Energy&where=rsi(14) < 60&columns=close',
    'pe_ratio_max=15&sort=pe_ratio&order=asc',
  ],
};

/** Stand for what is made when it is needed: deleting takes one each time. */
const FRESH_WEBHOOK = 'wh_fresh';
const FRESH_SCREEN = 'scr_fresh';
const FRESH_BACKFILL = 'bf_fresh';

const OWNED = { account: 'default', mode: 'sandbox' } as const;

async function newWebhook({ accounts }: TestServer): Promise<string> {
  const url = 'https://example.com/hook';
  return (await accounts.createWebhook({ ...OWNED, url, events: ['webhook.test'] })).id;
}

async function newScreen({ accounts }: TestServer): Promise<string> {
  const screen = { ...OWNED, name: 'screen', query: 'where=close > 1' };
  return (await accounts.createScreen(screen)).id;
}

/** Adds a backfill of the sandbox, which requests can't: they load live data only. */
async function newBackfill({ accounts }: TestServer): Promise<string> {
  const days = { from: null, to: null };
  const order = { source: 'any', dataset: 'candles', symbols: ['A'], accept: false, file: null };
  return (await accounts.createBackfill({ ...OWNED, order: { ...order, ...days } })).id;
}

/**
 * Asks for a target, in which a webhook, a screen or a backfill that is needed takes its place. An account has
 * a bounded number of them, so that it goes again afterwards, and so does one that the request has
 * made.
 */
export async function askSettled(
  { server }: ContractMarket,
  target: string,
  ask: (target: string) => Promise<Reply>,
): Promise<Reply> {
  const { accounts } = server;
  const { account, mode } = OWNED;
  const webhook = target.includes(FRESH_WEBHOOK) ? await newWebhook(server) : FRESH_WEBHOOK;
  const screen = target.includes(FRESH_SCREEN) ? await newScreen(server) : FRESH_SCREEN;
  const backfill = target.includes(FRESH_BACKFILL) ? await newBackfill(server) : FRESH_BACKFILL;
  const filled = target
    .replace(FRESH_WEBHOOK, webhook)
    .replace(FRESH_SCREEN, screen)
    .replace(FRESH_BACKFILL, backfill);
  const reply = await ask(filled);
  await accounts.cancelBackfill(account, mode, backfill);
  const made = reply.status === 201 ? (reply.json as { id: string }).id : '';
  for (const id of [webhook, screen, made]) {
    if (id.startsWith('wh_')) await accounts.deleteWebhook(account, mode, id);
    if (id.startsWith('scr_')) await accounts.deleteScreen(account, mode, id);
  }
  return reply;
}

/**
 * Makes keys and accounts, and asks a page, for operations whose paths and parameters name them.
 *
 * @returns by name of the parameter or field.
 */
export async function knownValues(
  { server, operatorKey }: ContractMarket,
  { path, method, parameters }: DocumentedOperation,
): Promise<Record<string, Json[]>> {
  const { accounts } = server;
  const known: Record<string, Json[]> = { ...MARKET };
  if (path.includes('{accountId}')) {
    // What changes plans must not keep the others from making keys.
    const ids = method === 'PATCH' ? ['changed'] : ['first', 'second'];
    for (const id of ids) {
      if (!(await accounts.findAccount(id))) await accounts.createAccount({ id, label: id });
    }
    known.accountId = ids;
  }
  if (path.includes('{keyId}')) {
    const account = path.includes('{accountId}') ? 'first' : 'default';
    known.accountId = ['first'];
    known.keyId = [];
    for (const label of ['a', 'b', 'c']) {
      const key = { account, mode: 'sandbox', label, scopes: ['news:read'] } as const;
      known.keyId.push((await accounts.createKey(key)).id);
    }
  }
  if (path === '/v1/svc/study' || path === '/svc/study') {
    known.factor = ['close / open', 'pe_ratio'];
    known.universe = ['volume > 1000'];
    known.by = ['year', 'month', 'none'];
    known.rows = ['summary', 'groups', 'days', 'events', 'deciles'];
  }
  if (path.includes('/universes/{name}')) known.name = ['all', 'active'];
  if (path.includes('/files/{version}')) {
    const headers = { 'X-API-Key': operatorKey };
    const { json } = await server.request('/v1/svc/files', { headers });
    const { data } = json as { data: { url: string }[] };
    const paths = data.map(({ url }) => url.split('/').slice(-2));
    known.version = [paths[0][0]];
    known.name = paths.map(([, name]) => name);
  }
  if (path.includes('/webhooks/{id}')) {
    known.id = [method === 'DELETE' ? FRESH_WEBHOOK : await newWebhook(server)];
  }
  if (path.includes('/screens/{id}')) {
    known.id = [method === 'DELETE' ? FRESH_SCREEN : await newScreen(server)];
  }
  if (path.includes('/backfills/{id}')) {
    known.id = [method === 'DELETE' ? FRESH_BACKFILL : await newBackfill(server)];
  }
  const takesCursor = parameters.some(({ name }) => name === 'cursor');
  if (method === 'GET' && takesCursor) {
    const filled = path.replace(/\{(\w+)\}/g, (_text, name) => String(known[name][0]));
    const headers = { 'X-API-Key': operatorKey };
    const { json } = await server.request(`${filled}?limit=1`, { headers });
    const { cursor } = json as { cursor: string | null };
    if (cursor !== null) known.cursor = [cursor];
  }
  return known;
}
