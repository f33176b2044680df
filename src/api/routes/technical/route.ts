/** `GET /svc/technical/{symbol}`: candles and indicators of one symbol. */

import { roundedColumn } from '../../../base/significant-digits.ts';
import { isDailyInterval } from '../../../base/time/intervals.ts';
import type { BarsSnapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Route } from '../../contract/route.ts';
import { CONTENT_TYPES, FORMATS } from '../../http/format.ts';
import { symbolPath } from '../../http/query-fields.ts';
import { type ApiResponse, createResponse } from '../../http/response.ts';
import { snapshotAsOf } from '../../responses/as-of.ts';
import { type BarLabels, labelColumns, labelsOf, sessionHeader } from '../../responses/sessions.ts';
import { knownSymbol } from '../../responses/symbols.ts';
import type { Table, TableColumn } from '../../responses/table.ts';
import { tableResponse } from '../../responses/table-response.ts';
import { bulkTechnical } from './bulk.ts';
import {
  type BarsWithIndicators,
  columnNames,
  type IndicatorSeries,
  type TechnicalColumns,
  technicalColumns,
} from './columns.ts';
import { jsonFromTechnical } from './json.ts';
import { parsedQuery, type TechnicalQuery, technicalParameters } from './query.ts';
import { technicalExample, technicalSchema } from './schema.ts';

function columnsOfSeries(series: IndicatorSeries): TableColumn[] {
  return columnNames(series).map((name, index) => ({
    name,
    type: 'number',
    values: series.outputs[index],
  }));
}

function tableFromTechnical({ bars, indicators }: BarsWithIndicators, labels: BarLabels): Table {
  return [
    { name: 'timestamp', type: 'timestamp', values: bars.timestampUs },
    ...labelColumns(bars.timestampUs, labels),
    { name: 'open', type: 'number', values: bars.open },
    { name: 'high', type: 'number', values: bars.high },
    { name: 'low', type: 'number', values: bars.low },
    { name: 'close', type: 'number', values: bars.close },
    { name: 'volume', type: 'volume', values: bars.volume },
    ...indicators.flatMap(columnsOfSeries),
  ];
}

/** Returns the columns of a response, indicators with its digits. */
function shownColumns(
  snapshot: BarsSnapshot,
  symbol: string,
  query: TechnicalQuery,
): TechnicalColumns {
  const columns = technicalColumns(snapshot, symbol, query);
  const { digits } = query;
  if (digits === undefined) return columns;
  const indicators = columns.indicators.map((series) => ({
    ...series,
    outputs: series.outputs.map((values) => roundedColumn(values, digits)),
  }));
  return { ...columns, indicators };
}

function technicalResponse(
  symbol: string,
  query: TechnicalQuery,
  columns: TechnicalColumns,
): ApiResponse | Promise<ApiResponse> {
  const { format } = query;
  const headers = ['X-SVC-Adjustment', columns.adjustment, ...sessionHeader(query.session)];
  if (format === 'json') {
    const body = jsonFromTechnical(symbol, query, columns);
    return createResponse(200, CONTENT_TYPES.json, body, headers);
  }
  return tableResponse(tableFromTechnical(columns, labelsOf(query)), format, headers);
}

const technical: Route = {
  template: '/svc/technical/{symbol}',
  access: { scope: 'technicals:read', tokens: 5 },
  contract: {
    operationId: 'getTechnical',
    tag: 'Technical analysis',
    summary: 'Get candles and indicators',
    description:
      'Bars are in ascending order. Indicators use the whole history, so a window never ' +
      'lacks its warm-up; points before the first value of an indicator are left out. ' +
      'Bars of days, weeks and months are of regular sessions, and shorter ones too unless ' +
      '`session` chooses others. They start at the open of their session in New York. ' +
      'A listed symbol without bars has empty lists.\n\n' +
      'CSV and Arrow have a column for each line of an indicator: `sma:20`, `macd`, ' +
      '`macd_signal`, `macd_histogram`, `bollinger_upper` and so on; days, weeks and months ' +
      'also have a column `date`.',
    path: symbolPath,
    query: technicalParameters,
    response: technicalSchema,
    formats: FORMATS,
    isTagged: true,
    headers: ['X-SVC-Adjustment', 'X-SVC-Session'],
    errors: { 400: 'period must be an integer from 1 to 1000, got "0"' },
    examples: [technicalExample],
  },
  respond({ key, query, params, headers }, { readers, cached, now }) {
    const request = parsedQuery(query, headers.accept);
    const snapshot = snapshotAsOf(readers[key.mode], request.asOf, now());
    const symbol = knownSymbol(snapshot, key.mode, params.symbol);
    const id = isDailyInterval(request.interval) ? snapshot.dailyId : snapshot.id;
    return cached(key.mode, id, `technical ${symbol} ${request.canonical}`, () =>
      technicalResponse(symbol, request, shownColumns(snapshot, symbol, request)),
    );
  },
};

export const technicalRoutes = [bulkTechnical, technical];
