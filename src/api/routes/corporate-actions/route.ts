/** `GET /svc/corporate-actions/{symbol}`: splits and dividends of one symbol. */

import type { z } from 'zod';
import { paidType } from '../../../base/bars.ts';
import { PRICE_CURRENCY } from '../../../base/datasets/currency.ts';
import {
  type ActionCoverage,
  type DaySpan,
  dividendDays,
} from '../../../base/prices/action-coverage.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { BarsSnapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import { ONLY_FORMAT, symbolRoute } from '../../contract/symbol-route.ts';
import { CONTENT_TYPES, type Format } from '../../http/format.ts';
import { type ApiResponse, createResponse } from '../../http/response.ts';
import { tableFromRows } from '../../responses/record-pages.ts';
import type { Table } from '../../responses/table.ts';
import { tableResponse } from '../../responses/table-response.ts';
import { barInfo } from '../candles/served-bars.ts';
import {
  type actionCoverageSchema,
  corporateActionSchema,
  corporateActionsExample,
  corporateActionsSchema,
} from './schema.ts';

type Action = z.infer<typeof corporateActionSchema>;

/** Returns the actions of a symbol, newest first; none without bars. */
export function actionsOf(snapshot: BarsSnapshot, symbol: string): Action[] {
  const info = barInfo(snapshot, symbol);
  if (!info) return [];
  const splits = info.splits.map(({ exDay, numerator, denominator }) => ({
    exDay,
    action: { type: 'split', numerator, denominator, amount: null, currency: null } as const,
  }));
  const dividends = info.dividends.map(({ exDay, amount, currency = PRICE_CURRENCY, ...paid }) => ({
    exDay,
    action: { type: paidType(paid), numerator: null, denominator: null, amount, currency } as const,
  }));
  return [...splits, ...dividends]
    .sort((a, b) => b.exDay - a.exDay)
    .map(({ exDay, action: { type, ...rest } }) => {
      return { symbol, type, exDate: dateFromDay(exDay), ...rest };
    });
}

export function tableFromActions(actions: readonly Action[]): Table {
  return tableFromRows(actions, corporateActionSchema, 'date');
}

/** Returns the days for which actions are known, as dates. */
export function datedCoverage(coverage: ActionCoverage): z.infer<typeof actionCoverageSchema> {
  const dividends = dividendDays(coverage);
  return { ...datedSpan(coverage), dividends: dividends && datedSpan(dividends) };
}

function datedSpan({ fromDay, toDay }: DaySpan) {
  return { from: dateFromDay(fromDay), to: dateFromDay(toDay) };
}

function response(
  snapshot: BarsSnapshot,
  symbol: string,
  format: Format,
): ApiResponse | Promise<ApiResponse> {
  const data = actionsOf(snapshot, symbol);
  if (format !== 'json') return tableResponse(tableFromActions(data), format);
  const known = barInfo(snapshot, symbol)?.actionCoverage;
  const body = { data, ...(known && { coverage: datedCoverage(known) }) };
  return createResponse(200, CONTENT_TYPES.json, JSON.stringify(body));
}

const corporateActions = symbolRoute({
  template: '/svc/corporate-actions/{symbol}',
  access: { scope: 'quotes:read', tokens: 1 },
  parameters: ONLY_FORMAT,
  contract: {
    operationId: 'listCorporateActions',
    tag: 'Symbols',
    summary: 'List splits and dividends',
    description:
      'Newest first. A split has a ratio, a dividend an amount per share as declared; fields ' +
      'that do not apply are null. A known symbol without any has an empty list, with `coverage` ' +
      'where it is known that there is none.',
    response: corporateActionsSchema,
    isTagged: true,
    examples: [corporateActionsExample],
  },
  respond: ({ mode, snapshot, symbol }, { format }, { cached }) =>
    cached(mode, snapshot.id, `actions ${format} ${symbol}`, () =>
      response(snapshot, symbol, format),
    ),
});

export const corporateActionRoutes = [corporateActions];
