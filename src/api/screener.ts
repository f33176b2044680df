/** `GET /svc/screener`: symbols that pass filters, sorted, page by page. */

import { createScreener, type Screener, type ScreenerPage } from '../compute/screener.ts';
import type { ScreenerFilter } from '../compute/screener-filters.ts';
import type { SortPosition } from '../compute/sort-order.ts';
import type { ScreenerTable } from '../store/serving/snapshot.ts';
import type { Answer } from './answer.ts';
import { createCursors, type Walk } from './cursor.ts';
import { PAGE_HEADERS, pageAnswer, pageHeaders } from './pages.ts';
import { rememberParsed } from './parsed-queries.ts';
import type { Route, RouteSources } from './route.ts';
import { type ScreenerRequest, screenerQuery } from './screener-query.ts';
import { jsonFromScreenerRow, tableFromScreenerRows } from './screener-rows.ts';
import { countUpTo } from './sorted-texts.ts';
import { arrowAnswer, csvAnswer } from './table-answer.ts';

/** The last row of a page: enough to go on in any version, also one without the symbol. */
type Place = [
  snapshotId: string,
  /** Whether the walk has left a version on its way. */
  isChanged: 0 | 1,
  /** Of the sort column. */
  value: number | null,
  symbol: string,
];

const parsedScreenerQuery = rememberParsed(screenerQuery);

/** One per table, which keeps its sorted columns. */
const screeners = new WeakMap<ScreenerTable, Screener>();

function screenerOf(table: ScreenerTable): Screener {
  let screener = screeners.get(table);
  if (!screener) {
    screener = createScreener(table.columns);
    screeners.set(table, screener);
  }
  return screener;
}

function filtersOf(table: ScreenerTable, request: ScreenerRequest): ScreenerFilter[] {
  const { ranges, texts, activeSinceDay } = request;
  return [
    ...ranges.map((range) => ({ kind: 'range', ...range }) as const),
    ...texts.map(({ column, accepted }) => {
      const accepts = Uint8Array.from(table.texts[column], (text) =>
        text !== null && accepted.includes(text.toLowerCase()) ? 1 : 0,
      );
      return { kind: 'codes', column, accepts } as const;
    }),
    ...(activeSinceDay === undefined
      ? []
      : [{ kind: 'active', sinceDay: activeSinceDay } as const]),
  ];
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

export function screenerRoutes({ readers, cursorSecret, now }: RouteSources): Route[] {
  const cursors = createCursors<Place>(cursorSecret, now);

  function screened(request: ScreenerRequest, walk: Walk): Answer | Promise<Answer> {
    const reader = readers[walk.mode];
    const place = request.cursor === undefined ? undefined : cursors.open(request.cursor, walk);
    const kept = place && reader.screenerOf(place[0]);
    const table = kept ?? reader.current().screener();
    const isChanged = place !== undefined && (place[1] === 1 || !kept);
    const { sort, direction, limit, format } = request;
    const page = screenerOf(table)({
      filters: filtersOf(table, request),
      sort,
      direction,
      limit,
      after: place && positionOf(table, place),
    });
    const cursor = page.hasMore
      ? cursors.seal(walk, lastPlace(table, page, request, isChanged))
      : undefined;
    const end = { total: page.total, cursor };
    const headers = isChanged ? [...PAGE_HEADERS, 'X-SVC-Snapshot-Changed', '1'] : PAGE_HEADERS;
    if (format === 'json') {
      const rows = Array.from(page.rows, (row) => jsonFromScreenerRow(table, row));
      return pageAnswer(rows, end, headers);
    }
    const columns = tableFromScreenerRows(table, page.rows);
    const tableHeaders = [...headers, ...pageHeaders(end)];
    return format === 'csv' ? csvAnswer(columns, tableHeaders) : arrowAnswer(columns, tableHeaders);
  }

  return [
    {
      template: '/svc/screener',
      answer({ key, query, headers }) {
        const request = parsedScreenerQuery(query, headers.accept);
        const { account, mode } = key;
        return screened(request, { account, mode, question: request.question });
      },
    },
  ];
}
