/** Tickers, splits and dividends as Massive has them. */

import { HttpError, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { CallRoute } from '../contract/adapter.ts';
import type { AdmittedContext } from '../http/request-context.ts';
import type { ApiResponse } from '../http/response.ts';
import {
  checkNames,
  chosen,
  flag,
  integer,
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

/** `/v3/reference/tickers` */
export const tickers: Read = async (context, parameters, call) => {
  const names = ['ticker', 'type', 'market', 'exchange', 'active', 'search', 'limit', 'cursor'];
  checkNames(parameters, [...names, 'sort', 'order']);
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
      (active ?? one.active) === one.active &&
      (type === undefined || one.type === parameters.type) &&
      (exchange === undefined || one.primary_exchange === parameters.exchange);
    const results = isWanted ? [one] : [];
    return success(context, { results, count: results.length });
  }
  const { data, cursor } = await call('listSymbols', {
    search: parameters.search,
    type,
    exchange,
    active: active === undefined ? undefined : String(active),
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

interface Action {
  symbol: string;
  type: 'split' | 'dividend';
  exDate: string;
  numerator: number;
  denominator: number;
  amount: number;
  currency: string;
}

/** A list of actions: where it is, and how a row is written. */
interface ActionList {
  path: string;
  type: Action['type'];
  dateField: 'execution_date' | 'ex_dividend_date';
  /** Fields by which the list can be sorted, besides its date. */
  sorts: Readonly<Record<string, (action: Action) => string | number>>;
  row(action: Action): object;
}

const split = ({ symbol, exDate, numerator, denominator }: Action) => ({
  id: `${symbol}-${exDate}`,
  ticker: symbol,
  execution_date: exDate,
  split_from: denominator,
  split_to: numerator,
});

const dividend = ({ symbol, exDate, amount, currency }: Action) => ({
  id: `${symbol}-${exDate}`,
  ticker: symbol,
  ex_dividend_date: exDate,
  cash_amount: amount,
  currency,
});

const bySymbol = ({ symbol }: Action) => symbol;
const byDate = ({ exDate }: Action) => exDate;

const SPLIT_SORTS = {
  ticker: bySymbol,
  execution_date: byDate,
  split_from: ({ denominator }: Action) => denominator,
  split_to: ({ numerator }: Action) => numerator,
};

/** Dates that the data does not have follow the ex-date, as the real ones do. */
const DIVIDEND_SORTS = {
  ticker: bySymbol,
  ex_dividend_date: byDate,
  declaration_date: byDate,
  record_date: byDate,
  pay_date: byDate,
  cash_amount: ({ amount }: Action) => amount,
};

export const ACTION_LISTS: readonly ActionList[] = (
  [
    { type: 'split', dateField: 'execution_date', row: split, name: 'splits', sorts: SPLIT_SORTS },
    {
      type: 'dividend',
      dateField: 'ex_dividend_date',
      row: dividend,
      name: 'dividends',
      sorts: DIVIDEND_SORTS,
    },
  ] as const
).flatMap(({ name, ...list }) => [
  { ...list, path: `/v3/reference/${name}` },
  { ...list, path: `/stocks/v1/${name}` },
]);

/** Symbols of one request; each is a call of the API. */
const SYMBOLS_MAX = 50;

const COMPARISONS: Readonly<Record<string, (date: string, bound: string) => boolean>> = {
  '': (date, bound) => date === bound,
  '.gt': (date, bound) => date > bound,
  '.gte': (date, bound) => date >= bound,
  '.lt': (date, bound) => date < bound,
  '.lte': (date, bound) => date <= bound,
};

function symbolsFrom(parameters: Parameters): string[] {
  const text = parameters.ticker ?? parameters['ticker.any_of'];
  const symbols = text?.split(',').filter(Boolean) ?? [];
  if (symbols.length > 0 && symbols.length <= SYMBOLS_MAX) return symbols;
  throw new ParameterError(
    'ticker',
    `ticker or ticker.any_of must name 1 to ${SYMBOLS_MAX} symbols: the lists here are per symbol`,
  );
}

/**
 * Reads the order of a list: `sort` names fields, each with `.asc` or `.desc` behind it or as
 * `order` says. By default the newest date is first.
 */
function orderFrom(parameters: Parameters, { dateField, sorts }: ActionList) {
  const order = chosen(parameters, 'order', ['asc', 'desc'], 'desc');
  const keys = (parameters.sort ?? dateField).split(',').map((text) => {
    const [, name = '', direction = order] = /^(.*?)(?:\.(asc|desc))?$/.exec(text) ?? [];
    if (!Object.hasOwn(sorts, name)) {
      const known = Object.keys(sorts).join(', ');
      throw new ParameterError('sort', `sort must be of ${known}, got "${text}"`);
    }
    return { fieldOf: sorts[name], sign: direction === 'asc' ? 1 : -1 };
  });
  return (a: Action, b: Action): number => {
    for (const { fieldOf, sign } of keys) {
      const [first, second] = [fieldOf(a), fieldOf(b)];
      if (first !== second) return first < second ? -sign : sign;
    }
    return 0;
  };
}

/** A list of splits or dividends, by date, the newest first unless `order` or `sort` say else. */
export async function actions(
  context: AdmittedContext,
  parameters: Parameters,
  call: CallRoute,
  list: ActionList,
): Promise<ApiResponse> {
  const { path, type, dateField, row } = list;
  const bounds = Object.keys(COMPARISONS).map((suffix) => `${dateField}${suffix}`);
  const names = ['ticker', 'ticker.any_of', 'limit', 'sort', 'order', 'cursor'];
  const others = type === 'split' ? ['reverse_split'] : [];
  checkNames(parameters, [...names, ...bounds, ...others]);
  const isReverse = flag(parameters, 'reverse_split', undefined);
  const compare = orderFrom(parameters, list);
  const limit = limitFrom(parameters, 100, 5000);
  const start = integer(parameters, 'cursor', 0, [0, Number.MAX_SAFE_INTEGER]);
  const all: Action[] = [];
  for (const symbol of symbolsFrom(parameters)) {
    all.push(...(await call('listCorporateActions', { symbol })).data);
  }
  const found = all.filter(
    (action) =>
      action.type === type &&
      (isReverse ?? action.denominator > action.numerator) ===
        action.denominator > action.numerator &&
      Object.entries(COMPARISONS).every(([suffix, holds]) => {
        const bound = parameters[`${dateField}${suffix}`];
        return bound === undefined || holds(action.exDate, bound);
      }),
  );
  found.sort(compare);
  const results = found.slice(start, start + limit).map(row);
  const end = start + results.length;
  const next =
    end < found.length ? nextUrl(context, path, { ...parameters, cursor: String(end) }) : undefined;
  return success(context, { results, ...(next ? { next_url: next } : {}) });
}
