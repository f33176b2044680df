/**
 * Raw bars from Massive, the former Polygon: days of the whole market, histories of single symbols,
 * and its flat files from disk.
 */

import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { fetchCandleFiles } from '../../files/candle-files.ts';
import type { CandleFileSource } from '../../files/prepare.ts';
import { HttpClient } from '../../http/client.ts';
import { massiveAsk } from './client.ts';
import { fetchMassiveMarket } from './market.ts';
import { fetchMassiveSymbols } from './symbols.ts';

const flatFiles: CandleFileSource = { id: 'massive', symbolForm: 'nasdaq', isNamedBySymbol: false };

/**
 * With a path: its flat files. With symbols: each one's missing history. Else every session of the
 * whole market since the newest stored one: an evening's update is two requests.
 *
 * @throws {ConfigError} no key is set, and there is no path.
 * @throws {ParameterError} minutes of the whole market: those are in flat files only.
 * @throws {SourceEmptyError} nothing came of all that was asked.
 * @throws as `HttpClient.get`, the parsers and `fetchCandleFiles`.
 */
export async function* fetchMassive(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  if (options.path !== undefined) {
    yield* fetchCandleFiles(flatFiles, withFlatFileInterval(options), context);
    return;
  }
  const http = new HttpClient(context.settings, { signal: context.signal });
  try {
    const ask = massiveAsk(http, context.settings);
    yield* options.symbols
      ? fetchMassiveSymbols(options, context, ask)
      : fetchMassiveMarket(options, context, ask);
  } finally {
    await http.close();
  }
}

/** A flat file of one day does not tell its interval; its folder does, and our own option. */
function withFlatFileInterval(options: SourceOptions): SourceOptions {
  const ofPath = options.path?.includes('minute_aggs') ? '1m' : '1d';
  return {
    ...options,
    interval: options.interval ?? ofPath,
    zone: options.zone ?? 'America/New_York',
  };
}
