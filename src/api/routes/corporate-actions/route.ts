/** `GET /svc/corporate-actions/{symbol}`: splits and dividends of one symbol. */

import { z } from 'zod';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Route } from '../../contract/route.ts';
import { CONTENT_TYPES, FORMATS, type Format } from '../../http/format.ts';
import { queryParser } from '../../http/query.ts';
import { formatField, symbolPath } from '../../http/query-fields.ts';
import { type ApiResponse, createResponse } from '../../http/response.ts';
import { knownSymbol } from '../../responses/symbols.ts';
import type { Table } from '../../responses/table.ts';
import { tableResponse } from '../../responses/table-response.ts';
import { barInfo } from '../candles/served-bars.ts';
import { corporateActionsExample, corporateActionsSchema } from './schema.ts';

const parameters = z.strictObject({ format: formatField.optional() });

const parsedQuery = queryParser(parameters, FORMATS);

interface Action {
  symbol: string;
  type: 'split' | 'dividend';
  exDay: number;
  /** Set for splits. */
  numerator: number | null;
  denominator: number | null;
  /** Set for dividends. */
  amount: number | null;
}

/** Returns the actions of a symbol, newest first; none without bars. */
export function actionsOf(snapshot: Snapshot, symbol: string): Action[] {
  const info = barInfo(snapshot, symbol);
  if (!info) return [];
  const none = { symbol, numerator: null, denominator: null, amount: null };
  const actions: Action[] = [
    ...info.splits.map((split) => ({ ...none, type: 'split', ...split }) as const),
    ...info.dividends.map((dividend) => ({ ...none, type: 'dividend', ...dividend }) as const),
  ];
  return actions.sort((a, b) => b.exDay - a.exDay);
}

function jsonFromAction({ symbol, type, exDay, numerator, denominator, amount }: Action): string {
  const exDate = dateFromDay(exDay);
  return JSON.stringify({ symbol, type, exDate, numerator, denominator, amount });
}

export function tableFromActions(actions: readonly Action[]): Table {
  const number = (name: 'numerator' | 'denominator' | 'amount') =>
    ({
      name,
      type: 'number',
      values: Float64Array.from(actions, (action) => action[name] ?? Number.NaN),
    }) as const;
  return [
    { name: 'symbol', type: 'text', values: actions.map(({ symbol }) => symbol) },
    { name: 'type', type: 'text', values: actions.map(({ type }) => type) },
    { name: 'exDate', type: 'date', values: Int32Array.from(actions, ({ exDay }) => exDay) },
    number('numerator'),
    number('denominator'),
    number('amount'),
  ];
}

function response(actions: readonly Action[], format: Format): ApiResponse | Promise<ApiResponse> {
  if (format !== 'json') return tableResponse(tableFromActions(actions), format);
  const body = `{"data":[${actions.map(jsonFromAction).join(',')}]}`;
  return createResponse(200, CONTENT_TYPES.json, body);
}

const corporateActions: Route = {
  template: '/svc/corporate-actions/{symbol}',
  access: { scope: 'quotes:read', tokens: 1 },
  contract: {
    operationId: 'listCorporateActions',
    tag: 'Symbols',
    summary: 'List splits and dividends',
    description:
      'Newest first. A split has a ratio, a dividend an amount per share as declared; fields ' +
      'that do not apply are null. A known symbol without any has an empty list.',
    path: symbolPath,
    query: parameters,
    response: corporateActionsSchema,
    formats: FORMATS,
    isTagged: true,
    examples: [corporateActionsExample],
  },
  respond({ key, query, params, headers }, { readers, cached }) {
    const { format } = parsedQuery(query, headers.accept);
    const snapshot = readers[key.mode].current();
    const symbol = knownSymbol(snapshot, key.mode, params.symbol);
    return cached(key.mode, snapshot.id, `actions ${format} ${symbol}`, () =>
      response(actionsOf(snapshot, symbol), format),
    );
  },
};

export const corporateActionRoutes = [corporateActions];
