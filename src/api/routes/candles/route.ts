/** `GET /svc/candles`: candles of many symbols, or of all, in one answer. */

import type { Mode } from '../../../base/config/data-dir.ts';
import { HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import type { Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import { charge } from '../../access/charge.ts';
import { candlesExample } from '../../docs/examples/prices.ts';
import { CONTENT_TYPES } from '../../http/format.ts';
import { type Answer, piecesAnswer } from '../../http/response.ts';
import type { AdmittedExchange, Route, RouteSources } from '../../http/route.ts';
import { rememberParsed } from '../../responses/parsed-queries.ts';
import { createStreamBound, type StreamBound } from '../../responses/stream-bound.ts';
import { csvPieces } from './csv.ts';
import { BULK_FORMATS, type CandlesQuery, candlesParameters, candlesQuery } from './query.ts';
import { candleSeries } from './series.ts';
import { isDailyInterval } from './served-bars.ts';
import { checkDerivable, firstNames, symbolsWithBars } from './symbols.ts';

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
  const { arrowStreamPieces } = await import('./arrow.ts');
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
