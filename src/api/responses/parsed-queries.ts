/** Remembers what query strings mean: parsing depends on nothing but the text. */

import { limits } from '../../base/limits/limits.ts';

/** What a query string and the header `Accept` ask for. */
export type QueryParser<T> = (query: string, accept: string | undefined) => T;

/**
 * A parser that remembers its results; failures and long queries are parsed each time.
 *
 * When full it starts over: clients that repeat themselves are known again after one request.
 */
export function rememberParsed<T>(parse: QueryParser<T>): QueryParser<T> {
  const { entriesMax, charsMax } = limits.parsedQueries;
  const known = new Map<string, T>();
  return (query, accept) => {
    const text = accept === undefined ? query : `${query} ${accept}`;
    const found = known.get(text);
    if (found !== undefined) return found;
    const parsed = parse(query, accept);
    if (text.length <= charsMax) {
      if (known.size >= entriesMax) known.clear();
      known.set(text, parsed);
    }
    return parsed;
  };
}
