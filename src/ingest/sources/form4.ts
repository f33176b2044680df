/** Insiders' transactions from Forms 4 and 5, from disk or from the SEC. */

import type { FetchContext, FetchedRows } from '../fetch-context.ts';
import { fetchForm4Files } from '../form4/form4-files.ts';
import { fetchForm4Online } from '../form4/form4-online.ts';
import type { SourceOptions } from '../source-options.ts';

/** Without paths the SEC is asked. @throws as either way. */
export function fetchForm4(
  options: SourceOptions,
  context: FetchContext,
): AsyncIterable<FetchedRows> {
  return options.paths?.length
    ? fetchForm4Files(options, context)
    : fetchForm4Online(options, context);
}
