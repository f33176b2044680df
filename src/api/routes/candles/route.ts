/** `GET /svc/candles`: candles of many or all symbols in one response. */

import type { Mode } from '../../../base/config/data-dir.ts';
import { HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import { charge } from '../../access/admission.ts';
import type { Route, RouteExample } from '../../contract/route.ts';
import { CONTENT_TYPES } from '../../http/format.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { type ApiResponse, streamedResponse } from '../../http/response.ts';
import { csvPieces } from './csv.ts';
import { BULK_FORMATS, type CandlesQuery, candlesParameters, parsedQuery } from './query.ts';
import { candleSeries } from './series.ts';
import { isDailyInterval } from './served-bars.ts';
import { createStreamBound } from './stream-bound.ts';
import { checkDerivable, firstNames, symbolsWithBars } from './symbols.ts';

/** Bound on the streams of this thread. */
const streams = createStreamBound(limits.bulk.streamsMax);

/** Resolves names to current symbols, each once. @throws {HttpError} 404 */
function resolvedSymbols(snapshot: Snapshot, names: readonly string[], mode: Mode): string[] {
  const unknown = names.filter((name) => snapshot.resolve(name) === undefined);
  if (unknown.length > 0) {
    throw new HttpError(404, `Unknown symbols in ${mode} data: ${firstNames(unknown)}`);
  }
  return [...new Set(names.map((name) => snapshot.resolve(name)!))];
}

/** Creates the stream; every error is found here, before the status is sent. */
async function candlesResponse(
  context: AdmittedContext,
  snapshot: Snapshot,
  query: CandlesQuery,
): Promise<ApiResponse> {
  const { interval, adjustment, format } = query;
  const symbols = query.symbols
    ? resolvedSymbols(snapshot, query.symbols, context.key.mode)
    : await symbolsWithBars(snapshot, interval);
  charge(context, Math.max(1, symbols.length));
  if (adjustment) await checkDerivable(snapshot, symbols, interval, adjustment);
  const headers = adjustment ? ['X-SVC-Adjustment', adjustment] : [];
  const hasDates = isDailyInterval(interval);
  const series = () => candleSeries(snapshot, symbols, query);
  if (format === 'csv') {
    const pieces = streams.counted(() => csvPieces(series(), hasDates));
    return streamedResponse(CONTENT_TYPES.csv, pieces, headers);
  }
  const { arrowStreamPieces } = await import('./arrow.ts');
  const pieces = streams.counted(() => arrowStreamPieces(series(), symbols, hasDates));
  return streamedResponse(CONTENT_TYPES.arrow, pieces, headers);
}

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
    headers: ['X-SVC-Adjustment'],
    errors: {
      400: 'symbols must be * or a comma-separated list of symbols, it is missing',
      404: 'Unknown symbols in sandbox data: NONE',
      503: '32 bulk responses are in progress: try again later',
    },
    examples: [EXAMPLE],
  },
  respond(context, { readers, cached }) {
    const { key, query, headers } = context;
    const request = parsedQuery(query, headers.accept);
    streams.check();
    const snapshot = readers[key.mode].current();
    const id = isDailyInterval(request.interval) ? snapshot.dailyId : snapshot.id;
    return cached(key.mode, id, `candles ${request.canonical}`, () =>
      candlesResponse(context, snapshot, request),
    );
  },
};

export const candleRoutes = [candles];
