/** `GET /svc/symbols`: searches the directory of symbols, page by page. */

import { z } from 'zod';
import { ParameterError } from '../../../base/errors.ts';
import { dateFromDay, dayFromDate, dayFromMillis } from '../../../base/time/dates.ts';
import { companyOn } from '../../../store/arrow/snapshot/current-symbols.ts';
import type { Listings, ServingReader, Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import { type Member, membersOn, universeNamed } from '../../../store/arrow/snapshot/universes.ts';
import type { Route } from '../../contract/route.ts';
import { chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { cachedParser, checkedQuery } from '../../http/query.ts';
import {
  choiceField,
  dateField,
  exchangeField,
  listField,
  pageFields,
  requireNoFuture,
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
import { type Directory, directoryOfWalk, type SymbolPlace } from './walk.ts';

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
  as_of: dateField
    .describe(
      'Only securities that traded on this day, by the tickers, names and exchanges of then. ' +
        'Their other facts are those of today. Not with `active`.',
    )
    .optional(),
  ...pageFields,
});

interface SymbolsRequest {
  filter: SymbolFilter;
  /** Days since the epoch; undefined: today. */
  asOfDay: number | undefined;
  limit: number;
  cursor: string | undefined;
  format: Format;
  /** The same text for every spelling of a query, for the cursor. */
  canonical: string;
}

const parsedQuery = cachedParser((query, accept): SymbolsRequest => {
  const requested = checkedQuery(parameters, query);
  const { exchange, type, active, as_of: asOf, limit, cursor } = requested;
  if (asOf !== undefined && active !== undefined) {
    throw new ParameterError('active', 'active is about today and can’t stand with as_of');
  }
  const asOfDay = asOf === undefined ? undefined : dayFromDate(asOf);
  const search = requested.search?.trim().toLowerCase();
  const filter = {
    search,
    exchange,
    type,
    isActive: active === undefined ? undefined : active === 'true',
  };
  const format = chosenFormat(requested.format, accept, FORMATS);
  const canonical = JSON.stringify(['symbols', search, exchange, type, active, asOf]);
  return { filter, asOfDay, limit, cursor, format, canonical };
});

function currentSymbol(snapshot: Snapshot, listings: Listings, row: number): string | undefined {
  if (listings === snapshot.listings) return listings.symbol[row];
  const { symbol, securityId } = snapshot.listings;
  return symbol[securityId.indexOf(listings.securityId[row])];
}

/** Returns a row; its bars are those of the newest version, in which the symbol may differ. */
function listingRow(snapshot: Snapshot, listings: Listings, row: number, asOfDay?: number) {
  const { symbol, type, source } = listings;
  const current = currentSymbol(snapshot, listings, row);
  const info = current === undefined ? undefined : barInfo(snapshot, current);
  const date = (us: bigint) => dateFromDay(dayFromMillis(Number(us / 1000n)));
  return {
    symbol: symbol[row],
    ...companyOn(listings, row, asOfDay),
    type: type[row] || null,
    firstBar: info ? date(info.firstBarUs) : null,
    lastBar: info ? date(info.lastBarUs) : null,
    source: info ? info.source : source[row] || null,
  };
}

export function tableFromListings(snapshot: Snapshot, rows: readonly number[]): Table {
  const { listings } = snapshot;
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
  respond({ key: { account, mode }, query, headers }, { readers, cursors, now }) {
    const request = parsedQuery(query, headers.accept);
    requireNoFuture(request.asOfDay, now());
    const walk = { account, mode, query: request.canonical };
    const { cursor } = request;
    const place = cursor === undefined ? undefined : cursors.open<SymbolPlace>(cursor, walk);
    const seal = (next: SymbolPlace) => cursors.seal(walk, next);
    return onceReached(readers[mode], place?.[0], () =>
      symbolsResponse(readers[mode], request, place, seal),
    );
  },
};

/** A row of the directory, and its ticker on the day of the request. */
type NamedRow = Pick<Member, 'symbol' | 'row'>;

/** Returns the rows that pass, ascending by symbol, and the version that they are of. */
function foundRows(
  reader: ServingReader,
  snapshot: Snapshot,
  { filter, asOfDay }: SymbolsRequest,
  place: SymbolPlace | undefined,
): { found: NamedRow[]; directory: Directory; isChanged: boolean } {
  if (asOfDay === undefined) {
    const { directory, isChanged } = directoryOfWalk(reader, snapshot, place);
    const { symbol } = directory.listings;
    const found = searchedRows(directory, filter).map((row) => ({ symbol: symbol[row], row }));
    return { found, directory, isChanged };
  }
  const { exchange, ...others } = filter;
  const passing = new Set(searchedRows(snapshot, { ...others, exchange: undefined }));
  const members = membersOn(snapshot, universeNamed(snapshot, 'active')!, asOfDay);
  const found = members.filter(({ row }) => {
    if (!passing.has(row) || !exchange) return passing.has(row);
    const then = companyOn(snapshot.listings, row, asOfDay).exchange;
    return exchange.includes(then?.toLowerCase() ?? '');
  });
  const isChanged = place !== undefined && (place[1] === 1 || place[0] !== snapshot.id);
  return { found, directory: snapshot, isChanged };
}

/** @param place End of the page before. */
function symbolsResponse(
  reader: ServingReader,
  request: SymbolsRequest,
  place: SymbolPlace | undefined,
  seal: (next: SymbolPlace) => string,
): ApiResponse | Promise<ApiResponse> {
  const { limit, format } = request;
  const snapshot = reader.current();
  const { found, directory, isChanged } = foundRows(reader, snapshot, request, place);
  const { listings } = directory;
  const rest = place ? found.filter(({ symbol }) => symbol > place[2]) : found;
  const page = rest.slice(0, limit);
  const last = page.at(-1)?.symbol ?? '';
  const next: SymbolPlace = [directory.id, isChanged ? 1 : 0, last];
  const end = { total: found.length, cursor: rest.length > page.length ? seal(next) : undefined };
  const changed = isChanged ? ['X-SVC-Snapshot-Changed', '1'] : [];
  const rows = page.map(({ row, symbol }) => {
    return { ...listingRow(snapshot, listings, row, request.asOfDay), symbol };
  });
  if (format === 'json') {
    const texts = rows.map((row) => JSON.stringify(row));
    return pageResponse(texts, end, [...PRIVATE_HEADERS, ...changed]);
  }
  const table = tableFromRows(rows, symbolRowSchema);
  return tableResponse(table, format, [...PRIVATE_HEADERS, ...changed, ...pageHeaders(end)]);
}

export const symbolRoutes = [symbols, symbolDetails];
