/** Insiders' transactions from Forms 4 and 5, from disk or from the SEC. */

import type { FetchContext, FetchedRows } from '../../contract/fetch-context.ts';
import type { SourceOptions } from '../../contract/source-options.ts';
import { fetchForm4Files } from './files.ts';
import { fetchForm4Online } from './online.ts';

/** Without paths the SEC is asked. @throws as either way. */
export function fetchForm4(
  options: SourceOptions,
  context: FetchContext,
): AsyncIterable<FetchedRows> {
  return options.paths?.length
    ? fetchForm4Files(options, context)
    : fetchForm4Online(options, context);
}
