/** `GET /svc/technical/{symbol}`: candles and indicators of one symbol. */

import { type Answer, createAnswer } from './answer.ts';
import { CONTENT_TYPES } from './format.ts';
import { knownSymbol } from './known-symbol.ts';
import { rememberParsed } from './parsed-queries.ts';
import type { Route, RouteSources } from './route.ts';
import { isDailyInterval } from './served-bars.ts';
import { arrowAnswer, csvAnswer } from './table-answer.ts';
import { type TechnicalColumns, technicalColumns } from './technical-columns.ts';
import { jsonFromTechnical } from './technical-json.ts';
import { type TechnicalQuery, technicalQuery } from './technical-query.ts';
import { tableFromTechnical } from './technical-table.ts';

const parsedTechnicalQuery = rememberParsed(technicalQuery);

function written(
  symbol: string,
  { interval, format }: TechnicalQuery,
  columns: TechnicalColumns,
): Answer | Promise<Answer> {
  const headers = ['X-SVC-Adjustment', columns.adjustment];
  if (format === 'json') {
    const body = jsonFromTechnical(symbol, interval, columns);
    return createAnswer(200, CONTENT_TYPES.json, body, headers);
  }
  const table = tableFromTechnical(columns, isDailyInterval(interval));
  return format === 'csv' ? csvAnswer(table, headers) : arrowAnswer(table, headers);
}

export function technicalRoutes({ readers, answers }: RouteSources): Route[] {
  return [
    {
      template: '/svc/technical/{symbol}',
      answer({ key, query, params, headers }) {
        const asked = parsedTechnicalQuery(query, headers.accept);
        const snapshot = readers[key.mode].current();
        const symbol = knownSymbol(snapshot, key.mode, params.symbol);
        return answers(key.mode, snapshot, `technical ${symbol} ${asked.canonical}`, () =>
          written(symbol, asked, technicalColumns(snapshot, symbol, asked)),
        );
      },
    },
  ];
}
