/** Stooq's bulk downloads of daily and 5-minute US bars, from the user's local zip or unpacked folder. */

import type { FetchContext, FetchedSegment } from '../contract/fetch-context.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { fetchCandleFiles } from './candle-files.ts';
import type { CandleFileSource } from './prepare.ts';

const stooqFiles: CandleFileSource = {
  id: 'stooq',
  symbolForm: 'stooq',
  isNamedBySymbol: true,
  // Its clocks run in Poland, and change in other weeks than New York's.
  zone: 'Europe/Warsaw',
  refusal: ({ columns }) =>
    columns.ticker === undefined || columns.period === undefined
      ? 'it is not of the bulk layout <TICKER>,<PER>,<DATE>,…; read it with: backfill files candles'
      : undefined,
};

/** @throws as `fetchCandleFiles`. */
export function fetchStooq(
  options: SourceOptions,
  context: FetchContext,
): AsyncIterable<FetchedSegment> {
  return fetchCandleFiles(stooqFiles, options, context);
}
