/** Streamed responses with rows of many symbols: what all of them have in common. */

import type { Mode } from '../../../base/config/data-dir.ts';
import { HttpError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { type BarsSnapshot, isWhole } from '../../../store/arrow/snapshot/snapshot.ts';
import { charge } from '../../access/admission.ts';
import { CONTENT_TYPES } from '../../http/format.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { type ApiResponse, streamedResponse } from '../../http/response.ts';
import { createPool } from '../../responses/pool.ts';
import { labelsOf, sessionHeader } from '../../responses/sessions.ts';
import { knownUniverse, membersInWindow } from '../../responses/universes.ts';
import { csvPieces, type ShownIndicators } from './csv.ts';
import type { CandlesQuery } from './query.ts';
import { rowCount } from './row-count.ts';
import type { CandleSeries } from './series.ts';
import { checkDerivable, firstNames, symbolsWithBars } from './symbols.ts';

/** Bulk responses of this thread. */
export const bulkPool = createPool('bulk responses', limits.bulk.streamsMax);

/** Resolves names to current symbols, each once. @throws {HttpError} 404 */
function resolvedSymbols(snapshot: BarsSnapshot, names: readonly string[], mode: Mode): string[] {
  const unknown = names.filter((name) => snapshot.resolve(name) === undefined);
  if (unknown.length > 0) {
    throw new HttpError(404, `Unknown symbols in ${mode} data: ${firstNames(unknown)}`);
  }
  return [...new Set(names.map((name) => snapshot.resolve(name)!))];
}

async function symbolsOf(
  snapshot: BarsSnapshot,
  { symbols, universe, interval, session, fromUs, toUs, isLatest = false }: CandlesQuery,
  mode: Mode,
): Promise<readonly string[]> {
  if (symbols) return resolvedSymbols(snapshot, symbols, mode);
  const withBars = await symbolsWithBars(snapshot, { interval, session });
  if (universe === undefined || !isWhole(snapshot)) return withBars;
  const known = knownUniverse(snapshot, mode, universe);
  const members = membersInWindow(snapshot, known, { fromUs, toUs }, isLatest);
  const has = new Set(withBars);
  return members.filter((symbol) => has.has(symbol));
}

/**
 * Creates the stream; every error is found here, before the status is sent.
 *
 * @param seriesOf Called when the stream begins.
 * @param indicators Columns of indicators in the series.
 */
export async function bulkResponse(
  context: AdmittedContext,
  snapshot: BarsSnapshot,
  query: CandlesQuery,
  seriesOf: (symbols: readonly string[]) => Iterable<CandleSeries>,
  { names, digits }: ShownIndicators = { names: [] },
): Promise<ApiResponse> {
  const { adjustment, format } = query;
  const { account } = context.key;
  const symbols = await symbolsOf(snapshot, query, context.key.mode);
  charge(context, Math.max(1, symbols.length));
  await checkDerivable(snapshot, symbols, query);
  const rows = await rowCount(snapshot, symbols, query);
  const headers = [
    ...(adjustment ? ['X-SVC-Adjustment', adjustment] : []),
    ...sessionHeader(query.session),
    ...(rows === undefined ? [] : ['X-SVC-Rows', String(rows)]),
  ];
  const labels = labelsOf(query);
  const served = countedSeries(() => seriesOf(symbols));
  const streamed = (pieces: () => Iterable<Uint8Array>) => {
    const body = bulkPool.held(account, pieces);
    const response = streamedResponse(CONTENT_TYPES[format], body, headers);
    const trailer = { name: 'X-SVC-Rows', value: () => String(served.rowCount) };
    return rows === undefined ? { ...response, trailer } : response;
  };
  if (format === 'csv') {
    return streamed(() => csvPieces(served, labels, { names, digits }));
  }
  if (format === 'parquet') {
    const { candlesParquetPieces } = await import('./parquet.ts');
    return streamed(() => candlesParquetPieces(served, labels, names));
  }
  const { arrowStreamPieces } = await import('./arrow.ts');
  return streamed(() => arrowStreamPieces(served, symbols, labels, names));
}

/** Counts the rows of series as they are read. */
function countedSeries(seriesOf: () => Iterable<CandleSeries>) {
  return {
    rowCount: 0,
    *[Symbol.iterator]() {
      for (const series of seriesOf()) {
        this.rowCount += series.rowCount;
        yield series;
      }
    },
  };
}
