/** Tickers as Massive has them. */

import { HttpError, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { CallRoute, RouteValues } from '../contract/adapter.ts';
import {
  COMPARISONS,
  checkNames,
  chosen,
  flag,
  limitFrom,
  nextUrl,
  type Parameters,
  type Read,
  success,
} from './protocol.ts';

/** Exchanges by their market identifier code of ISO 10383. */
const EXCHANGES: Readonly<Record<string, string>> = {
  XNYS: 'NYSE',
  XNAS: 'NASDAQ',
  XASE: 'AMEX',
};

const CODES = new Map(Object.entries(EXCHANGES).map(([code, name]) => [name, code]));

/** Massive's types, and ours; others are left out. */
const TYPES: Readonly<Record<string, string>> = {
  CS: 'stock',
  ADRC: 'adr',
  ETF: 'etf',
  PFD: 'preferred',
  WARRANT: 'warrant',
  RIGHT: 'right',
  UNIT: 'unit',
};

const TYPE_CODES = new Map(Object.entries(TYPES).map(([code, type]) => [type, code]));

/** Fields that every security here has: stocks and funds of US exchanges in dollars. */
const MARKET = { market: 'stocks', locale: 'us', currency_name: 'usd' };

function codeOf(
  codes: Readonly<Record<string, string>>,
  parameters: Parameters,
  name: string,
): string | undefined {
  const code = parameters[name];
  if (code === undefined || codes[code]) return code && codes[code];
  const known = Object.keys(codes).join(', ');
  throw new ParameterError(name, `${name} must be one of ${known}, got "${code}"`);
}

function tickerRow(row: Record<string, string | null>) {
  return {
    ticker: row.symbol,
    name: row.companyName ?? row.symbol,
    ...MARKET,
    primary_exchange: CODES.get(row.exchange ?? ''),
    type: TYPE_CODES.get(row.type ?? ''),
  };
}

async function details(symbol: string, call: CallRoute) {
  const found = await call('getSymbol', { symbol });
  return {
    ...tickerRow(found),
    active: found.delistedOn === null,
    delisted_utc: found.delistedOn ? `${found.delistedOn}T00:00:00Z` : undefined,
    cik: found.cik === null ? undefined : String(found.cik).padStart(10, '0'),
  };
}

const TICKER_BOUNDS = ['ticker.gt', 'ticker.gte', 'ticker.lt', 'ticker.lte'];

/** Returns true for a ticker within all bounds of a request. */
function isInside(ticker: string | null, parameters: Parameters, names = TICKER_BOUNDS): boolean {
  return names.every((name) => {
    const bound = parameters[name];
    return bound === undefined || COMPARISONS[name.slice('ticker'.length)](ticker ?? '', bound);
  });
}

/** Reads the directory from its start up to `count` symbols within the bounds of tickers. */
async function symbolsInside(
  call: CallRoute,
  filters: RouteValues,
  parameters: Parameters,
  count: number,
): Promise<Record<string, string | null>[]> {
  const found: Record<string, string | null>[] = [];
  let cursor: string | undefined;
  do {
    const page = await call('listSymbols', { ...filters, limit: limits.page.sizeMax, cursor });
    const rows: Record<string, string | null>[] = page.data;
    found.push(...rows.filter(({ symbol }) => isInside(symbol, parameters)));
    // Symbols ascend: behind an upper bound, none is inside.
    const isPast = !isInside(rows.at(-1)?.symbol ?? '', parameters, TICKER_BOUNDS.slice(2));
    cursor = isPast || found.length >= count ? undefined : (page.cursor ?? undefined);
  } while (cursor);
  return found.slice(0, count);
}

/** `/v3/reference/tickers` */
export const tickers: Read = async (context, parameters, call) => {
  const names = ['ticker', 'type', 'market', 'exchange', 'active', 'search', 'limit', 'cursor'];
  checkNames(parameters, [...names, ...TICKER_BOUNDS, 'sort', 'order']);
  chosen(parameters, 'market', ['stocks'], 'stocks');
  chosen(parameters, 'sort', ['ticker'], 'ticker');
  chosen(parameters, 'order', ['asc'], 'asc');
  const active = flag(parameters, 'active', undefined);
  const type = codeOf(TYPES, parameters, 'type');
  const exchange = codeOf(EXCHANGES, parameters, 'exchange');
  const limit = limitFrom(parameters, 100, limits.page.sizeMax);
  if (parameters.ticker) {
    if (parameters.search) throw new ParameterError('search', 'search must not come with ticker');
    const one = await details(parameters.ticker, call).catch((error) => {
      if (error instanceof HttpError && error.status === 404) return undefined;
      throw error;
    });
    const isWanted =
      one !== undefined &&
      isInside(one.ticker, parameters) &&
      (active ?? one.active) === one.active &&
      (type === undefined || one.type === parameters.type) &&
      (exchange === undefined || one.primary_exchange === parameters.exchange);
    const results = isWanted ? [one] : [];
    return success(context, { results, count: results.length });
  }
  const filters = {
    search: parameters.search,
    type,
    exchange,
    active: active === undefined ? undefined : String(active),
  };
  if (TICKER_BOUNDS.some((name) => parameters[name])) {
    const found = await symbolsInside(call, filters, parameters, limit + 1);
    const results = found.slice(0, limit).map(tickerRow);
    const after = { 'ticker.gte': undefined, 'ticker.gt': results.at(-1)?.ticker ?? undefined };
    const path = '/v3/reference/tickers';
    const more = found.length > limit && nextUrl(context, path, { ...parameters, ...after });
    return success(context, {
      results,
      count: results.length,
      ...(more ? { next_url: more } : {}),
    });
  }
  const { data, cursor } = await call('listSymbols', {
    ...filters,
    limit,
    cursor: parameters.cursor,
  });
  const next = cursor && nextUrl(context, '/v3/reference/tickers', { ...parameters, cursor });
  return success(context, {
    results: data.map(tickerRow),
    count: data.length,
    ...(next ? { next_url: next } : {}),
  });
};

/** `/v3/reference/tickers/{ticker}` */
export const tickerDetails: Read = async (context, parameters, call) => {
  checkNames(parameters, []);
  const results = await details(context.params.ticker, call);
  const quote = await call('getQuote', { symbol: context.params.ticker }).catch((error) => {
    if (error instanceof HttpError && error.status === 404) return {};
    throw error;
  });
  return success(context, { results: { ...results, market_cap: quote.marketCap ?? undefined } });
};
