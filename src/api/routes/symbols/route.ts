/** `GET /svc/symbols`: searches the directory of symbols, page by page. */

import { z } from 'zod';
import { dateFromDay, dayFromMillis } from '../../../base/time/dates.ts';
import type { Listings, ServingReader, Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Route } from '../../contract/route.ts';
import { chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { cachedParser, checkedQuery } from '../../http/query.ts';
import {
  choiceField,
  cursorField,
  exchangeField,
  formatField,
  listField,
  pageLimitField,
  textField,
} from '../../http/query-fields.ts';
import { type ApiResponse, PRIVATE_HEADERS } from '../../http/response.ts';
import { pageHeaders, pageResponse } from '../../responses/pages.ts';
import { tableFromRows } from '../../responses/record-pages.ts';
import type { Table } from '../../responses/table.ts';
import { tableResponse } from '../../responses/table-response.ts';
import { onceReached } from '../../responses/walked-version.ts';
import { barInfo } from '../candles/served-bars.ts';
import { symbolDetails } from './details.ts';
import { symbolPageSchema, symbolRowSchema, symbolsExample } from './schema.ts';
import { type SymbolFilter, searchedRows } from './search.ts';
import { directoryOfWalk, type SymbolPlace } from './walk.ts';

const parameters = z.strictObject({
  search: textField('must be the start of a ticker or words of a name')
    .describe(
      "The start of a ticker, a complete former ticker, or the start of words in the company's " +
        'name. Case does not matter.',
    )
    .optional(),
  exchange: exchangeField.optional(),
  type: listField('must be a comma-separated list of types')
    .describe('One or more: `stock`, `etf`, `preferred` and so on. Case does not matter.')
    .optional(),
  active: choiceField(['true', 'false'])
    .describe(
      '`true`: not delisted, and its newest bar is at most 7 days older than the newest bar of ' +
        'all symbols; `false`: all others.',
    )
    .optional(),
  limit: pageLimitField,
  cursor: cursorField.optional(),
  format: formatField.optional(),
});

interface SymbolsRequest {
  filter: SymbolFilter;
  limit: number;
  cursor: string | undefined;
  format: Format;
  /** The same text for every spelling of a query, for the cursor. */
  canonical: string;
}

const parsedQuery = cachedParser((query, accept): SymbolsRequest => {
  const requested = checkedQuery(parameters, query);
  const { exchange, type, active, limit, cursor } = requested;
  const search = requested.search?.trim().toLowerCase();
  const filter = {
    search,
    exchange,
    type,
    isActive: active === undefined ? undefined : active === 'true',
  };
  const format = chosenFormat(requested.format, accept, FORMATS);
  const canonical = JSON.stringify(['symbols', search, exchange, type, active]);
  return { filter, limit, cursor, format, canonical };
});

function currentSymbol(snapshot: Snapshot, listings: Listings, row: number): string | undefined {
  if (listings === snapshot.listings) return listings.symbol[row];
  const { symbol, securityId } = snapshot.listings;
  return symbol[securityId.indexOf(listings.securityId[row])];
}

/** Returns a row; its bars are those of the newest version, in which the symbol may differ. */
function listingRow(snapshot: Snapshot, listings: Listings, row: number) {
  const { symbol, companyName, exchange, type, source } = listings;
  const current = currentSymbol(snapshot, listings, row);
  const info = current === undefined ? undefined : barInfo(snapshot, current);
  const date = (us: bigint) => dateFromDay(dayFromMillis(Number(us / 1000n)));
  return {
    symbol: symbol[row],
    companyName: companyName[row] || null,
    exchange: exchange[row] || null,
    type: type[row] || null,
    firstBar: info ? date(info.firstBarUs) : null,
    lastBar: info ? date(info.lastBarUs) : null,
    source: info ? info.source : source[row] || null,
  };
}

/** @param listings Listings of the snapshot or of a recent version, to which `rows` belong. */
export function tableFromListings(
  snapshot: Snapshot,
  rows: readonly number[],
  listings: Listings = snapshot.listings,
): Table {
  return tableFromRows(
    rows.map((row) => listingRow(snapshot, listings, row)),
    symbolRowSchema,
  );
}

const symbols: Route = {
  template: '/svc/symbols',
  access: { scope: 'quotes:read', tokens: 1 },
  isPageCached: true,
  contract: {
    operationId: 'listSymbols',
    tag: 'Symbols',
    summary: 'List symbols',
    description:
      'Returns every symbol that any source names, with or without bars, in ascending order. ' +
      '`firstBar` and `lastBar` are days of daily bars, or of intraday bars if there are no ' +
      'daily ones; null without bars. A walk keeps the symbols and the total of the version ' +
      'of its first page, as a walk of the screener does.',
    query: parameters,
    response: symbolPageSchema,
    formats: FORMATS,
    headers: ['X-SVC-Snapshot-Changed'],
    examples: [symbolsExample],
  },
  respond({ key: { account, mode }, query, headers }, { readers, cursors }) {
    const request = parsedQuery(query, headers.accept);
    const walk = { account, mode, query: request.canonical };
    const { cursor } = request;
    const place = cursor === undefined ? undefined : cursors.open<SymbolPlace>(cursor, walk);
    const seal = (next: SymbolPlace) => cursors.seal(walk, next);
    return onceReached(readers[mode], place?.[0], () =>
      symbolsResponse(readers[mode], request, place, seal),
    );
  },
};

/** @param place End of the page before. */
function symbolsResponse(
  reader: ServingReader,
  { filter, limit, format }: SymbolsRequest,
  place: SymbolPlace | undefined,
  seal: (next: SymbolPlace) => string,
): ApiResponse | Promise<ApiResponse> {
  const snapshot = reader.current();
  const { directory, isChanged } = directoryOfWalk(reader, snapshot, place);
  const { listings } = directory;
  const found = searchedRows(directory, filter);
  const rest = place ? found.filter((row) => listings.symbol[row] > place[2]) : found;
  const rows = rest.slice(0, limit);
  const last = listings.symbol[rows[rows.length - 1]];
  const next: SymbolPlace = [directory.id, isChanged ? 1 : 0, last];
  const end = { total: found.length, cursor: rest.length > rows.length ? seal(next) : undefined };
  const changed = isChanged ? ['X-SVC-Snapshot-Changed', '1'] : [];
  if (format === 'json') {
    const texts = rows.map((row) => JSON.stringify(listingRow(snapshot, listings, row)));
    return pageResponse(texts, end, [...PRIVATE_HEADERS, ...changed]);
  }
  const table = tableFromListings(snapshot, rows, listings);
  return tableResponse(table, format, [...PRIVATE_HEADERS, ...changed, ...pageHeaders(end)]);
}

export const symbolRoutes = [symbols, symbolDetails];
