/** Responses to screens with filters alone, made at once: some 20 µs over 10,000 symbols. */

import { type ScreenerFilter, screenerFilters } from '../../../compute/screener/filters.ts';
import { screen } from '../../../compute/screener/screener.ts';
import type { RouteSources } from '../../contract/route.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { type ApiResponse, PRIVATE_HEADERS } from '../../http/response.ts';
import type { Walk } from '../../responses/cursor.ts';
import { pageHeaders, pageResponse } from '../../responses/pages.ts';
import { lastPlace, positionOf, type ScreenerPlace } from '../../responses/screener-place.ts';
import { rowTexts, tableFromScreenerRows } from '../../responses/screener-rows.ts';
import { rowsOfSymbols } from '../../responses/screener-symbols.ts';
import { tableResponse } from '../../responses/table-response.ts';
import { notFoundHeader } from './not-found.ts';
import type { ScreenerRequest } from './query.ts';

/** @param place End of the page before. */
export function filteredResponse(
  { key: { mode } }: AdmittedContext,
  { readers, cursors }: RouteSources,
  request: ScreenerRequest,
  walk: Walk,
  place: ScreenerPlace | undefined,
): ApiResponse | Promise<ApiResponse> {
  const reader = readers[mode];
  const walked = place && reader.screenerOf(place[0]);
  const table = walked ?? reader.current().screener();
  const isChanged = place !== undefined && (place[1] === 1 || !walked);
  const { sort, direction, limit, format, symbols } = request;
  const filters: ScreenerFilter[] = screenerFilters(request, table.texts);
  const chosen =
    symbols && rowsOfSymbols(reader.current(), { table, series: table.symbols }, symbols);
  if (chosen) filters.push({ kind: 'rows', accepts: chosen.accepts });
  const after = place && positionOf(table, place);
  const page = screen(table.columns, { filters, sort, direction, limit, after });
  const next = page.hasMore
    ? lastPlace(table, table.id, table.columns[sort], page.rows, isChanged)
    : undefined;
  const end = { total: page.total, cursor: next && cursors.seal(walk, next) };
  const changed = isChanged ? ['X-SVC-Snapshot-Changed', '1'] : [];
  const headers = [...PRIVATE_HEADERS, ...changed, ...notFoundHeader(chosen?.notFound ?? [])];
  if (format === 'json') return pageResponse(rowTexts(table, page.rows), end, headers);
  const columns = tableFromScreenerRows(table, page.rows);
  return tableResponse(columns, format, [...headers, ...pageHeaders(end)]);
}
