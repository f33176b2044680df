/**
 * Finds the bars in a response, wherever they stand: a list of objects, lists by symbol, objects by
 * date, equally long columns, or rows below a list of names. What stands beside them states the
 * symbol, interval, time zone, basis and currency.
 */

import { MalformedInputError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../inputs/json-line.ts';
import { isZoneName } from '../timing/iso-stamp.ts';
import { arrangedPrices } from '../values/arranged-prices.ts';
import { isDateName, PRICE_FIELDS } from './fields.ts';
import { type BodyBar, type BodyFacts, isDateLike, isNumberLike, isTickerLike } from './shape.ts';
import { areWhole, dateColumn, wideCells } from './wide-names.ts';
import { yahooBars } from './yahoo-chart.ts';

/** @throws {MalformedInputError} columns of a body have different lengths. */
export function bodyBars(body: JsonObject): BodyBar[] {
  const bars = yahooBars(body) ?? barsBelow(body, {});
  // Robinhood makes up bars where nothing was traded.
  return bars.filter(({ bar }) => bar.interpolated !== true);
}

const NAMES: Record<(typeof PRICE_FIELDS)[number], readonly string[]> = {
  open: ['open', 'o', 'openprice'],
  high: ['high', 'h', 'highprice'],
  low: ['low', 'l', 'lowprice'],
  close: ['close', 'c', 'closeprice'],
};

/** `1. open` → `open`; `open_price` → `openprice`. */
export function plainKey(key: string): string {
  return key
    .replace(/^\d+[a-z]?\. /, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

/** Returns true for an object with a value for each price of a bar. */
export function isBar(value: unknown): value is JsonObject {
  return isObject(value) && hasPrices(value, (price) => typeof price !== 'object');
}

function hasPrices(object: JsonObject, isPrice: (value: unknown) => boolean): boolean {
  const names = new Set(
    Object.entries(object).flatMap(([key, value]) => (isPrice(value) ? [plainKey(key)] : [])),
  );
  return PRICE_FIELDS.every((field) => NAMES[field].some((name) => names.has(name)));
}

function barsBelow(value: unknown, outer: BodyFacts): BodyBar[] {
  if (Array.isArray(value)) {
    const names = value.every(Array.isArray) ? namesOfRows(value) : undefined;
    if (names !== undefined) {
      const rows = value.filter((row) => !isHeader(row));
      return rows.map((row) => barOf(namedRow(names, row), outer));
    }
    return value.flatMap((item) => {
      const wide = wideBars(item);
      if (wide !== undefined) return wide.map((bar) => barOf(bar, outer));
      return isBar(item) ? [barOf(item, outer)] : barsBelow(item, outer);
    });
  }
  if (!isObject(value)) return [];
  const facts = { ...outer, ...factsOf(value) };
  const [[key, prices] = [], second] = Object.entries(value).filter(([, one]) => isNested(one));
  // The prices of a bar stand below its date: { date, ohlc: {} }.
  if (isBar(prices) && second === undefined && Object.keys(value).some(isDateName)) {
    const bar = { ...value, ...prices, [key!]: undefined };
    return [barOf(bar, isSymbolKey(key!) ? { ...facts, symbol: key } : facts)];
  }
  const table = columnRows(value) ?? indexedRows(value) ?? namedRows(value) ?? datedRows(value);
  if (table !== undefined) {
    return table.flatMap((row) => (wideBars(row) ?? [row]).map((bar) => barOf(bar, facts)));
  }
  const wide = wideBars(value);
  if (wide !== undefined) return wide.map((bar) => barOf(bar, facts));
  const nested = Object.entries(value).filter(([, item]) => isNested(item));
  const areSymbols = nested.length > 0 && nested.every(([key]) => isSymbolKey(key));
  return nested.flatMap(([key, item]) => {
    const known = areSymbols ? { ...facts, symbol: key } : { ...facts, ...factsOfKey(key) };
    return areSymbols && isBar(item) ? [barOf(item, known)] : barsBelow(item, known);
  });
}

/**
 * Returns the names of rows without names, as their values prove them, or as the first row states them.
 *
 * @returns undefined for rows without a date and four numbers.
 * @throws {MalformedInputError} the values don't prove which is which.
 */
export function namesOfRows(rows: readonly (readonly unknown[])[]): string[] | undefined {
  const [first = []] = rows;
  if (isHeader(first)) return first as string[];
  const columns = first.map((_, at) => rows.map((row) => String(row[at] ?? '')));
  const dateAt = columns.findIndex((texts) => texts.every(isTime));
  const numbers = columns.map((texts, at) =>
    at !== dateAt && texts.every(isNumberLike) ? texts.map(Number) : undefined,
  );
  if (dateAt === -1 || numbers.filter((column) => column !== undefined).length < 4)
    return undefined;
  const dates = columns[dateAt].map((text) => (isDateLike(text) ? text : dateOfUnix(text)));
  const found = arrangedPrices(numbers, { dates });
  if ('reason' in found) {
    const advice = 'save objects like {"date": …, "open": …, "high": …, "low": …, "close": …}';
    throw new MalformedInputError(`its rows have no names, and ${found.reason}: ${advice}`);
  }
  const places = Object.entries({ date: dateAt, ...found.columns });
  return first.map((_, at) => places.find(([, place]) => place === at)?.[0] ?? `column${at + 1}`);
}

/** Returns true for a list of the names of a bar's fields. */
export function isHeader(row: readonly unknown[]): boolean {
  return isBar(namedRow(row.map(String), row)) && row.every((name) => typeof name === 'string');
}

export function namedRow(names: readonly string[], row: readonly unknown[]): JsonObject {
  return Object.fromEntries(names.map((name, place) => [name, row[place]]));
}

function dateOfUnix(digits: string): string {
  const ms = Number(digits) * 10 ** (digits.length < 12 ? 3 : 13 - digits.length);
  return new Date(ms).toISOString().slice(0, 10);
}

const isNested = (value: unknown) => typeof value === 'object' && value !== null;

/** Words that hold bars, and that some APIs write in capitals. */
const CONTAINERS =
  /^(?:data|bars?|results?|values|candles?|quotes?|prices?|ohlcv?|history|historical|items|rows|response|chart|meta|daily|series)$/i;

function isSymbolKey(key: string): boolean {
  return isTickerLike(key) && !CONTAINERS.test(key);
}

/** Bars of a row whose names hold ticker and field, as pandas writes columns of two levels. */
export function wideBars(row: unknown): JsonObject[] | undefined {
  if (!isObject(row) || isBar(row)) return undefined;
  const names = Object.keys(row);
  const dateAt = dateColumn(names);
  const cells = dateAt === -1 ? [] : wideCells(names, dateAt);
  if (cells.length === 0 || !areWhole(cells)) return undefined;
  return [...Map.groupBy(cells, ({ symbol }) => symbol)].flatMap(([symbol, own]) => {
    const values = own.map(({ at, field }) => [field, row[names[at]]] as const);
    // The rows are the days of all symbols; one that had none has no number.
    const isNone = values.every(([, value]) => value === null || value === undefined);
    return isNone ? [] : [{ date: row[names[dateAt]], symbol, ...Object.fromEntries(values) }];
  });
}

/** True for names that hold ticker and field, for each price of a bar. */
function areWideNames(names: readonly string[]): boolean {
  const cells = wideCells(['date', ...names], 0);
  return cells.length > 0 && areWhole(cells);
}

/** A bar with its facts. Massive's grouped bars have the ticker as `T` beside the time `t`. */
function barOf(bar: JsonObject, facts: BodyFacts): BodyBar {
  if (typeof bar.T !== 'string' || bar.t === undefined) return { bar, facts };
  const { T: symbol, ...others } = bar;
  // Only bars of a day are grouped by ticker.
  return { bar: { symbol, ...others }, facts: { interval: '1d', ...facts } };
}

const FACTS: Record<Exclude<keyof BodyFacts, 'basis' | 'stamps'>, readonly string[]> = {
  symbol: ['symbol', 'ticker', 'datasetcode'],
  interval: ['interval', 'timeframe', 'resolution'],
  zone: ['timezone', 'exchangetimezone', 'exchangetimezonename'],
  currency: ['currency', 'currencycode'],
};

const CODE_OF_MARKET = /^[A-Z][A-Z-]*\.US$/;

/** Facts of an object's own texts, and of those in its `meta` or `Meta Data`. */
function factsOf(object: JsonObject): BodyFacts {
  const facts: BodyFacts = {};
  for (const [key, value] of Object.entries(object)) {
    if (isObject(value) && /^(?:meta|security$)/i.test(key)) Object.assign(facts, factsOf(value));
    if (typeof value !== 'string' || value === '') continue;
    const name = plainKey(key);
    // EODHD's code has its market behind it; other APIs have a code of errors.
    if (name === 'code' && CODE_OF_MARKET.test(value)) facts.symbol ??= value;
    for (const [aspect, names] of Object.entries(FACTS) as [keyof typeof FACTS, string[]][]) {
      if (names.includes(name) && (aspect !== 'zone' || isZoneName(value))) facts[aspect] = value;
    }
    // Twelve Data names its zone so, and stamps the start of a bar.
    if (name === 'exchangetimezone') facts.stamps = 'start';
  }
  // Nasdaq's page of historical quotes has this table below it.
  if (isObject(object.tradesTable)) facts.basis = 'split';
  // Massive says if its bars are adjusted for splits.
  if (typeof object.adjusted === 'boolean' && Array.isArray(object.results)) {
    facts.basis = object.adjusted ? 'split' : 'raw';
  }
  return facts;
}

/** Interval in the key of Alpha Vantage: `Time Series (5min)`, `Weekly Adjusted Time Series`. */
function factsOfKey(key: string): BodyFacts {
  if (!/time series/i.test(key)) return {};
  const [, inner] = /\(([^)]*)\)/.exec(key) ?? [];
  const [length] = /daily|weekly|monthly|\d+min/i.exec(inner ?? key) ?? [];
  return length === undefined ? {} : { interval: length.toLowerCase() };
}

/** Rows of equally long columns: `{ t: [], o: [], h: [], l: [], c: [] }`. */
function columnRows(object: JsonObject): JsonObject[] | undefined {
  if (!hasPrices(object, Array.isArray)) return undefined;
  const columns = Object.entries(object).filter(([, value]) => Array.isArray(value)) as [
    string,
    unknown[],
  ][];
  const [[first, { length }]] = columns;
  for (const [name, values] of columns) {
    if (values.length === length) continue;
    throw new MalformedInputError(
      `its columns differ in length: "${first}" has ${length} values and "${name}" ${values.length}`,
    );
  }
  return Array.from({ length }, (_, row) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[row]])),
  );
}

