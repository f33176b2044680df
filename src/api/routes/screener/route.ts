/** `GET /svc/screener`: symbols that pass filters, sorted, page by page. */

import { screenerFilters } from '../../../compute/screener/filters.ts';
import { type ScreenerPage, screen } from '../../../compute/screener/screener.ts';
import type { SortPosition } from '../../../compute/screener/sort-order.ts';
import type { ScreenerTable } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Route } from '../../contract/route.ts';
import { FORMATS } from '../../http/format.ts';
import { cachedParser } from '../../http/query.ts';
import { type ApiResponse, PRIVATE_HEADERS } from '../../http/response.ts';
import type { Cursors, Walk } from '../../responses/cursor.ts';
import { pageHeaders, pageResponse } from '../../responses/pages.ts';
import { tableResponse } from '../../responses/table-response.ts';
import { type ScreenerRequest, screenerParameters, screenerQuery } from './query.ts';
import { rowTexts, tableFromScreenerRows } from './rows.ts';
import { screenerExample, screenerPageSchema } from './schema.ts';

/**
 * The last row of a page, from which a walk can continue in any version, even one without the
 * symbol.
 */
type Place = [
  snapshotId: string,
  /** 1 if the walk has left a version. */
  isChanged: 0 | 1,
  /** Value of the sort column; null is unknown. */
  value: number | null,
  symbol: string,
];

const parsedScreenerQuery = cachedParser(screenerQuery);

/** Counts the texts, which ascend, up to and including `text`. */
function countUpTo(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] <= text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function positionOf(table: ScreenerTable, [, , value, symbol]: Place): SortPosition {
  return { value: value ?? Number.NaN, row: countUpTo(table.symbols, symbol) - 1 };
}

function lastPlace(
  table: ScreenerTable,
  { rows }: ScreenerPage,
  { sort }: ScreenerRequest,
  isChanged: boolean,
): Place {
  const row = rows[rows.length - 1];
  const value = table.columns[sort][row];
  return [table.id, isChanged ? 1 : 0, Number.isNaN(value) ? null : value, table.symbols[row]];
}

/** @param place End of the page before. */
function pageOf(table: ScreenerTable, request: ScreenerRequest, place: Place | undefined) {
  const { sort, direction, limit } = request;
  return screen(table.columns, {
    filters: screenerFilters(request, table.texts),
    sort,
    direction,
    limit,
    after: place && positionOf(table, place),
  });
}

function screenerResponse(
  table: ScreenerTable,
  request: ScreenerRequest,
  cursors: Cursors,
  walk: Walk,
  place: Place | undefined,
  isChanged: boolean,
): ApiResponse | Promise<ApiResponse> {
  const page = pageOf(table, request, place);
  const next = page.hasMore ? lastPlace(table, page, request, isChanged) : undefined;
  const end = { total: page.total, cursor: next && cursors.seal(walk, next) };
  const headers = isChanged ? [...PRIVATE_HEADERS, 'X-SVC-Snapshot-Changed', '1'] : PRIVATE_HEADERS;
  if (request.format === 'json') return pageResponse(rowTexts(table, page.rows), end, headers);
  const columns = tableFromScreenerRows(table, page.rows);
  return tableResponse(columns, request.format, [...headers, ...pageHeaders(end)]);
}

const screener: Route = {
  template: '/svc/screener',
  access: { scope: 'fundamentals:read', tokens: 5 },
  isPageCached: true,
  contract: {
    operationId: 'getScreener',
    tag: 'Screener',
    summary: 'Screen symbols',
    description:
      'Returns the symbols that have a quote and pass all filters, sorted and paged. A minimum ' +
      'must not be above its maximum. All pages come from the data version of the first page for ' +
      'at least 15 minutes; later pages continue after the last row in the newest version.',
    query: screenerParameters,
    response: screenerPageSchema,
    formats: FORMATS,
    headers: ['X-SVC-Snapshot-Changed'],
    errors: { 400: 'price_min must not be above price_max "10", got "20"' },
    examples: [screenerExample],
  },
  respond({ key: { account, mode }, query, headers }, { readers, cursors }) {
    const request = parsedScreenerQuery(query, headers.accept);
    const walk = { account, mode, query: request.question };
    const { cursor } = request;
    const place = cursor === undefined ? undefined : cursors.open<Place>(cursor, walk);
    const walked = place && readers[mode].screenerOf(place[0]);
    const table = walked ?? readers[mode].current().screener();
    const isChanged = place !== undefined && (place[1] === 1 || !walked);
    return screenerResponse(table, request, cursors, walk, place, isChanged);
  },
};

export const screenerRoutes = [screener];
