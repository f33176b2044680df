/** Splits and dividends as Massive has them. */

import { ParameterError } from '../../base/errors.ts';
import type { CallRoute } from '../contract/adapter.ts';
import type { AdmittedContext } from '../http/request-context.ts';
import type { ApiResponse } from '../http/response.ts';
import {
  COMPARISONS,
  checkNames,
  chosen,
  flag,
  integer,
  limitFrom,
  nextUrl,
  type Parameters,
  success,
} from './protocol.ts';

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
