/** A user's own files of a dataset: the route for any vendor. */

import type { FetchContext, FetchedSegment } from '../contract/fetch-context.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import type { CandleFileSource } from './prepare.ts';

const candleFiles: CandleFileSource = { id: 'files', symbolForm: 'files', isNamedBySymbol: false };

/** @throws as `fetchCandleFiles` and `fetchActionFiles`. */
export async function* fetchFiles(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedSegment> {
  if (options.dataset === 'corporate-actions') {
    const { fetchActionFiles } = await import('../rows/action-files.ts');
    yield* fetchActionFiles(options, context);
  } else {
    const { fetchCandleFiles } = await import('./candle-files.ts');
    yield* fetchCandleFiles(candleFiles, options, context);
  }
}
