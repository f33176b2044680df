/** `GET /svc/corporate-actions/{symbol}`: splits and dividends of one symbol. */

import { z } from 'zod';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import { corporateActionsSchema } from '../../docs/answer-schemas.ts';
import { corporateActionsExample } from '../../docs/examples/directory.ts';
import { CONTENT_TYPES, chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { symbolPath } from '../../http/path-fields.ts';
import { checkedQuery } from '../../http/query.ts';
import { formatField } from '../../http/query-fields.ts';
import { type Answer, createAnswer } from '../../http/response.ts';
import type { Route, RouteSources } from '../../http/route.ts';
import { rememberParsed } from '../../responses/parsed-queries.ts';
import type { Table } from '../../responses/table.ts';
import { arrowAnswer, csvAnswer } from '../../responses/table-response.ts';
import { barInfo } from '../candles/served-bars.ts';
import { knownSymbol } from '../symbols/known-symbol.ts';

export const corporateActionsParameters = z.strictObject({ format: formatField.optional() });

const parsedFormat = rememberParsed((query, accept) =>
  chosenFormat(checkedQuery(corporateActionsParameters, query).format, accept, FORMATS),
);

interface Action {
  symbol: string;
  type: 'split' | 'dividend';
  exDay: number;
  /** A split has a ratio, a dividend an amount. */
  numerator: number | null;
  denominator: number | null;
  amount: number | null;
}

/** Newest first; none of a symbol without bars. */
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

function written(actions: readonly Action[], format: Format): Answer | Promise<Answer> {
  if (format === 'json') {
    const body = `{"data":[${actions.map(jsonFromAction).join(',')}]}`;
    return createAnswer(200, CONTENT_TYPES.json, body);
  }
  const table = tableFromActions(actions);
  return format === 'csv' ? csvAnswer(table, []) : arrowAnswer(table, []);
}

export function corporateActionRoutes({ readers, answers }: RouteSources): Route[] {
  return [
    {
      template: '/svc/corporate-actions/{symbol}',
      contract: {
        operationId: 'listCorporateActions',
        tag: 'Symbols',
        summary: 'List splits and dividends',
        description:
          'Newest first. A split has a ratio, a dividend an amount per share as declared; fields ' +
          'that do not apply are null. A known symbol without any has an empty list.',
        path: symbolPath,
        query: corporateActionsParameters,
        answer: corporateActionsSchema,
        formats: FORMATS,
        isTagged: true,
        examples: [corporateActionsExample],
      },
      answer({ key, query, params, headers }) {
        const format = parsedFormat(query, headers.accept);
        const snapshot = readers[key.mode].current();
        const symbol = knownSymbol(snapshot, key.mode, params.symbol);
        return answers(key.mode, snapshot.id, `actions ${format} ${symbol}`, () =>
          written(actionsOf(snapshot, symbol), format),
        );
      },
    },
  ];
}
