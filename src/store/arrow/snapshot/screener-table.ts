/**
 * The screener's table of one published version: one row per symbol that has a quote, without test
 * issues.
 */

import {
  columnOfFilter,
  quoteField,
  SCREENER_NUMBERS,
  SCREENER_ROW,
  SCREENER_TEXTS,
  type ScreenerNumber,
  type ScreenerText,
} from '../../../base/fields.ts';
import { volumeNumber } from '../../../base/prices/decimals.ts';
import type { CodedTexts, SymbolValues } from '../../../base/symbol-expression.ts';
import { isTestIssue } from '../../../base/symbols/test-issues.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import { newestMarketDay } from '../../../base/time/market-day.ts';
import { companiesOn } from './current-symbols.ts';
import type { QuoteData } from './quote.ts';
import type { Listings, ScreenerColumns, ScreenerTable } from './snapshot.ts';

/** The part of a table that quotes do not change: its rows, and the texts of each. */
interface Frame {
  names: readonly string[];
  /** Symbol number of each row, by symbol ascending. */
  rows: Int32Array;
  /** Number of quotes, those of test issues too. */
  quoteCount: number;
  symbols: string[];
  companyNames: (string | null)[];
  texts: ScreenerTable['texts'];
  codes: Record<ScreenerText, Uint16Array>;
}

/** The newest frame of each directory: most publishes bring new quotes of the same symbols. */
const frames = new WeakMap<Listings, Frame>();

/** The parts of a version that its table is made of. */
export interface ScreenerSources {
  id: string;
  /** By symbol number; empty for a removed symbol. */
  names: readonly string[];
  quotes: QuoteData;
  listings: Listings;
  /** Returns the day before the newest one of a series; NaN if it is not known. */
  dayBefore?(symbol: string): number | undefined;
}

export function screenerTable({
  id,
  names,
  quotes,
  listings,
  dayBefore,
}: ScreenerSources): ScreenerTable {
  let frame = frames.get(listings);
  if (!frame || !isFrameOf(frame, names, quotes)) {
    frame = createFrame(names, quotes, listings);
    frames.set(listings, frame);
  }
  const { rows, symbols, companyNames, texts, codes } = frame;
  const numbers = {} as Record<ScreenerNumber, Float64Array>;
  for (const name of SCREENER_NUMBERS) numbers[name] = valuesAt(quotes[name], rows);
  // A session ends on the UTC day of its bar.
  const lastBarDay = Float64Array.from(rows, (number) =>
    dayFromMillis(Number(quotes.timestamp[number]) / 1000),
  );
  const columns: ScreenerColumns = { ...numbers, ...codes, lastBarDay };
  const before = (row: number) => (dayBefore ? dayBefore(symbols[row]) : Number.NaN);
  const marketDay = newestMarketDay(lastBarDay, before);
  return { id, symbols, companyNames, texts, columns, marketDay };
}

/** Copies values by index: several times as fast as `Float64Array.from` with a function. */
function valuesAt(column: Float64Array, rows: Int32Array): Float64Array {
  const values = new Float64Array(rows.length);
  for (let row = 0; row < rows.length; row++) values[row] = column[rows[row]];
  return values;
}

function isFrameOf(frame: Frame, names: readonly string[], { price }: QuoteData): boolean {
  if (frame.names !== names) {
    if (frame.names.length !== names.length) return false;
    if (!frame.names.every((name, number) => name === names[number])) return false;
  }
  return (
    countQuotes(price) === frame.quoteCount &&
    frame.rows.every((number) => !Number.isNaN(price[number]))
  );
}

function countQuotes(price: Float64Array): number {
  let quoteCount = 0;
  for (const value of price) if (!Number.isNaN(value)) quoteCount++;
  return quoteCount;
}

function createFrame(names: readonly string[], { price }: QuoteData, listings: Listings): Frame {
  // Most names ascend already, which an array's sort uses and a typed array's does not.
  const rows = [...names.keys()]
    .filter((number) => !Number.isNaN(price[number]) && !isTestIssue(names[number]))
    .sort((a, b) => (names[a] < names[b] ? -1 : 1));
  const symbols = rows.map((number) => names[number]);
  const texts = allTexts(listingRows(symbols, listings), listings);
  const quoteCount = countQuotes(price);
  return { names, rows: Int32Array.from(rows), quoteCount, symbols, ...texts };
}

type TableTexts = Pick<Frame, 'companyNames' | 'texts' | 'codes'>;

function allTexts(rows: readonly number[], listings: Listings): TableTexts {
  const steps = tableTexts(rows, listings);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Makes the texts of a table, one column a step: some 0.5 ms for 10,000 rows.
 *
 * @param rows Directory row of each security, −1 for a missing one.
 * @param day Day of names and exchanges; default today.
 */
export function* tableTexts(
  rows: readonly number[],
  present: Listings,
  day?: number,
): Generator<undefined, TableTexts> {
  const listings = day === undefined ? present : { ...present, ...companiesOn(present, day) };
  const texts = {} as Record<ScreenerText, readonly (string | null)[]>;
  const codes = {} as Frame['codes'];
  for (const name of SCREENER_TEXTS) {
    const coded = codedTexts(rows, listings[name]);
    texts[name] = coded.texts;
    codes[name] = coded.codes;
    yield;
  }
  const companyNames = rows.map((row) => listings.companyName[row] || null);
  return { companyNames, texts, codes };
}

/** Returns the directory row of each symbol, −1 for a missing one; both ascend. */
function listingRows(symbols: readonly string[], { symbol }: Listings): number[] {
  let row = 0;
  return symbols.map((wanted) => {
    while (symbol[row] < wanted) row++;
    return symbol[row] === wanted ? row : -1;
  });
}

function codedTexts(rows: readonly number[], column: readonly string[]): CodedTexts {
  const texts: (string | null)[] = [null];
  const known = new Map<string, number>();
  const codes = new Uint16Array(rows.length);
  for (const [place, row] of rows.entries()) {
    const text = column[row];
    if (!text) continue;
    let code = known.get(text);
    if (code === undefined) {
      code = texts.push(text) - 1;
      known.set(text, code);
    }
    codes[place] = code;
  }
  return { codes, texts };
}

/** Returns the values that filters read. */
export function valuesOfTable({ symbols, columns, texts }: ScreenerTable): SymbolValues {
  return {
    count: symbols.length,
    bars: [],
    number: (name) => columns[columnOfFilter(name)],
    text: () => [],
    coded: (name) => ({ codes: columns[name as ScreenerText], texts: texts[name as ScreenerText] }),
  };
}

export function textOfRow(table: ScreenerTable, name: ScreenerText, row: number): string | null {
  return table.texts[name][table.columns[name][row]];
}

/**
 * Returns one row as JSON, the same in responses and events: every field of section 2.5 of the
 * specification, unknown values null.
 */
export function jsonFromScreenerRow(table: ScreenerTable, row: number): string {
  const json: Record<string, unknown> = {
    symbol: table.symbols[row],
    companyName: table.companyNames[row],
  };
  for (const { name, isText } of SCREENER_ROW) {
    if (isText) json[name] = textOfRow(table, name, row);
    else {
      const value = table.columns[name][row];
      const isVolume = quoteField(name).kind === 'volume';
      json[name] = isVolume ? volumeNumber(value) : Number.isNaN(value) ? null : value;
    }
  }
  return JSON.stringify(json);
}
