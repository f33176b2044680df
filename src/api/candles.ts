/** `GET /svc/candles`: candles of many symbols, or of all, in one answer. */

import type { Mode } from '../data-dir.ts';
import { HttpError } from '../errors.ts';
import type { Snapshot } from '../store/serving/snapshot.ts';
import { type Answer, piecesAnswer } from './answer.ts';
import { csvPieces } from './candles-csv.ts';
import { type CandlesQuery, candlesQuery } from './candles-query.ts';
import { candleSeries, checkDerivable, firstNames } from './candles-series.ts';
import { CONTENT_TYPES } from './format.ts';
import { rememberParsed } from './parsed-queries.ts';
import type { Route, RouteSources } from './route.ts';
import { isDailyInterval } from './served-bars.ts';

const parsedCandlesQuery = rememberParsed(candlesQuery);

function checkKnown(snapshot: Snapshot, symbols: readonly string[], mode: Mode): void {
  const unknown = symbols.filter((symbol) => snapshot.rowCount(symbol, '1d') === 0);
  if (unknown.length === 0) return;
  throw new HttpError(404, `Unknown symbols in ${mode} data: ${firstNames(unknown)}`);
}

/** Everything that can be wrong is found here, before the status is sent. */
async function written(snapshot: Snapshot, query: CandlesQuery, mode: Mode): Promise<Answer> {
  const { interval, adjustment, format } = query;
  const symbols = query.symbols ?? snapshot.symbols;
  if (query.symbols) checkKnown(snapshot, query.symbols, mode);
  if (adjustment) await checkDerivable(snapshot, symbols, adjustment);
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
      answer({ key, query, headers }) {
        const asked = parsedCandlesQuery(query, headers.accept);
        const snapshot = readers[key.mode].current();
        return answers(key.mode, snapshot, `candles ${asked.canonical}`, () =>
          written(snapshot, asked, key.mode),
        );
      },
    },
  ];
}
