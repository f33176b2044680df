/** Responds to a screen: those of the query, and saved ones. */

import { type ScreenerFilter, screenerFilters } from '../../../compute/screener/filters.ts';
import { screen } from '../../../compute/screener/screener.ts';
import { charge } from '../../access/admission.ts';
import type { RouteSources } from '../../contract/route.ts';
import { CONTENT_TYPES } from '../../http/format.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { type ApiResponse, createResponse, PRIVATE_HEADERS } from '../../http/response.ts';
import { whenGone } from '../../http/when-gone.ts';
import type { Walk } from '../../responses/cursor.ts';
import { pageHeaders, pageResponse } from '../../responses/pages.ts';
import { lastPlace, positionOf, type ScreenerPlace } from '../../responses/screener-place.ts';
import { rowTexts, tableFromScreenerRows } from '../../responses/screener-rows.ts';
import { rowsOfSymbols } from '../../responses/screener-symbols.ts';
import { tableResponse } from '../../responses/table-response.ts';
import { onceReached } from '../../responses/walked-version.ts';
import type { ScreenPage } from '../../screens/messages.ts';
import { requireNoFuture, type ScreenerRequest, type ScreenOfRequest } from './query.ts';

/** Tokens of a response with expressions: twice those of filters alone. */
const EXPRESSION_TOKENS = 10;

/** Charges a screen with expressions, whatever the route names. @throws {HttpError} 429 */
export function chargeScreen(context: AdmittedContext, { screen }: ScreenerRequest): void {
  if (screen) charge(context, EXPRESSION_TOKENS);
}

/**
 * Responds with a page of a screen, and charges it.
 *
 * @throws {ParameterError} `cursor`; or, by promise, an expression or `as_of`.
 */
export function screenerResponse(
  context: AdmittedContext,
  sources: RouteSources,
  request: ScreenerRequest,
): ApiResponse | Promise<ApiResponse> {
  chargeScreen(context, request);
  const { account, mode } = context.key;
  const { cursor, screen, question } = request;
  const walk = { account, mode, query: question };
  const place =
    cursor === undefined ? undefined : sources.cursors.open<ScreenerPlace>(cursor, walk);
  return onceReached(sources.readers[mode], place?.[0], () =>
    screen
      ? expressionResponse(context, sources, { ...request, screen }, walk, place)
      : filteredResponse(context, sources, request, walk, place),
  );
}

/** @param place End of the page before. */
function filteredResponse(
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

/** @param place End of the page before. */
async function expressionResponse(
  context: AdmittedContext,
  { screens, cursors, now }: RouteSources,
  request: ScreenerRequest & { screen: ScreenOfRequest },
  walk: Walk,
  place: ScreenerPlace | undefined,
): Promise<ApiResponse> {
  const { account, mode } = context.key;
  const { ranges, texts, activeSinceDay, symbols, sort, direction, limit, format } = request;
  requireNoFuture(request, now());
  const page = await screens.page(
    {
      ...{ account, mode, symbols, sort, direction, limit, format, place },
      ...request.screen,
      filters: { ranges, texts, activeSinceDay },
    },
    whenGone(context),
  );
  const end = { total: page.total, cursor: page.next && cursors.seal(walk, page.next) };
  const headers = [...PRIVATE_HEADERS, ...headersOf(page)];
  if (typeof page.rows === 'string') return pageResponse([page.rows], end, headers);
  const { buffer, byteOffset, byteLength } = page.rows;
  const body = Buffer.from(buffer, byteOffset, byteLength);
  return createResponse(200, CONTENT_TYPES[format], body, [...headers, ...pageHeaders(end)]);
}

function headersOf({ isChanged, asOf, adjusted, notFound, totalMs, workMs }: ScreenPage) {
  const timing = `screen;dur=${rounded(totalMs)}, work;dur=${rounded(workMs)}`;
  return [
    'Server-Timing',
    timing,
    ...(isChanged ? ['X-SVC-Snapshot-Changed', '1'] : []),
    ...(asOf === undefined ? [] : ['X-SVC-As-Of', asOf]),
    ...(adjusted.length > 0 ? ['X-SVC-Adjusted', adjusted.join(',')] : []),
    ...notFoundHeader(notFound),
  ];
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** Header that names requested symbols without a row. */
function notFoundHeader(symbols: readonly string[]): string[] {
  return symbols.length > 0 ? ['X-SVC-Not-Found', symbols.join(',')] : [];
}
