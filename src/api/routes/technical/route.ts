/** `GET /svc/technical/{symbol}`: candles and indicators of one symbol. */

import { technicalSchema } from '../../docs/answer-schemas.ts';
import { technicalExample } from '../../docs/examples/prices.ts';
import { CONTENT_TYPES, FORMATS } from '../../http/format.ts';
import { symbolPath } from '../../http/path-fields.ts';
import { type Answer, createAnswer } from '../../http/response.ts';
import type { Route, RouteSources } from '../../http/route.ts';
import { rememberParsed } from '../../responses/parsed-queries.ts';
import { arrowAnswer, csvAnswer } from '../../responses/table-response.ts';
import { isDailyInterval } from '../candles/served-bars.ts';
import { knownSymbol } from '../symbols/known-symbol.ts';
import { type TechnicalColumns, technicalColumns } from './columns.ts';
import { jsonFromTechnical } from './json.ts';
import { type TechnicalQuery, technicalParameters, technicalQuery } from './query.ts';
import { tableFromTechnical } from './table.ts';

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
      contract: {
        operationId: 'getTechnical',
        tag: 'Technical analysis',
        summary: 'Get candles and indicators',
        description:
          'Bars are in ascending order. Indicators use the whole history, so a window never ' +
          'lacks its warm-up; points before the first value of an indicator are left out. ' +
          'Intraday bars hold the trades of regular sessions and start at the open in New York. ' +
          'A listed symbol without bars has empty lists.\n\n' +
          'CSV and Arrow have a column for each line of an indicator: `sma:20`, `macd`, ' +
          '`macd_signal`, `macd_histogram`, `bollinger_upper` and so on; days, weeks and months ' +
          'also have a column `date`.',
        path: symbolPath,
        query: technicalParameters,
        answer: technicalSchema,
        formats: FORMATS,
        isTagged: true,
        headers: ['X-SVC-Adjustment'],
        errors: { 400: 'period must be an integer from 1 to 1000, got "0"' },
        examples: [technicalExample],
      },
      answer({ key, query, params, headers }) {
        const asked = parsedTechnicalQuery(query, headers.accept);
        const snapshot = readers[key.mode].current();
        const symbol = knownSymbol(snapshot, key.mode, params.symbol);
        const id = isDailyInterval(asked.interval) ? snapshot.dailyId : snapshot.id;
        return answers(key.mode, id, `technical ${symbol} ${asked.canonical}`, () =>
          written(symbol, asked, technicalColumns(snapshot, symbol, asked)),
        );
      },
    },
  ];
}
