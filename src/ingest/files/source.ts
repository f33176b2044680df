import type { FetchContext, FetchedSegment } from '../contract/fetch-context.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { fetchCandleFiles } from './candle-files.ts';
import type { CandleFileSource } from './prepare.ts';

const anyFiles: CandleFileSource = { id: 'files', symbolForm: 'files', isNamedBySymbol: false };

const stooqFiles: CandleFileSource = {
  id: 'stooq',
  symbolForm: 'stooq',
  isNamedBySymbol: true,
  // Stooq's clocks run in Poland and change in other weeks than New York's.
  zone: 'Europe/Warsaw',
  refusal: ({ columns }) =>
    columns.ticker === undefined || columns.period === undefined
      ? 'it is not of the bulk layout <TICKER>,<PER>,<DATE>,…; read it with: backfill files candles --basis all'
      : undefined,
};

export async function* fetchFiles(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  if (options.dataset === 'corporate-actions') {
    // Imported late, since it needs the code of all record files.
    yield* (await import('../rows/action-files.ts')).fetchActionFiles(options, context);
  } else yield* fetchCandleFiles(anyFiles, options, context);
}

/** Reads bulk downloads of US bars, zipped or unpacked. */
export function fetchStooq(
  options: SourceOptions,
  context: FetchContext,
): AsyncIterable<FetchedSegment> {
  return fetchCandleFiles(stooqFiles, options, context);
}
