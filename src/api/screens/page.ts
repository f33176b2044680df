/** Makes one page from a screen's result. */

import { dateFromDay } from '../../base/time/dates.ts';
import { type ScreenerFilter, screenerFilters } from '../../compute/screener/filters.ts';
import { screen } from '../../compute/screener/screener.ts';
import type { ScreenUniverse } from '../../store/arrow/screens/screen-universe.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { arrowFromTable } from '../responses/arrow-stream.ts';
import { lastPlace, positionOf } from '../responses/screener-place.ts';
import { rowTexts, tableFromScreenerRows } from '../responses/screener-rows.ts';
import { rowsOfSymbols } from '../responses/screener-symbols.ts';
import type { Table, TableColumn } from '../responses/table.ts';
import { csvFromTable } from '../responses/table-response.ts';
import type { ScreenPage, ScreenRequest } from './messages.ts';
import type { Screened, ScreenedColumn } from './screened.ts';

/** A page without the times, which depend on the request's turn. */
export type TimelessPage = Omit<ScreenPage, 'totalMs' | 'workMs'>;

export function screenPage(
  snapshot: Snapshot,
  screened: Screened,
  request: ScreenRequest,
  isChanged: boolean,
): TimelessPage {
  const { universe, matches, sort } = screened;
  const { table } = universe;
  const { direction, limit, place } = request;
  const filters: ScreenerFilter[] = screenerFilters(request.filters, table.texts);
  const chosen = request.symbols && rowsOfSymbols(snapshot, universe, request.symbols);
  if (chosen) filters.push({ kind: 'rows', accepts: chosen.accepts });
  if (matches && !request.isExplained) filters.push({ kind: 'rows', accepts: matches });
  const values = sort ?? table.columns[request.sort];
  const after = place && positionOf(table, place);
  const page = screen(table.columns, { filters, sort: values, direction, limit, after });
  for (const _ of universe.readRsi(page.rows));
  return {
    rows: formatted(screened, page.rows, request),
    total: page.total,
    next: page.hasMore ? lastPlace(table, snapshot.id, values, page.rows, isChanged) : undefined,
    isChanged,
    asOf: sessionOf(universe),
    adjusted: adjustedSymbols(universe, page.rows),
    notFound: chosen?.notFound ?? [],
  };
}

/** Newest session of a universe as of a past day. */
function sessionOf({ asOfDay, table }: ScreenUniverse): string | undefined {
  if (asOfDay === undefined) return undefined;
  const { lastBarDay } = table.columns;
  if (lastBarDay.length === 0) return undefined;
  return dateFromDay(lastBarDay.reduce((newest, day) => Math.max(newest, day)));
}

function adjustedSymbols({ bases, table }: ScreenUniverse, rows: Int32Array): string[] {
  if (!bases) return [];
  return Array.from(rows)
    .filter((row) => bases[row] !== 'raw')
    .map((row) => table.symbols[row]);
}

function formatted(
  screened: Screened,
  rows: Int32Array,
  { format }: ScreenRequest,
): ScreenPage['rows'] {
  if (format === 'json') return jsonRows(screened, rows);
  const table = tableOf(screened, rows);
  const bytes = format === 'csv' ? csvFromTable(table) : arrowFromTable(table);
  // Memory of its own, which a message can take along.
  return new Uint8Array(bytes);
}

function tableOf({ universe, columns }: Screened, rows: Int32Array): Table {
  return [
    ...tableFromScreenerRows(universe.table, rows),
    ...columns.map((one) => column(one, rows)),
  ];
}

function column({ text: name, kind, values }: ScreenedColumn, rows: Int32Array): TableColumn {
  if (kind === 'text') {
    const texts = values as readonly (string | null)[];
    return { name, type: 'optionalText', values: Array.from(rows, (row) => texts[row]) };
  }
  const numbers = Float64Array.from(rows, (row) => values[row] as number);
  return { name, type: kind === 'condition' ? 'flag' : 'number', values: numbers };
}

type JsonValue = number | boolean | string | null;

function jsonValue(kind: ScreenedColumn['kind'], value: number | string | null): JsonValue {
  if (typeof value !== 'number') return value;
  if (Number.isNaN(value)) return null;
  return kind === 'condition' ? value === 1 : value;
}

function jsonValues(columns: readonly ScreenedColumn[], row: number): Record<string, JsonValue> {
  return Object.fromEntries(
    columns.map(({ text, kind, values }) => [text, jsonValue(kind, values[row])]),
  );
}

function jsonRows(screened: Screened, rows: Int32Array): string {
  const { universe, columns, conditions } = screened;
  const texts = rowTexts(universe.table, rows);
  if (columns.length === 0 && !conditions) return texts.join(',');
  return texts
    .map((text, place) => {
      const row = rows[place];
      const more = {
        ...(columns.length > 0 && { columns: jsonValues(columns, row) }),
        ...(conditions && explanation(screened, row)),
      };
      return `${text.slice(0, -1)},${JSON.stringify(more).slice(1)}`;
    })
    .join(',');
}

/** Explains why a row matches or does not; a null result makes no match. */
function explanation({ conditions = [] }: Screened, row: number) {
  const results = conditions.map((condition) => condition.results[row]);
  const isFalse = results.includes(0);
  return {
    matches: isFalse ? false : results.some(Number.isNaN) ? null : true,
    conditions: conditions.map(({ text, operands }, place) => ({
      condition: text,
      result: jsonValue('condition', results[place]),
      values: jsonValues(operands, row),
    })),
  };
}
