/** `GET /svc/screener`: symbols that pass filters, sorted, page by page. */

import { screenerFilters } from '../../../compute/screener/filters.ts';
import { screen } from '../../../compute/screener/screener.ts';
import type { ScreenerTable } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Route } from '../../contract/route.ts';
import { FORMATS } from '../../http/format.ts';
import { cachedParser } from '../../http/query.ts';
import { type ApiResponse, PRIVATE_HEADERS } from '../../http/response.ts';
import type { Cursors, Walk } from '../../responses/cursor.ts';
import { pageHeaders, pageResponse } from '../../responses/pages.ts';
import { lastPlace, positionOf, type ScreenerPlace } from '../../responses/screener-place.ts';
import { rowTexts, tableFromScreenerRows } from '../../responses/screener-rows.ts';
import { tableResponse } from '../../responses/table-response.ts';
import { type ScreenerRequest, screenerParameters, screenerQuery } from './query.ts';
import { screenerExample, screenerPageSchema } from './schema.ts';

const parsedScreenerQuery = cachedParser(screenerQuery);

/** @param place End of the page before. */
function pageOf(table: ScreenerTable, request: ScreenerRequest, place: ScreenerPlace | undefined) {
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
  place: ScreenerPlace | undefined,
  isChanged: boolean,
): ApiResponse | Promise<ApiResponse> {
  const page = pageOf(table, request, place);
  const sort = table.columns[request.sort];
  const next = page.hasMore ? lastPlace(table, table.id, sort, page.rows, isChanged) : undefined;
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
    const place = cursor === undefined ? undefined : cursors.open<ScreenerPlace>(cursor, walk);
    const walked = place && readers[mode].screenerOf(place[0]);
    const table = walked ?? readers[mode].current().screener();
    const isChanged = place !== undefined && (place[1] === 1 || !walked);
    return screenerResponse(table, request, cursors, walk, place, isChanged);
  },
};

export const screenerRoutes = [screener];