/** Rows of columns that are objects by date or row number, as pandas writes a frame. */
function indexedRows(object: JsonObject): JsonObject[] | undefined {
  const isWide = Object.values(object).every(isObject) && areWideNames(Object.keys(object));
  if (!isWide && !hasPrices(object, isObject)) return undefined;
  const columns = Object.entries(object).filter(([, value]) => isObject(value)) as [
    string,
    JsonObject,
  ][];
  const hasDate = columns.some(([name]) => isDateName(name));
  return Object.keys(columns[0][1]).map((key) => ({
    ...(hasDate ? {} : { date: key }),
    ...Object.fromEntries(columns.map(([name, values]) => [name, values[key]])),
  }));
}

/** Rows below a list of names: `{ columns: [], index: [], data: [[]] }`. */
function namedRows(object: JsonObject): JsonObject[] | undefined {
  const lists = Object.values(object).filter(Array.isArray) as unknown[][];
  const rows = (Array.isArray(object.data) ? object.data : lists.find(isTable)) as unknown[][];
  if (rows === undefined || !isTable(rows)) return undefined;
  const others = lists.filter((list) => list !== rows);
  const names = others.map(namesOf).find((list) => list?.length === rows[0].length);
  if (names === undefined) return undefined;
  const areFields = isBar(Object.fromEntries(names.map((name) => [name, 0])));
  if (!areFields && !areWideNames(names.filter((name) => !isDateName(name)))) return undefined;
  const { index } = object;
  // An index beside a column of dates counts rows.
  const isIndex = Array.isArray(index) && index.length === rows.length && !names.some(isDateName);
  const dates = isIndex ? index : undefined;
  return rows.map((row, at) => ({
    ...(dates && { date: dates[at] }),
    ...namedRow(names, row),
  }));
}

function isTable(list: readonly unknown[]): boolean {
  return Array.isArray(list[0]);
}

/** Names of a list of texts, of pairs of texts, or of objects with a name. */
function namesOf(list: readonly unknown[]): string[] | undefined {
  const names = list.map((item) => {
    if (Array.isArray(item) && item.length === 2) return `('${item[0]}', '${item[1]}')`;
    return isObject(item) ? item.name : item;
  });
  return names.every((name) => typeof name === 'string') ? (names as string[]) : undefined;
}

/** Rows of an object by date, or by Unix time. */
function datedRows(object: JsonObject): JsonObject[] | undefined {
  const entries = Object.entries(object);
  const areDated = entries.every(
    ([date, value]) =>
      (isTime(date) && isBar(value)) ||
      (isObject(value) && wideBars({ date, ...value }) !== undefined),
  );
  if (!areDated || entries.length === 0) return undefined;
  return entries.map(([date, bar]) => ({ date, ...(bar as JsonObject) }));
}

function isTime(key: string): boolean {
  return isDateLike(key) || /^\d{9,19}$/.test(key);
}
