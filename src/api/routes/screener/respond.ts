/** Responds to a screen: those of the query, and saved ones. */

import { charge } from '../../access/admission.ts';
import type { RouteSources } from '../../contract/route.ts';
import { CONTENT_TYPES, type Format } from '../../http/format.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { type ApiResponse, createResponse, PRIVATE_HEADERS } from '../../http/response.ts';
import { whenGone } from '../../http/when-gone.ts';
import type { Walk } from '../../responses/cursor.ts';
import { pageHeaders, pageResponse } from '../../responses/pages.ts';
import type { ScreenerPlace } from '../../responses/screener-place.ts';
import type { Table } from '../../responses/table.ts';
import { tableResponse } from '../../responses/table-response.ts';
import { onceReached } from '../../responses/walked-version.ts';
import type { ScreenPage } from '../../screens/messages.ts';
import {
  allRows,
  jsonRows,
  screenPage,
  type TimelessPage,
  tableOfRows,
} from '../../screens/page.ts';
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
      ? expressionPage(context, sources, { ...request, screen }, place).then((page) =>
          responseTo(page, request.format, sources, walk),
        )
      : responseTo(tablePage(context, sources, request, place), request.format, sources, walk),
  );
}

/** Makes a page that needs the table alone: some 20 µs. @param place End of the page before. */
function tablePage(
  { key: { mode } }: AdmittedContext,
  { readers }: RouteSources,
  request: ScreenerRequest,
  place: ScreenerPlace | undefined,
): TimelessPage<string | Table> {
  const reader = readers[mode];
  const walked = place && reader.screenerOf(place[0]);
  const table = walked ?? reader.current().screener();
  const isChanged = place !== undefined && (place[1] === 1 || !walked);
  const version = { id: table.id, resolve: (name: string) => reader.current().resolve(name) };
  const all = allRows(table);
  return screenPage(version, all, { ...request, isExplained: false, place }, isChanged, (rows) =>
    request.format === 'json' ? jsonRows(all, rows) : tableOfRows(all, rows),
  );
}

/** @param place End of the page before. */
async function expressionPage(
  context: AdmittedContext,
  { screens, now }: RouteSources,
  request: ScreenerRequest & { screen: ScreenOfRequest },
  place: ScreenerPlace | undefined,
): Promise<ScreenPage> {
  const { account, mode } = context.key;
  const { filters, symbols, sort, direction, limit, format } = request;
  requireNoFuture(request, now());
  return screens.page(
    {
      ...{ account, mode, filters, symbols, sort, direction, limit, format, place },
      ...request.screen,
    },
    whenGone(context),
  );
}

/** Page whose rows are written, or a table; of the thread of screens with its times. */
type Page = TimelessPage<ScreenPage['rows'] | Table> &
  Partial<Pick<ScreenPage, 'totalMs' | 'workMs'>>;

function responseTo(
  page: Page,
  format: Format,
  { cursors }: RouteSources,
  walk: Walk,
): ApiResponse | Promise<ApiResponse> {
  const end = { total: page.total, cursor: page.next && cursors.seal(walk, page.next) };
  const headers = [...PRIVATE_HEADERS, ...headersOf(page)];
  const { rows } = page;
  if (typeof rows === 'string' || format === 'json') {
    return pageResponse([rows as string], end, headers);
  }
  const all = [...headers, ...pageHeaders(end)];
  // Writers of tables are loaded when a response first needs them.
  if (!(rows instanceof Uint8Array)) return tableResponse(rows, format, all);
  const body = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
  return createResponse(200, CONTENT_TYPES[format], body, all);
}

function headersOf(page: Page): string[] {
  const { isChanged, asOf, adjusted, notFound, totalMs, workMs } = page;
  return [
    ...(totalMs === undefined || workMs === undefined
      ? []
      : ['Server-Timing', `screen;dur=${rounded(totalMs)}, work;dur=${rounded(workMs)}`]),
    ...(isChanged ? ['X-SVC-Snapshot-Changed', '1'] : []),
    ...(asOf === undefined ? [] : ['X-SVC-As-Of', asOf]),
    ...(adjusted.length > 0 ? ['X-SVC-Adjusted', adjusted.join(',')] : []),
    ...(notFound.length > 0 ? ['X-SVC-Not-Found', notFound.join(',')] : []),
  ];
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
