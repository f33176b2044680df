/** `GET /svc/candles`: candles of many symbols, or of all, in one answer. */

import type { Mode } from '../data-dir.ts';
import { HttpError } from '../errors.ts';
import type { Snapshot } from '../store/serving/snapshot.ts';
import { type Answer, piecesAnswer } from './answer.ts';
import { csvPieces } from './candles-csv.ts';
import { type CandlesQuery, candlesQuery } from './candles-query.ts';
import { candleSeries } from './candles-series.ts';
import { checkDerivable, firstNames, symbolsWithBars } from './candles-symbols.ts';
import { charge } from './charge.ts';
import { CONTENT_TYPES } from './format.ts';
import { rememberParsed } from './parsed-queries.ts';
import type { AdmittedExchange, Route, RouteSources } from './route.ts';
import { isDailyInterval } from './served-bars.ts';

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
    return piecesAnswer(CONTENT_TYPES.csv, () => csvPieces(series(), hasDates), headers);
  }
  const { arrowStreamPieces } = await import('./candles-arrow.ts');
  const pieces = () => arrowStreamPieces(series(), symbols, hasDates);
  return piecesAnswer(CONTENT_TYPES.arrow, pieces, headers);
}

export function candleRoutes({ readers, answers }: RouteSources): Route[] {
  return [
    {
      template: '/svc/candles',
      answer(exchange) {
        const { key, query, headers } = exchange;
        const asked = parsedCandlesQuery(query, headers.accept);
        const snapshot = readers[key.mode].current();
        return answers(key.mode, snapshot, `candles ${asked.canonical}`, () =>
          written(exchange, snapshot, asked),
        );
      },
    },
  ];
}
