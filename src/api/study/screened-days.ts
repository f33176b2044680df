/** A screen over days: a row for each symbol and day on which its condition is true. */

import { ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { SymbolValues } from '../../base/symbol-expression.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import type { OwnNames } from '../../screens/language/scope.ts';
import { compileScreen } from '../../screens/plan/compile.ts';
import { evaluateExpression } from '../../screens/plan/evaluate.ts';
import type { ScreenPlan, ShownValue } from '../../screens/plan/screen-plan.ts';
import { requireSymbols } from '../../screens/run/made-inputs.ts';
import { ownNames } from '../../screens/run/own-fields.ts';
import type { ScreenMemory } from '../../screens/run/screen-memory.ts';
import { type EventRoom, runStudies } from '../../screens/study/run-study.ts';
import type { StudyMode } from '../../screens/study/signal-rows.ts';
import { StudyBatch, StudyEvents } from '../../screens/study/study-events.ts';
import { type StudyMarket, studyMarket } from '../../screens/study/study-market.ts';
import type { Snapshot } from '../../store/arrow/snapshot/snapshot.ts';
import type { Format } from '../http/format.ts';
import type { Table, TableColumn } from '../responses/table.ts';
import { listedEvents } from './events-table.ts';
import { nullsOfDays } from './past-nulls.ts';
import { requirePast } from './request.ts';

export interface DaysRequest {
  rows: 'matches';
  where: string;
  columns: string | undefined;
  mode: StudyMode;
  /** Days, inclusive; undefined: all. */
  fromDay: number | undefined;
  toDay: number | undefined;
  /** Canonical symbols; undefined: all. */
  symbols: readonly string[] | undefined;
  hasCurrentFields: boolean;
  /** Rows of a page. */
  limit: number;
  /** End of the page before. */
  place: DaysPlace | undefined;
  format: Format;
}

/** Last row of a page; also a place in the order of a later version. */
export type DaysPlace = [versionId: string, day: number, symbol: string];

/** Rows by day, then by symbol. */
export interface ScreenedDays {
  symbols: readonly string[];
  days: Int32Array;
  columns: readonly TableColumn[];
  notFound: readonly string[];
  /** Fields or conditions without a value on these days, if there is no row. */
  nulls: readonly string[];
}

/** By version, the rows that were asked for last: pages of one walk are made from them. */
const kept = new WeakMap<Snapshot, { key: string; days: ScreenedDays }>();

/** @throws {ParameterError} An expression breaks a rule, or there are too many rows. */
export function* screenedDays(
  snapshot: Snapshot,
  memory: ScreenMemory,
  request: DaysRequest,
): Generator<undefined, ScreenedDays> {
  const { format: _, limit: __, place: ___, ...question } = request;
  const key = JSON.stringify(question);
  const before = kept.get(snapshot);
  if (before?.key === key) return before.days;
  const plan = plannedDays(request, ownNames(snapshot));
  requireSymbols(snapshot, plan);
  const market = yield* studyMarket(snapshot, memory);
  const { order, notFound } = chosen(snapshot, market, request.symbols);
  const shown = plan.columns.map((column) => new ShownColumn(column));
  const wanted = {
    ...{ studies: [{ where: plan, universe: undefined }], mode: request.mode, symbols: order },
    ...{ entry: 'next_open' as const, horizons: [] },
    fromDay: request.fromDay ?? Number.NEGATIVE_INFINITY,
    toDay: request.toDay ?? Number.POSITIVE_INFINITY,
  };
  const [run] = yield* runStudies(
    snapshot,
    market,
    wanted,
    roomFor(shown.length),
    (rows, values) => {
      for (const column of shown) column.take(rows, values);
    },
  );
  const { places, tickers, days: signalDays } = yield* listedEvents(snapshot, market, run);
  const days = {
    symbols: tickers,
    days: signalDays,
    columns: shown.map((column) => column.ordered(places)),
    notFound,
    nulls: places.length > 0 ? [] : yield* nullsOfDays(snapshot, market, plan, wanted, order),
  };
  kept.set(snapshot, { key, days });
  return days;
}

/** Returns the rows of a page, and the first row of the next one. */
export function pageOfDays(
  { symbols, days }: ScreenedDays,
  { limit, place }: Pick<DaysRequest, 'limit' | 'place'>,
): { start: number; end: number } {
  let start = 0;
  if (place) {
    const [, day, symbol] = place;
    const isBefore = (row: number) =>
      days[row] < day || (days[row] === day && symbols[row] <= symbol);
    let end = days.length;
    while (start < end) {
      const middle = (start + end) >>> 1;
      if (isBefore(middle)) start = middle + 1;
      else end = middle;
    }
  }
  return { start, end: Math.min(start + limit, days.length) };
}

/** Returns rows as columns: symbol, date, and those of the request by their text. */
export function tableOfDays({ symbols, days, columns }: ScreenedDays, start: number, end: number) {
  const taken = new Set(['symbol', 'date']);
  const table: TableColumn[] = [
    { name: 'symbol', type: 'text', values: symbols.slice(start, end) },
    { name: 'date', type: 'date', values: days.slice(start, end) },
  ];
  for (const column of columns) {
    let { name } = column;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${column.name}_${count}`;
    taken.add(name.toLowerCase());
    table.push({ ...column, name, values: column.values.slice(start, end) } as TableColumn);
  }
  return table satisfies Table;
}

/** Returns rows as JSON, with commas between. */
export function jsonOfDays({ symbols, days, columns }: ScreenedDays, start: number, end: number) {
  const texts: string[] = [];
  for (let row = start; row < end; row++) {
    const values = columns.map(({ name, type, values }) => [name, jsonValue(type, values[row])]);
    texts.push(
      JSON.stringify({
        ...{ symbol: symbols[row], date: dateFromDay(days[row]) },
        ...(columns.length > 0 && { columns: Object.fromEntries(values) }),
      }),
    );
  }
  return texts.join(',');
}

function jsonValue(type: TableColumn['type'], value: string | number | bigint | null) {
  if (typeof value !== 'number') return value;
  if (Number.isNaN(value)) return null;
  return type === 'flag' ? value === 1 : value;
}

function plannedDays({ where, columns, hasCurrentFields }: DaysRequest, own: OwnNames): ScreenPlan {
  const plan = compileScreen({ where, columns }, own);
  for (const name of plan.fields) {
    const isInWhere = new RegExp(`\\b${name}\\b`, 'i').test(where);
    const [field, text] = isInWhere ? ['where', where] : ['columns', columns!];
    requirePast(field, text, name, hasCurrentFields);
  }
  return plan;
}

/** Finds the symbols of a request, each under its present or a former name. */
function chosen(
  snapshot: Snapshot,
  { order }: StudyMarket,
  symbols: readonly string[] | undefined,
): { order: Int32Array; notFound: string[] } {
  if (!symbols) return { order, notFound: [] };
  const numbers = new Map(Array.from(order, (number) => [snapshot.symbols[number], number]));
  const found = symbols.map((name) => numbers.get(snapshot.resolve(name) ?? name));
  const isWanted = new Set(found);
  return {
    order: order.filter((number) => isWanted.has(number)),
    notFound: symbols.filter((_, i) => found[i] === undefined),
  };
}

function roomFor(columnCount: number): EventRoom {
  const eventBytes = columnCount * Float64Array.BYTES_PER_ELEMENT;
  const bytesMax = limits.study.eventBytesMax;
  return {
    ...{ bytesMax, eventBytes, tables: [] },
    tooMany(bytesLeft) {
      const most = Math.floor(bytesLeft / (StudyEvents.bytesOf(0) + StudyBatch.BYTES + eventBytes));
      const rule = `where is true on more than ${most} days of symbols, the most with ${columnCount} columns`;
      return new ParameterError('where', `${rule}: narrow from, to or where, or use begins=true`);
    },
  };
}

/** Values of one column of the answer, in the order in which rows are found. */
class ShownColumn {
  readonly #shown: ShownValue;
  #numbers = new Float64Array(1024);
  readonly #texts: (string | null)[] = [];
  #count = 0;

  constructor(shown: ShownValue) {
    this.#shown = shown;
  }

  take(rows: Int32Array, values: SymbolValues): void {
    if (rows.length === 0) return;
    if (this.#shown.kind === 'text') {
      const texts = values.text(this.#shown.field);
      for (const row of rows) this.#texts.push(texts[row]);
      return;
    }
    const numbers = evaluateExpression(this.#shown.expression, values);
    const count = this.#count + rows.length;
    if (count > this.#numbers.length) {
      const grown = new Float64Array(Math.max(count, this.#numbers.length * 2));
      grown.set(this.#numbers.subarray(0, this.#count));
      this.#numbers = grown;
    }
    for (const row of rows) {
      const value = numbers[row];
      this.#numbers[this.#count++] = Number.isFinite(value) ? value : Number.NaN;
    }
  }

  ordered(places: Int32Array): TableColumn {
    const { text: name, kind } = this.#shown;
    if (kind === 'text') {
      return { name, type: 'optionalText', values: Array.from(places, (at) => this.#texts[at]) };
    }
    const values = Float64Array.from(places, (at) => this.#numbers[at]);
    return { name, type: kind === 'condition' ? 'flag' : 'number', values };
  }
}
