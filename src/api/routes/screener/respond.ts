/** Responds to a screen: those of the query, and saved ones. */

import { assert } from '../../../base/errors.ts';
import { nullSentence } from '../../../screens/plan/null-parts.ts';
import { charge } from '../../access/admission.ts';
import type { RouteSources } from '../../contract/route.ts';
import { CONTENT_TYPES, type Format } from '../../http/format.ts';
import { requireNoFuture } from '../../http/query-fields.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { type ApiResponse, createResponse, PRIVATE_HEADERS } from '../../http/response.ts';
import { whenGone } from '../../http/when-gone.ts';
import type { Walk } from '../../responses/cursor.ts';
import { type PageEnd, pageHeaders, pageResponse } from '../../responses/pages.ts';
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
import type { DaysPlace, DaysRequest } from '../../study/screened-days.ts';
import type { ScreenerRequest, ScreenOfRequest } from './query.ts';

/** Tokens of a response with expressions: twice those of filters alone. */
const EXPRESSION_TOKENS = 10;

/** Tokens of rows over days, as of a study. */
const DAYS_TOKENS = 20;

/** Charges a screen with expressions, whatever the route names. @throws {HttpError} 429 */
export function chargeScreen(context: AdmittedContext, { screen, days }: ScreenerRequest): void {
  if (days) charge(context, DAYS_TOKENS);
  else if (screen) charge(context, EXPRESSION_TOKENS);
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
  const { cursor, screen, days, question } = request;
  const walk = { account, mode, query: question };
  if (days) return daysResponse(context, sources, days, cursor, walk);
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

async function daysResponse(
  context: AdmittedContext,
  { screens, cursors, readers }: RouteSources,
  days: DaysRequest,
  cursor: string | undefined,
  walk: Walk,
): Promise<ApiResponse> {
  const { account, mode } = context.key;
  const place = cursor === undefined ? undefined : cursors.open<DaysPlace>(cursor, walk);
  const answer = await onceReached(readers[mode], place?.[0], () =>
    screens.study({ account, mode, request: { ...days, place } }, whenGone(context)),
  );
  const { body, rowCount, page, totalMs, workMs } = answer;
  assert(page, 'rows over days are pages');
  const { next, isChanged, notFound, nulls } = page;
  const end = { total: rowCount, cursor: next && cursors.seal(walk, next), nulls };
  const facts = { isChanged, notFound, nulls, totalMs, workMs, asOf: undefined, adjusted: [] };
  return sentRows(body, days.format, end, [...PRIVATE_HEADERS, ...headersOf(facts)]);
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
  const { filters, symbols, sort, direction, limit, digits, format } = request;
  requireNoFuture(request.screen?.asOfDay, now());
  return screens.page(
    {
      ...{ account, mode, filters, symbols, sort, direction, limit, digits, format, place },
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
  const { total, next, nulls } = page;
  const end = { total, cursor: next && cursors.seal(walk, next), nulls };
  const headers = [...PRIVATE_HEADERS, ...headersOf(page)];
  return sentRows(page.rows, format, end, headers);
}

function sentRows(
  rows: ScreenPage['rows'] | Table,
  format: Format,
  end: PageEnd & Pick<Page, 'nulls'>,
  headers: string[],
): ApiResponse | Promise<ApiResponse> {
  if (typeof rows === 'string' || format === 'json') {
    const sentence = nullSentence(end.nulls);
    return pageResponse(
      [rows as string],
      { ...end, warnings: sentence ? [sentence] : undefined },
      headers,
    );
  }
  const all = [...headers, ...pageHeaders(end)];
  // Writers of tables are loaded when a response first needs them.
  if (!(rows instanceof Uint8Array)) return tableResponse(rows, format, all);
  const body = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
  return createResponse(200, CONTENT_TYPES[format], body, all);
}

type PageFacts = Pick<
  Page,
  'isChanged' | 'asOf' | 'adjusted' | 'notFound' | 'nulls' | 'totalMs' | 'workMs'
>;

function headersOf(page: PageFacts): string[] {
  const { isChanged, asOf, adjusted, notFound, nulls, totalMs, workMs } = page;
  return [
    ...(totalMs === undefined || workMs === undefined
      ? []
      : ['Server-Timing', `screen;dur=${rounded(totalMs)}, work;dur=${rounded(workMs)}`]),
    ...(isChanged ? ['X-SVC-Snapshot-Changed', '1'] : []),
    ...(asOf === undefined ? [] : ['X-SVC-As-Of', asOf]),
    ...(adjusted.length > 0 ? ['X-SVC-Adjusted', adjusted.join(',')] : []),
    ...(notFound.length > 0 ? ['X-SVC-Not-Found', notFound.join(',')] : []),
    ...(nulls.length > 0 ? ['X-SVC-Null', nulls.map(asciiText).join('; ')] : []),
  ];
}

/** Headers hold no other characters. */
const asciiText = (text: string) => text.replaceAll(/[^ -~]/g, '?');

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
