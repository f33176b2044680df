/** Responses to screens with expressions, whose rows the thread of screens makes. */

import type { RouteSources } from '../../contract/route.ts';
import { CONTENT_TYPES } from '../../http/format.ts';
import type { AdmittedContext } from '../../http/request-context.ts';
import { type ApiResponse, createResponse, PRIVATE_HEADERS } from '../../http/response.ts';
import type { Walk } from '../../responses/cursor.ts';
import { pageHeaders, pageResponse } from '../../responses/pages.ts';
import type { ScreenerPlace } from '../../responses/screener-place.ts';
import type { ScreenPage } from '../../screens/messages.ts';
import { notFoundHeader } from './not-found.ts';
import { requireNoFuture, type ScreenerRequest, type ScreenOfRequest } from './query.ts';

/** @param place End of the page before. */
export async function expressionResponse(
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

/** Returns a signal of the end of the client's connection. */
function whenGone({ request }: AdmittedContext): AbortSignal {
  const gone = new AbortController();
  request.res?.once('close', () => gone.abort());
  return gone.signal;
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
