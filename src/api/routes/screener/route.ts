/** `GET /svc/screener`: symbols that pass filters, sorted, page by page. */

import { screenerFilters } from '../../../compute/screener/conditions.ts';
import { type ScreenerPage, screen } from '../../../compute/screener/screener.ts';
import type { SortPosition } from '../../../compute/screener/sort-order.ts';
import type { ScreenerTable } from '../../../store/arrow/snapshot/snapshot.ts';
import { screenerPageSchema } from '../../docs/answer-schemas.ts';
import { screenerExample } from '../../docs/examples/directory.ts';
import type { RouteContract } from '../../docs/openapi/contract.ts';
import { FORMATS } from '../../http/format.ts';
import type { Answer } from '../../http/response.ts';
import type { Route, RouteSources } from '../../http/route.ts';
import { createCursors, type Walk } from '../../responses/cursor.ts';
import { PAGE_HEADERS, pageAnswer, pageHeaders } from '../../responses/pages.ts';
import { createPagesOfMoment } from '../../responses/pages-of-moment.ts';
import { rememberParsed } from '../../responses/parsed-queries.ts';
import { countUpTo } from '../../responses/sorted-texts.ts';
import { arrowAnswer, csvAnswer } from '../../responses/table-response.ts';
import { type ScreenerRequest, screenerParameters, screenerQuery } from './query.ts';
import { rowTexts, tableFromScreenerRows } from './rows.ts';

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

const parsedScreenerQuery = rememberParsed(screenerQuery);

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

const GET_SCREENER: RouteContract = {
  operationId: 'getScreener',
  tag: 'Screener',
  summary: 'Screen symbols',
  description:
    'Returns the symbols that have a quote and pass all filters, sorted and paged. A minimum ' +
    'must not be above its maximum. All pages come from the data version of the first page for ' +
    'at least 15 minutes; later pages continue after the last row in the newest version.',
  query: screenerParameters,
  answer: screenerPageSchema,
  formats: FORMATS,
  headers: ['X-SVC-Snapshot-Changed'],
  errors: { 400: 'price_min must not be above price_max "10", got "20"' },
  examples: [screenerExample],
};

export function screenerRoutes({ readers, cursorSecret, now }: RouteSources): Route[] {
  const cursors = createCursors<Place>(cursorSecret, now);
  const keptPage = createPagesOfMoment(now);

  function written(
    table: ScreenerTable,
    request: ScreenerRequest,
    walk: Walk,
    place: Place | undefined,
    isChanged: boolean,
  ): Answer | Promise<Answer> {
    const page = pageOf(table, request, place);
    const cursor = page.hasMore
      ? cursors.seal(walk, lastPlace(table, page, request, isChanged))
      : undefined;
    const end = { total: page.total, cursor };
    const headers = isChanged ? [...PAGE_HEADERS, 'X-SVC-Snapshot-Changed', '1'] : PAGE_HEADERS;
    if (request.format === 'json') return pageAnswer(rowTexts(table, page.rows), end, headers);
    const columns = tableFromScreenerRows(table, page.rows);
    const tableHeaders = [...headers, ...pageHeaders(end)];
    return request.format === 'csv'
      ? csvAnswer(columns, tableHeaders)
      : arrowAnswer(columns, tableHeaders);
  }

  function screened(request: ScreenerRequest, walk: Walk): Answer | Promise<Answer> {
    const reader = readers[walk.mode];
    const place = request.cursor === undefined ? undefined : cursors.open(request.cursor, walk);
    const walked = place && reader.screenerOf(place[0]);
    const table = walked ?? reader.current().screener();
    const isChanged = place !== undefined && (place[1] === 1 || !walked);
    const { format, limit, cursor, question } = request;
    const key = [walk.mode, walk.account, format, limit, cursor, question].join(' ');
    // Kept for a moment only: a cursor contains the time at which it was issued.
    return keptPage(key, table.id, () => written(table, request, walk, place, isChanged));
  }

  return [
    {
      template: '/svc/screener',
      contract: GET_SCREENER,
      answer({ key, query, headers }) {
        const request = parsedScreenerQuery(query, headers.accept);
        const { account, mode } = key;
        return screened(request, { account, mode, question: request.question });
      },
    },
  ];
}
