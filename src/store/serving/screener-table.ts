/** What the screener looks at in one published version. */

import type { ScreenerColumns, ScreenerText } from '../../compute/screener-columns.ts';
import { dayFromMillis } from '../../dates.ts';
import type { Listings, ScreenerTable } from './snapshot.ts';
import type { TableData } from './table-file.ts';
import type { QUOTE_TABLE } from './tables.ts';

type Quotes = TableData<typeof QUOTE_TABLE>;

/**
 * The symbols that have a quote, ascending.
 *
 * @param id That of the version.
 */
export function screenerTable(id: string, quotes: Quotes, listings: Listings): ScreenerTable {
  const rows = [...quotes.symbol.keys()]
    .filter((row) => !Number.isNaN(quotes.price[row]))
    .sort((a, b) => (quotes.symbol[a] < quotes.symbol[b] ? -1 : 1));
  const symbols = rows.map((row) => quotes.symbol[row]);
  const listed = listingRows(symbols, listings);
  const number = (column: Float64Array) => Float64Array.from(rows, (row) => column[row]);
  const sector = codedTexts(listed, listings.sector);
  const industry = codedTexts(listed, listings.industry);
  const country = codedTexts(listed, listings.country);
  const exchange = codedTexts(listed, listings.exchange);
  const columns: ScreenerColumns = {
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
  };
  const texts: Record<ScreenerText, readonly (string | null)[]> = {
    sector: sector.texts,
    industry: industry.texts,
    country: country.texts,
    exchange: exchange.texts,
  };
  const companyNames = listed.map((row) => listings.companyName[row] || null);
  return { id, symbols, companyNames, texts, columns };
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
