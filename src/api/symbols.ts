/** `GET /svc/symbols`: the directory of symbols, searched and paged. */

import { z } from 'zod';
import { dateFromDay } from '../dates.ts';
import { limits } from '../limits.ts';
import { NULL_INT } from '../store/serving/batch-layout.ts';
import type { Snapshot } from '../store/serving/snapshot.ts';
import type { Answer } from './answer.ts';
import { createCursors, type Walk } from './cursor.ts';
import { chosenFormat, FORMATS, type Format } from './format.ts';
import { PAGE_HEADERS, pageAnswer, pageHeaders } from './pages.ts';
import { rememberParsed } from './parsed-queries.ts';
import { checkedQuery } from './query.ts';
import {
  choiceField,
  cursorField,
  exchangeField,
  formatField,
  integerField,
  listField,
  textField,
} from './query-fields.ts';
import type { Route, RouteSources } from './route.ts';
import { type SymbolFilter, searchColumns, searchedRows } from './symbol-search.ts';
import type { Table } from './table.ts';
import { arrowAnswer, csvAnswer } from './table-answer.ts';

const { sizeDefault, sizeMax } = limits.page;

export const symbolsParameters = z.strictObject({
  search: textField('must be the start of a ticker or words of a name').optional(),
  exchange: exchangeField.optional(),
  type: listField('must be a comma-separated list of types').optional(),
  active: choiceField(['true', 'false']).optional(),
  limit: integerField(1, sizeMax).default(sizeDefault),
  cursor: cursorField.optional(),
  format: formatField.optional(),
});

interface SymbolsRequest {
  filter: SymbolFilter;
  limit: number;
  cursor: string | undefined;
  format: Format;
  /** The same text for every spelling of the same question, as a walk needs it. */
  question: string;
}

const parsedSymbolsQuery = rememberParsed((query, accept): SymbolsRequest => {
  const asked = checkedQuery(symbolsParameters, query);
  const { exchange, type, active, limit, cursor } = asked;
  const search = asked.search?.trim().toLowerCase();
  const filter = {
    search,
    exchange,
    type,
    isActive: active === undefined ? undefined : active === 'true',
  };
  const format = chosenFormat(asked.format, accept, FORMATS);
  const question = JSON.stringify(['symbols', search, exchange, type, active]);
  return { filter, limit, cursor, format, question };
});

function jsonFromRow(snapshot: Snapshot, row: number): string {
  const { symbol, companyName, exchange, type } = snapshot.listings;
  const { firstDay, lastDay, source } = searchColumns(snapshot);
  const date = (day: number) => (day === NULL_INT ? null : dateFromDay(day));
  return JSON.stringify({
    symbol: symbol[row],
    companyName: companyName[row] || null,
    exchange: exchange[row] || null,
    type: type[row] || null,
    firstBar: date(firstDay[row]),
    lastBar: date(lastDay[row]),
    source: source[row],
  });
}

/** @param rows Of the snapshot's listings. */
export function tableFromListings(snapshot: Snapshot, rows: readonly number[]): Table {
  const { listings } = snapshot;
  const { firstDay, lastDay, source } = searchColumns(snapshot);
  const text = (name: 'companyName' | 'exchange' | 'type') =>
    ({
      name,
      type: 'optionalText',
      values: rows.map((row) => listings[name][row] || null),
    }) as const;
  const date = (name: string, days: Int32Array) =>
    ({ name, type: 'optionalDate', values: Int32Array.from(rows, (row) => days[row]) }) as const;
  return [
    { name: 'symbol', type: 'text', values: rows.map((row) => listings.symbol[row]) },
    text('companyName'),
    text('exchange'),
    text('type'),
    date('firstBar', firstDay),
    date('lastBar', lastDay),
    { name: 'source', type: 'optionalText', values: rows.map((row) => source[row]) },
  ];
}

export function symbolRoutes({ readers, cursorSecret, now }: RouteSources): Route[] {
  /** The last symbol of a page. */
  const cursors = createCursors<string>(cursorSecret, now);

  function written(request: SymbolsRequest, walk: Walk): Answer | Promise<Answer> {
    const after = request.cursor === undefined ? '' : cursors.open(request.cursor, walk);
    const snapshot = readers[walk.mode].current();
    const { symbol } = snapshot.listings;
    const found = searchedRows(snapshot, request.filter);
    const rest = found.filter((row) => symbol[row] > after);
    const rows = rest.slice(0, request.limit);
    const last = rows[rows.length - 1];
    const cursor = rest.length > rows.length ? cursors.seal(walk, symbol[last]) : undefined;
    const end = { total: found.length, cursor };
    if (request.format === 'json') {
      return pageAnswer(
        rows.map((row) => jsonFromRow(snapshot, row)),
        end,
        PAGE_HEADERS,
      );
    }
    const table = tableFromListings(snapshot, rows);
    const headers = [...PAGE_HEADERS, ...pageHeaders(end)];
    return request.format === 'csv' ? csvAnswer(table, headers) : arrowAnswer(table, headers);
  }

  return [
    {
      template: '/svc/symbols',
      answer({ key, query, headers }) {
        const request = parsedSymbolsQuery(query, headers.accept);
        const { account, mode } = key;
        return written(request, { account, mode, question: request.question });
      },
    },
  ];
}
