/** A user's own files of a dataset: the route for any vendor. */

import { fetchActionFiles } from '../action-files.ts';
import { fetchCandleFiles } from '../candle-files.ts';
import type { FetchContext, FetchedSegment } from '../fetch-context.ts';
import type { CandleFileSource } from '../prepare-files.ts';
import type { SourceOptions } from '../source-options.ts';

const candleFiles: CandleFileSource = { id: 'files', symbolForm: 'files', isNamedBySymbol: false };

/** @throws as `fetchCandleFiles` and `fetchActionFiles`. */
export function fetchFiles(
  options: SourceOptions,
  context: FetchContext,
): AsyncIterable<FetchedSegment> {
  if (options.dataset === 'corporate-actions') return fetchActionFiles(options, context);
  return fetchCandleFiles(candleFiles, options, context);
}
