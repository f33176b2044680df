/** `GET /svc/candles`: candles of many symbols, or of all, in one answer. */

import type { Mode } from '../data-dir.ts';
import { HttpError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Snapshot } from '../store/serving/snapshot.ts';
import { type Answer, piecesAnswer } from './answer.ts';
import { csvPieces } from './candles-csv.ts';
import {
  BULK_FORMATS,
  type CandlesQuery,
  candlesParameters,
  candlesQuery,
} from './candles-query.ts';
import { candleSeries } from './candles-series.ts';
import { checkDerivable, firstNames, symbolsWithBars } from './candles-symbols.ts';
import { charge } from './charge.ts';
import { candlesExample } from './examples/prices.ts';
import { CONTENT_TYPES } from './format.ts';
import { rememberParsed } from './parsed-queries.ts';
import type { AdmittedExchange, Route, RouteSources } from './route.ts';
import { isDailyInterval } from './served-bars.ts';
import { createStreamBound, type StreamBound } from './stream-bound.ts';

const parsedCandlesQuery = rememberParsed(candlesQuery);

/** Current symbols of known names, each once. */
function knownSymbols(snapshot: Snapshot, names: readonly string[], mode: Mode): string[] {
  const unknown = names.filter((name) => snapshot.resolve(name) === undefined);
  if (unknown.length > 0) {
    throw new HttpError(404, `Unknown symbols in ${mode} data: ${firstNames(unknown)}`);
  }
  return [...new Set(names.map((name) => snapshot.resolve(name)!))];
}

/** Everything that can be wrong is found here, before the status is sent. */
async function written(
  exchange: AdmittedExchange,
  snapshot: Snapshot,
  query: CandlesQuery,
  { counted }: StreamBound,
): Promise<Answer> {
  const { interval, adjustment, format } = query;
  const symbols = query.symbols
    ? knownSymbols(snapshot, query.symbols, exchange.key.mode)
    : await symbolsWithBars(snapshot, interval);
  charge(exchange, Math.max(1, symbols.length));
  if (adjustment) await checkDerivable(snapshot, symbols, interval, adjustment);
  const headers = adjustment ? ['X-SVC-Adjustment', adjustment] : [];
  const hasDates = isDailyInterval(interval);
  const series = () => candleSeries(snapshot, symbols, query);
  if (format === 'csv') {
    const pieces = counted(() => csvPieces(series(), hasDates));
    return piecesAnswer(CONTENT_TYPES.csv, pieces, headers);
  }
  const { arrowStreamPieces } = await import('./candles-arrow.ts');
  const pieces = counted(() => arrowStreamPieces(series(), symbols, hasDates));
  return piecesAnswer(CONTENT_TYPES.arrow, pieces, headers);
}

export function candleRoutes({ readers, answers }: RouteSources): Route[] {
  const streams = createStreamBound(limits.bulk.streamsMax);
  return [
    {
      template: '/svc/candles',
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
          503: '32 bulk answers are on their way already: try again later',
        },
        examples: [candlesExample],
      },
      answer(exchange) {
        const { key, query, headers } = exchange;
        const asked = parsedCandlesQuery(query, headers.accept);
        streams.check();
        const snapshot = readers[key.mode].current();
        const id = isDailyInterval(asked.interval) ? snapshot.dailyId : snapshot.id;
        return answers(key.mode, id, `candles ${asked.canonical}`, () =>
          written(exchange, snapshot, asked, streams),
        );
      },
    },
  ];
}
