/** `GET /svc/candles`: candles of many or all symbols in one response. */

import { isDailyInterval } from '../../../base/time/intervals.ts';
import type { Route, RouteExample } from '../../contract/route.ts';
import { NEEDS_VERSION } from '../../http/send-pieces.ts';
import { snapshotAsOf } from '../../responses/as-of.ts';
import { bulkPool, bulkResponse } from './bulk-response.ts';
import { BULK_FORMATS, candlesParameters, parsedQuery } from './query.ts';
import { candleSeries } from './series.ts';

const EXAMPLE: RouteExample = {
  title: 'Days of one symbol as CSV',
  query: { symbols: 'QXAA', from: '2026-11-16', format: 'csv' },
  csv:
    'symbol,timestamp,date,open,high,low,close,volume,adjustment\r\n' +
    'QXAA,2026-11-16T00:00:00.000Z,2026-11-16,141.49,145.36,140.34,144.5,9789,split\r\n' +
    'QXAA,2026-11-17T00:00:00.000Z,2026-11-17,145.45,147.56,142.79,142.9,7264,split\r\n',
};

const candles: Route = {
  template: '/svc/candles',
  access: { scope: 'quotes:read', tokens: 1, perSymbol: true },
  contract: {
    operationId: 'getCandles',
    tag: 'Candles',
    summary: 'Download candles of many symbols',
    description:
      'Streams one response from a single version of the data. The columns are `symbol`, ' +
      '`timestamp`, `date` (only for days, weeks and months), `open`, `high`, `low`, `close`, ' +
      '`volume` and `adjustment`, the price basis of the row. Rows are sorted by symbol in ' +
      'the order requested, then by time.\n\n' +
      'In Arrow, `symbol` and `adjustment` are dictionaries. A stream without its ' +
      'end-of-stream mark is incomplete. JSON is not available.',
    query: candlesParameters,
    formats: BULK_FORMATS,
    isTagged: true,
    headers: ['X-SVC-Adjustment', 'X-SVC-Session', 'X-SVC-Rows'],
    errors: {
      400: 'symbols must be * or a comma-separated list of symbols, it is missing',
      404: 'Unknown symbols in sandbox data: NONE',
      426: NEEDS_VERSION,
      503: '32 bulk responses are in progress: try again later',
    },
    examples: [EXAMPLE],
  },
  respond(context, { readers, cached, now }) {
    const { key, query, headers } = context;
    const request = parsedQuery(query, headers.accept);
    bulkPool.check(key.account);
    const { listsId } = readers[key.mode].current();
    const snapshot = snapshotAsOf(readers[key.mode], request.asOf, now());
    const ofBars = isDailyInterval(request.interval) ? snapshot.dailyId : snapshot.id;
    const id = request.universe === undefined ? ofBars : `${ofBars} ${listsId}`;
    return cached(key.mode, id, `candles ${request.canonical}`, () =>
      bulkResponse(context, snapshot, request, (symbols) =>
        candleSeries(snapshot, symbols, request),
      ),
    );
  },
};

export const candleRoutes = [candles];
