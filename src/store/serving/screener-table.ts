/** What the screener looks at in one published version. */

import type { ScreenerColumns, ScreenerText } from '../../compute/screener-columns.ts';
import { dayFromMillis } from '../../dates.ts';
import { contentKey, sharedColumns } from './shared-columns.ts';
import type { Listings, ScreenerTable } from './snapshot.ts';
import type { TableData } from './table-file.ts';
import type { QUOTE_TABLE } from './tables.ts';

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

/**
 * The symbols that have a quote, ascending.
 *
 * @param id    That of the version.
 * @param names Of the rows of `quotes`.
 */
export function screenerTable(
  id: string,
  names: readonly string[],
  quotes: Quotes,
  listings: Listings,
): ScreenerTable {
  const known = frames.get(listings);
  const frame =
    known && isFrameOf(known, names, quotes) ? known : makeFrame(names, quotes, listings);
  frames.set(listings, frame);
  const { rows, symbols, companyNames } = frame;
  const { sector, industry, country, exchange } = frame.columns;
  const { price, timestamp, rsi14, marketCap } = quotes;
  const key = `screener ${id} ${contentKey([price, timestamp, rsi14, marketCap])}`;
  const number = (column: Float64Array) => {
    const values = new Float64Array(rows.length);
    for (let row = 0; row < rows.length; row++) values[row] = column[rows[row]];
    return values;
  };
  const columns = sharedColumns<ScreenerColumns>(key, () => ({
    price: number(quotes.price),
    changePct: number(quotes.changePct),
    volume: number(quotes.volume),
    rsi14: number(quotes.rsi14),
    marketCap: number(quotes.marketCap),
    peRatio: number(quotes.peRatio),
    dividendYield: number(quotes.dividendYield),
    sector: sector.codes,
    industry: industry.codes,
    country: country.codes,
    exchange: exchange.codes,
    // A session ends on the day, in UTC, that its bar is dated.
    lastBarDay: Int32Array.from(rows, (row) => dayFromMillis(Number(quotes.timestamp[row]) / 1000)),
  }));
  const texts: Record<ScreenerText, readonly (string | null)[]> = {
    sector: sector.texts,
    industry: industry.texts,
    country: country.texts,
    exchange: exchange.texts,
  };
  return { id, symbols, companyNames, texts, columns };
}

/** Whether the same symbols have quotes, under the same numbers. */
function isFrameOf({ quoted, rows }: Frame, names: readonly string[], { price }: Quotes): boolean {
  if (quoted !== names) {
    if (quoted.length !== names.length) return false;
    if (!quoted.every((name, number) => name === names[number])) return false;
  }
  const quoteCount = price.reduce((count, value) => (Number.isNaN(value) ? count : count + 1), 0);
  return quoteCount === rows.length && rows.every((number) => !Number.isNaN(price[number]));
}

function makeFrame(names: readonly string[], { price }: Quotes, listings: Listings): Frame {
  const numbers = [...names.keys()]
    .filter((number) => !Number.isNaN(price[number]))
    .sort((a, b) => (names[a] < names[b] ? -1 : 1));
  const symbols = numbers.map((number) => names[number]);
  const listed = listingRows(symbols, listings);
  return {
    quoted: names,
    rows: Int32Array.from(numbers),
    symbols,
    companyNames: listed.map((row) => listings.companyName[row] || null),
    columns: {
      sector: codedTexts(listed, listings.sector),
      industry: codedTexts(listed, listings.industry),
      country: codedTexts(listed, listings.country),
      exchange: codedTexts(listed, listings.exchange),
    },
  };
}

/** Row of each symbol in the directory, −1 where it is not there; both ascend. */
function listingRows(symbols: readonly string[], { symbol }: Listings): number[] {
  let row = 0;
  return symbols.map((wanted) => {
    while (symbol[row] < wanted) row++;
    return symbol[row] === wanted ? row : -1;
  });
}

interface CodedTexts {
  codes: Uint16Array;
  /** By code; null first. */
  texts: (string | null)[];
}

function codedTexts(rows: readonly number[], column: readonly string[]): CodedTexts {
  const texts: (string | null)[] = [null];
  const known = new Map<string, number>();
  const codes = Uint16Array.from(rows, (row) => {
    const text = column[row];
    if (!text) return 0;
    let code = known.get(text);
    if (code === undefined) {
      code = texts.push(text) - 1;
      known.set(text, code);
    }
    return code;
  });
  return { codes, texts };
}
