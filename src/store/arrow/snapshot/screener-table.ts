/** What the screener looks at in one published version. */

import { dayFromMillis } from '../../../base/time/dates.ts';
import { doneAtOnce, isPieceEnd, type Work } from '../../../base/turns.ts';
import type {
  ScreenerColumns,
  ScreenerNumber,
  ScreenerText,
} from '../../../compute/screener/columns.ts';
import { contentKey, sharedColumns, type TypedArray } from '../format/shared-columns.ts';
import { makeTexts, type TableData } from '../format/table-file.ts';
import type { QUOTE_TABLE } from '../format/tables.ts';
import { sortedInPieces } from '../read/sort-in-pieces.ts';
import type { Listings, ScreenerTable } from './snapshot.ts';

type Quotes = TableData<typeof QUOTE_TABLE>;

/** What quotes do not change: which rows there are, and the texts of each. */
interface Frame {
  /** By symbol number, as it was when the frame was made. */
  quoted: readonly string[];
  /** Symbol number of each row, by symbol ascending. */
  rows: Int32Array;
  symbols: string[];
  companyNames: (string | null)[];
  columns: Record<ScreenerText, CodedTexts>;
}

/** Most publishes bring new quotes of the same symbols: the directory's newest frame is kept. */
const frames = new WeakMap<Listings, Frame>();

export interface ScreenerSources {
  /** That of the version. */
  id: string;
  /** Of the rows of `quotes`. */
  names: readonly string[];
  quotes: Quotes;
  listings: Listings;
}

/** The symbols that have a quote, ascending. */
export function screenerTable(sources: ScreenerSources): ScreenerTable {
  return doneAtOnce(makingScreener(sources));
}

/**
 * The same, giving way.
 *
 * @param earlier Of another version: columns that are the same are shared with it.
 */
export function* makingScreener(
  { id, names, quotes, listings }: ScreenerSources,
  earlier?: ScreenerTable,
): Work<ScreenerTable> {
  const known = frames.get(listings);
  const frame =
    known && isFrameOf(known, names, quotes) ? known : yield* makingFrame(names, quotes, listings);
  frames.set(listings, frame);
  const { symbols, companyNames } = frame;
  const { sector, industry, country, exchange } = frame.columns;
  const { price, timestamp, rsi14, marketCap } = quotes;
  const key = `screener ${id} ${contentKey([price, timestamp, rsi14, marketCap])}`;
  const same = earlier?.symbols === symbols ? earlier.columns : undefined;
  const made = yield* sharedColumns(key, () => makingColumns(frame, quotes));
  const columns = same ? withSame(made, same) : made;
  const texts: Record<ScreenerText, readonly (string | null)[]> = {
    sector: sector.texts,
    industry: industry.texts,
    country: country.texts,
    exchange: exchange.texts,
  };
  return { id, symbols, companyNames, texts, columns };
}

const SCREENER_TEXTS = [
  'sector',
  'industry',
  'country',
  'exchange',
] as const satisfies readonly ScreenerText[];

const NUMBERS = [
  'price',
  'changePct',
  'volume',
  'rsi14',
  'marketCap',
  'peRatio',
  'dividendYield',
] as const satisfies readonly ScreenerNumber[];

function* makingColumns({ rows, columns }: Frame, quotes: Quotes): Work<ScreenerColumns> {
  const numbers: Partial<Record<ScreenerNumber, Float64Array>> = {};
  for (const name of NUMBERS) {
    const values = new Float64Array(rows.length);
    const column = quotes[name];
    for (let row = 0; row < rows.length; row++) values[row] = column[rows[row]];
    numbers[name] = values;
    yield;
  }
  const lastBarDay = new Int32Array(rows.length);
  for (let row = 0; row < rows.length; row++) {
    // A session ends on the day, in UTC, that its bar is dated.
    lastBarDay[row] = dayFromMillis(Number(quotes.timestamp[rows[row]]) / 1000);
    if (isPieceEnd(row)) yield;
  }
  return {
    ...(numbers as Record<ScreenerNumber, Float64Array>),
    sector: columns.sector.codes,
    industry: columns.industry.codes,
    country: columns.country.codes,
    exchange: columns.exchange.codes,
    lastBarDay,
  };
}

/** The earlier columns in place of those that are equal; all of them where none has changed. */
function withSame(columns: ScreenerColumns, earlier: ScreenerColumns): ScreenerColumns {
  const names = Object.keys(columns) as (keyof ScreenerColumns)[];
  const isSame = (name: keyof ScreenerColumns) => isEqual(columns[name], earlier[name]);
  if (names.every(isSame)) return earlier;
  const chosen = names.map((name) => [name, (isSame(name) ? earlier : columns)[name]]);
  return Object.fromEntries(chosen);
}

function isEqual(a: TypedArray, b: TypedArray): boolean {
  const bytes = (one: TypedArray) => new Uint8Array(one.buffer, one.byteOffset, one.byteLength);
  return a === b || Buffer.compare(bytes(a), bytes(b)) === 0;
}

/** Whether the same symbols have quotes, under the same numbers. */
function isFrameOf({ quoted, rows }: Frame, names: readonly string[], { price }: Quotes): boolean {
  if (quoted !== names) {
    if (quoted.length !== names.length) return false;
    if (!quoted.every((name, number) => name === names[number])) return false;
  }
  let quoteCount = 0;
  for (const value of price) if (!Number.isNaN(value)) quoteCount++;
  return quoteCount === rows.length && rows.every((number) => !Number.isNaN(price[number]));
}

function* makingFrame(
  names: readonly string[],
  { price }: Quotes,
  listings: Listings,
): Work<Frame> {
  yield* makeTexts(listings, ['symbol', 'companyName', ...SCREENER_TEXTS]);
  const quoted = [...names.keys()].filter((number) => !Number.isNaN(price[number]));
  yield;
  const numbers = yield* sortedInPieces(quoted, (a, b) => names[a] < names[b]);
  const symbols = numbers.map((number) => names[number]);
  yield;
  const listed = yield* listingRows(symbols, listings);
  const columns = {} as Frame['columns'];
  for (const name of SCREENER_TEXTS) {
    columns[name] = yield* codedTexts(listed, listings[name]);
  }
  return {
    quoted: names,
    rows: Int32Array.from(numbers),
    symbols,
    companyNames: listed.map((row) => listings.companyName[row] || null),
    columns,
  };
}

/** Row of each symbol in the directory, −1 where it is not there; both ascend. */
function* listingRows(symbols: readonly string[], { symbol }: Listings): Work<number[]> {
  let row = 0;
  const rows: number[] = [];
  for (const [place, wanted] of symbols.entries()) {
    while (symbol[row] < wanted) row++;
    rows.push(symbol[row] === wanted ? row : -1);
    if (isPieceEnd(place)) yield;
  }
  return rows;
}

interface CodedTexts {
  codes: Uint16Array;
  /** By code; null first. */
  texts: (string | null)[];
}

function* codedTexts(rows: readonly number[], column: readonly string[]): Work<CodedTexts> {
  const texts: (string | null)[] = [null];
  const known = new Map<string, number>();
  const codes = new Uint16Array(rows.length);
  for (const [place, row] of rows.entries()) {
    if (isPieceEnd(place)) yield;
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
