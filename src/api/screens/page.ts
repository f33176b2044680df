/** Makes one page from a screen's result. */

import { FIELDS, type Field, type FieldUnit } from '../../base/fields.ts';
import { rounderOrNone } from '../../base/significant-digits.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import { fieldParts, NullParts } from '../../screens/plan/null-parts.ts';
import { screenRows } from '../../screens/plan/screen-rows.ts';
import { valuesOfTable } from '../../store/arrow/snapshot/screener-table.ts';
import type { ScreenerTable, Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import { lastPlace, positionOf } from '../responses/screener-place.ts';
import { rowTexts, tableFromScreenerRows } from '../responses/screener-rows.ts';
import { rowsOfSymbols } from '../responses/screener-symbols.ts';
import type { Table, TableColumn } from '../responses/table.ts';
import type { ScreenPage, ScreenRequest } from './messages.ts';
import type { Screened, ScreenedColumn } from './screened.ts';

/** A page without the times, which depend on the request's turn. */
export type TimelessPage<Rows> = Omit<ScreenPage, 'rows' | 'totalMs' | 'workMs'> & { rows: Rows };

/** Parts of a request that decide which rows a page has. */
type RowsRequest = Pick<
  ScreenRequest,
  'filters' | 'symbols' | 'sort' | 'direction' | 'limit' | 'place' | 'isExplained'
>;

/** The part of a version that pages need. */
type Version = Pick<Snapshot, 'id' | 'resolve'>;

/** Returns the result of a screen without expressions: all rows of a table. */
export function allRows(table: ScreenerTable): Screened {
  const universe = { table, series: table.symbols, asOfDay: undefined, bases: undefined };
  return {
    universe,
    ...{ matches: undefined, columns: [], sort: undefined, conditions: undefined, bytes: 0 },
    nulls: [],
  };
}

/** Rows of a page, and what is said about them. */
export interface PageRows {
  rows: Int32Array;
  /** Values that sort them. */
  values: Float64Array;
  total: number;
  hasMore: boolean;
  asOf: ScreenPage['asOf'];
  adjusted: ScreenPage['adjusted'];
  notFound: ScreenPage['notFound'];
  nulls: ScreenPage['nulls'];
}

/** @param written Gives the rows in the form of the response. */
export function screenPage<Rows>(
  snapshot: Version,
  screened: Screened,
  request: RowsRequest,
  isChanged: boolean,
  written: (rows: Int32Array) => Rows,
): TimelessPage<Rows> {
  const { rows, values, hasMore, ...page } = pageRows(snapshot, screened, request);
  const { table } = screened.universe;
  return {
    ...page,
    rows: written(rows),
    next: hasMore ? lastPlace(table, snapshot.id, values, rows, isChanged) : undefined,
    isChanged,
  };
}

export function pageRows(snapshot: Version, screened: Screened, request: RowsRequest): PageRows {
  const { universe, matches, sort } = screened;
  const { table } = universe;
  const { direction, limit, place } = request;
  const chosen = request.symbols && rowsOfSymbols(snapshot, universe, request.symbols);
  const marks = [chosen?.accepts, request.isExplained ? undefined : matches];
  const values = sort ?? table.columns[request.sort];
  const after = place && positionOf(table, place);
  const { rows, total, hasMore } = screenRows(valuesOfTable(table), {
    ...{ filters: request.filters, marks: marks.filter((one) => one !== undefined) },
    ...{ sort: values, direction, limit, after },
  });
  if (universe.readRsi) for (const _ of universe.readRsi(rows));
  return {
    ...{ rows, values, total, hasMore },
    asOf: sessionOf(universe),
    adjusted: adjustedSymbols(universe, rows),
    notFound: chosen?.notFound ?? [],
    nulls: total === 0 ? nullsOf(screened, request.filters) : [],
  };
}

/** Names what no symbol has a value of, in filters and in the condition. */
function nullsOf(
  { universe, nulls }: Screened,
  filters: RowsRequest['filters'],
): readonly string[] {
  const parts = new NullParts(fieldParts(filters));
  parts.take(valuesOfTable(universe.table), () => true);
  return [...new Set([...parts.names(), ...nulls])];
}

/** Newest session of a universe as of a past day. */
function sessionOf({ asOfDay, table }: Screened['universe']): string | undefined {
  if (asOfDay === undefined) return undefined;
  return table.marketDay === undefined ? undefined : dateFromDay(table.marketDay);
}

function adjustedSymbols({ bases, table }: Screened['universe'], rows: Int32Array): string[] {
  if (!bases) return [];
  return Array.from(rows)
    .filter((row) => bases[row] !== 'raw')
    .map((row) => table.symbols[row]);
}

/**
 * Returns rows as columns: those of the screener, then the further ones. Names that differ in case
 * alone are equal to many readers of tables, so a name that is taken gets a number.
 */
export function tableOfRows(
  { universe, columns }: Screened,
  rows: Int32Array,
  digits?: number,
): Table {
  const table: TableColumn[] = [...tableFromScreenerRows(universe.table, rows)];
  const taken = new Set(table.map(({ name }) => name.toLowerCase()));
  for (const one of columns) {
    let name = one.text;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${one.text}_${count}`;
    taken.add(name.toLowerCase());
    table.push({ ...column(one, rows, digits), name });
  }
  return table;
}

function column(
  { text: name, kind, values }: ScreenedColumn,
  rows: Int32Array,
  digits: number | undefined,
): TableColumn {
  if (kind === 'text') {
    const texts = values as readonly (string | null)[];
    return { name, type: 'optionalText', values: Array.from(rows, (row) => texts[row]) };
  }
  const round = rounderOf(name, digits);
  const numbers = Float64Array.from(rows, (row) => round(values[row] as number));
  return { name, type: kind === 'condition' ? 'flag' : 'number', values: numbers };
}

const fields: Readonly<Record<string, Field>> = FIELDS;

/** Units of what is stated: prices, amounts and counts. */
const STATED: readonly (FieldUnit | undefined)[] = ['price', 'usd', 'shares', 'count'];

/** Matches a price or the volume of a bar, also of an older, a weekly or a monthly one. */
const OF_A_BAR = /^(?:(?:weekly|monthly)\()?(?:open|high|low|close|volume)(?:\[\d+\])?\)?$/;

/** Returns a function that gives values of a column the digits of a response. */
function rounderOf(text: string, digits: number | undefined): (value: number) => number {
  const name = text.toLowerCase().replaceAll(/\s/g, '');
  const field: Field | undefined = Object.hasOwn(FIELDS, name) ? fields[name] : undefined;
  const isStated = OF_A_BAR.test(name) || (field && STATED.includes(field.unit));
  return rounderOrNone(isStated ? undefined : digits);
}

type JsonValue = number | boolean | string | null;

function jsonValue(
  kind: ScreenedColumn['kind'],
  value: number | string | null,
  round = (given: number) => given,
): JsonValue {
  if (typeof value !== 'number') return value;
  if (Number.isNaN(value)) return null;
  return kind === 'condition' ? value === 1 : round(value);
}

function jsonValues(
  columns: readonly ScreenedColumn[],
  row: number,
  digits: number | undefined,
): Record<string, JsonValue> {
  return Object.fromEntries(jsonEntries(columns, row, digits));
}

function jsonEntries(
  columns: readonly ScreenedColumn[],
  row: number,
  digits: number | undefined,
): [string, JsonValue][] {
  return columns.map(({ text, kind, values }) => [
    text,
    jsonValue(kind, values[row], rounderOf(text, digits)),
  ]);
}

/** Returns rows as JSON, with commas between. */
export function jsonRows(screened: Screened, rows: Int32Array, digits?: number): string {
  const { universe, columns, conditions } = screened;
  const texts = rowTexts(universe.table, rows);
  if (columns.length === 0 && !conditions) return texts.join(',');
  return texts
    .map((text, place) => {
      const row = rows[place];
      const more = {
        ...(columns.length > 0 && { columns: jsonValues(columns, row, digits) }),
        ...(conditions && explanation(screened, row, digits)),
      };
      return `${text.slice(0, -1)},${JSON.stringify(more).slice(1)}`;
    })
    .join(',');
}

/** Explains why a row matches or does not; a null result makes no match. */
function explanation(
  { conditions = [], universe }: Screened,
  row: number,
  digits: number | undefined,
) {
  const results = conditions.map((condition) => condition.results[row]);
  const isFalse = results.includes(0);
  const given = Object.entries(universe.table.columns).map(
    ([name, column]) => [name, column[row]] as const,
  );
  const operands = conditions.flatMap((condition) => jsonEntries(condition.operands, row, digits));
  const nulls = [...given, ...operands].filter(
    ([, value]) => value === null || Number.isNaN(value),
  );
  return {
    reasons: universe.reasons?.(
      row,
      nulls.map(([name]) => name),
    ),
    matches: isFalse ? false : results.some(Number.isNaN) ? null : true,
    conditions: conditions.map(({ text, operands }, place) => ({
      condition: text,
      result: jsonValue('condition', results[place]),
      values: jsonValues(operands, row, digits),
    })),
  };
}
