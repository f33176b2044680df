/** Daily bars of single symbols from Tiingo, raw, with the splits and dividends of their days. */

import { ParameterError, SourceEmptyError, UnknownSymbolError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits/limits.ts';
import { dateFromDay, dayFromDate } from '../../../base/time/dates.ts';
import type { FetchContext, FetchedSegment } from '../../contract/fetch-context.ts';
import { SkippedNotes } from '../../contract/skipped-notes.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { HttpClient } from '../../http/client.ts';
import { keyParts } from '../../http/vendor-key.ts';
import { vendors } from '../../http/vendors.ts';
import { landVendorBars } from '../shared/land-vendor-bars.ts';
import { VendorActions } from '../shared/vendor-actions.ts';
import { type DayRange, missingDays, monthStart } from '../shared/vendor-days.ts';
import { tiingoSymbol } from '../shared/vendor-symbols.ts';
import { parseTiingoPrices } from './parse-prices.ts';

/** One request a symbol. */
export interface TiingoQuestion extends DayRange {
  symbol: string;
}

/**
 * One segment a symbol, one request each. A refresh asks from the start of the last stored month.
 *
 * Symbols without bars are named in the `skipped` of the segment before them, else the next one.
 *
 * @throws {ParameterError} `symbols` are not given.
 * @throws {ConfigError} no key is set.
 * @throws {SourceEmptyError} nothing came of all that was asked; names each with its reason.
 * @throws as `HttpClient.get` and `parseTiingoPrices`.
 */
export async function* fetchTiingo(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  const questions = tiingoQuestions(options, context.nowMs);
  const key = keyParts(vendors.TIINGO, context.settings);
  const http = new HttpClient(context.settings, { signal: context.signal });
  const notes = new SkippedNotes();
  try {
    for (const [done, question] of questions.entries()) {
      context.onProgress?.('fetch', done, questions.length);
      try {
        const answer = await answerOf(question, http, key);
        yield* notes.carriedBy(landVendorBars(answer, options, context));
      } catch (error) {
        if (!(error instanceof UnknownSymbolError || error instanceof SourceEmptyError))
          throw error;
        notes.add(question.symbol, error.message);
      }
    }
    context.onProgress?.('fetch', questions.length, questions.length);
  } finally {
    await http.close();
  }
  if (questions.length > 0) notes.requireSegments('Tiingo');
}

/** What is missing; nothing of a symbol that is up to date. */
export function tiingoQuestions(options: SourceOptions, nowMs: number): TiingoQuestion[] {
  const { symbols = [], fromDay, lastStoredDay } = options;
  if (symbols.length === 0) throw new ParameterError('symbols', 'tiingo needs --symbols');
  const firstDay = dayFromDate(limits.ingest.earliestDate);
  return symbols.flatMap((symbol) => {
    const storedDay = lastStoredDay?.(symbol);
    const range = missingDays(storedDay, firstDay, options, { interval: '1d', nowMs });
    if (!range) return [];
    const isRefresh = storedDay !== undefined && fromDay === undefined;
    return [{ symbol, ...range, fromDay: isRefresh ? monthStart(storedDay) : range.fromDay }];
  });
}

async function answerOf(
  { symbol, fromDay, toDay }: TiingoQuestion,
  http: Pick<HttpClient, 'get'>,
  key: ReturnType<typeof keyParts>,
) {
  const asked = tiingoSymbol(symbol);
  const [startDate, endDate] = [dateFromDay(fromDay), dateFromDay(toDay)];
  const { text } = await http.get({
    vendor: vendors.TIINGO,
    path: `/tiingo/daily/${encodeURIComponent(asked)}/prices`,
    ...key,
    query: { startDate, endDate, resampleFreq: 'daily', format: 'json' },
    symbol: asked,
  });
  const actions = new VendorActions();
  const bars = parseTiingoPrices(text, asked, actions);
  if (bars.close.length === 0) {
    throw new SourceEmptyError(`Tiingo has no bars of "${symbol}" for the time asked`);
  }
  const coverage = { coverageFromDay: fromDay, coverageToDay: toDay };
  return {
    source: 'tiingo',
    interval: '1d' as const,
    origin: `tiingo ${asked} ${startDate}/${endDate}`,
    barsBySymbol: new Map([[symbol, bars]]),
    actionsOf: () => ({ ...actions.of(asked), ...coverage }),
  };
}
