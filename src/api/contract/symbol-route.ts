/** Routes about one symbol: what all of them do before they respond. */

import { z } from 'zod';
import type { Mode } from '../../base/config/data-dir.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { FORMATS, type Format } from '../http/format.ts';
import { type QueryParser, queryParser } from '../http/query.ts';
import { formatField, symbolPath } from '../http/query-fields.ts';
import type { ApiResponse } from '../http/response.ts';
import { knownSymbol } from '../responses/symbols.ts';
import type { Route, RouteContract, RouteSources } from './route.ts';

/** The newest version, and the symbol of the path in it. */
interface Found {
  account: string;
  mode: Mode;
  snapshot: Snapshot;
  symbol: string;
}

type Respond<T> = (
  found: Found,
  request: T,
  sources: RouteSources,
) => ApiResponse | Promise<ApiResponse>;

/** Parses the query, then finds the symbol. */
export function ofSymbol<T>(parse: QueryParser<T>, respond: Respond<T>): Route['respond'] {
  return ({ key: { account, mode }, query, params, headers }, sources) => {
    const request = parse(query, headers.accept);
    const snapshot = sources.readers[mode].current();
    const symbol = knownSymbol(snapshot, mode, params.symbol);
    return respond({ account, mode, snapshot, symbol }, request, sources);
  };
}

/** Parser of routes without parameters, whose queries the app has checked. */
export const noQuery = () => undefined;

/** Parameters of a route that has no others. */
export const ONLY_FORMAT = z.strictObject({ format: formatField.optional() });

/** Creates a route about one symbol that responds in all formats. */
export function symbolRoute<T extends { format?: Format }>({
  parameters,
  contract,
  respond,
  ...route
}: Omit<Route, 'contract' | 'respond'> & {
  parameters: z.ZodObject & z.ZodType<T>;
  contract: Omit<RouteContract, 'path' | 'query' | 'formats'>;
  respond: Respond<Omit<T, 'format'> & { format: Format }>;
}): Route {
  return {
    ...route,
    contract: { ...contract, path: symbolPath, query: parameters, formats: FORMATS },
    respond: ofSymbol(queryParser(parameters, FORMATS), respond),
  };
}
