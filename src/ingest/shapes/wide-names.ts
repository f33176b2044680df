/**
 * Names that hold a ticker and a field: `('Close', 'AAPL')` of pandas, `AAPL.Open` of R's quantmod,
 * `Close_AAPL`. Each symbol's columns become rows.
 */

import { basename } from 'node:path';
import { MalformedInputError } from '../../base/errors.ts';
import { isCurrency } from '../../base/symbols/other-kinds.ts';
import { isField, onePrice, PRICE_FIELDS } from './fields.ts';
import { isNumberLike, isTickerLike, type TableShape } from './shape.ts';
import { unstacked, type WideCell } from './unstacked.ts';

const DATE_NAME =
  /^(?:date|datetime|time|timestamp|index|__index_level_0__|\(['"](?:date|datetime)['"], ?['"]{2}\)|date(?:time)?_|)$/i;
const TUPLE = /^\(\s*['"]([^'"]*)['"]\s*,\s*['"]([^'"]*)['"]\s*\)$/;
const PAIR = /^(.+?)[ ._|:/-]+((?:Adj |Adj\.|Adj_)?[A-Za-z]+)$/;
/** `AAPLOpen`: the capital of the field ends the ticker. */
const JOINED = /^([A-Z][A-Z.-]*)((?:Adj)?(?:Open|High|Low|Close|Volume)|Adjusted)$/;
const PAIR_FIELD_FIRST = /^((?:Adj |Adj\.|Adj_)?[A-Za-z]+)[ ._|:/-]+(.+)$/;

/** Words before a field that are no tickers, though some securities are named so. */
const NO_TICKERS = new Set([
  ...['ADJ', 'ADJUSTED', 'RAW', 'UNADJ', 'BID', 'ASK', 'MID', 'PRE', 'POST', 'DAY', 'NIGHT', 'RTH'],
  ...[
    'ETH',
    'REG',
    'EXT',
    'PX',
    'PRICE',
    'TRADE',
    'MKT',
    'USD',
    'EUR',
    'GBP',
    'LOCAL',
    'NET',
    'TR',
  ],
  ...['STOCK', 'INDEX', 'SPOT', 'CASH', 'FUT', 'LAST', 'PREV', 'TODAY', 'REAL', 'NOM'],
]);

export const wideNames: TableShape = {
  words: 'columns named by ticker and field',
  recognise({ name, header, lines }) {
    if (header.length < 3 || header.some((name) => isField(name, 'close'))) return undefined;
    const dateAt = dateColumn(header);
    if (dateAt === -1) return undefined;
    const cells = wideCells(header, dateAt);
    if (cells.length === 0) {
      if (isClosesOnly(header, dateAt, lines()[1])) {
        throw new MalformedInputError(onePrice(header.filter((_, at) => at !== dateAt)));
      }
      return undefined;
    }
    if (!areWhole(cells)) return undefined;
    refuseCurrency(cells, name);
    if (!isNamed(cells, header, name)) return undefined;
    const table = unstacked(dateAt, cells, 'the names of the columns hold it');
    const [, ...fields] = table.header;
    return { ...table, header: [nameOfDates(header[dateAt]), ...fields], headerLines: 1 };
  },
};

/** True if each symbol has all prices of a bar. */
export function areWhole(cells: readonly WideCell[]): boolean {
  const bySymbol = Map.groupBy(cells, ({ symbol }) => symbol);
  return [...bySymbol.values()].every((own) =>
    PRICE_FIELDS.every((field) => own.some((cell) => isField(cell.field, field))),
  );
}

/**
 * A single word before fields may be any: a dot or the file's name proves the ticker. Behind the
 * field, as pandas joins its tuples, it is one.
 */
function isNamed(cells: readonly WideCell[], header: readonly string[], name: string): boolean {
  const [{ at, symbol }] = cells;
  if (cells.some((cell) => cell.symbol !== symbol)) return true;
  const isProven = !header[at].startsWith(symbol) || header[at].startsWith(`${symbol}.`);
  return isProven || isInName(symbol, name);
}

function isInName(symbol: string, name: string): boolean {
  const words = basename(name)
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  return words.includes(symbol);
}

/**
 * Refuses `Open (CAD)`, unless the file is named after such a ticker.
 * @throws {MalformedInputError} the word beside all fields is a currency.
 */
export function refuseCurrency(cells: readonly WideCell[], name: string): void {
  const [{ symbol }] = cells;
  if (!cells.every((cell) => isCurrency(cell.symbol)) || isInName(symbol, name)) return;
  throw new MalformedInputError(
    `its names of prices say ${symbol}, and prices are held in US dollars: convert them first; ` +
      `if ${symbol} is a ticker, name the file after it`,
  );
}

/** Name of the column in the table: yfinance's `Datetime` has minutes. */
export function nameOfDates(name: string): 'date' | 'datetime' {
  return /datetime/i.test(name) ? 'datetime' : 'date';
}

export function dateColumn(header: readonly string[]): number {
  return header.findIndex((name) => DATE_NAME.test(name));
}

/** The columns that name a ticker and a field; none if a column of neither kind stands between. */
export function wideCells(header: readonly string[], dateAt: number): WideCell[] {
  return header.flatMap((name, at) => {
    const pair = at === dateAt ? undefined : tickerAndField(name);
    return pair === undefined ? [] : [{ at, ...pair }];
  });
}

/** Says why names of tickers and fields are not read as such; empty for other names. */
export function adviceOfWideNames(header: readonly string[]): string {
  const dateAt = dateColumn(header);
  const cells = wideCells(
    header.map((name) => name.toUpperCase()),
    dateAt,
  );
  if (cells.length === 0 || !areWhole(cells)) return '';
  const words = new Set(cells.map(({ symbol }) => symbol));
  const [word] = words;
  const areCapitals = wideCells(header, dateAt).length === cells.length;
  if (areCapitals && words.size > 1) return 'names of tickers and fields need a date beside them';
  const advice = `if ${word} is a ticker, write it in capitals`;
  return words.size > 1 ? advice : `${advice} and name the file after it`;
}

function tickerAndField(text: string): { symbol: string; field: string } | undefined {
  const tuple = TUPLE.exec(text);
  // `Open (AAPL)`, `AAPL [Open]`.
  const name = tuple ? text : text.replace(/[()[\]]/g, ' ').trim();
  const [, left, right] = tuple ?? PAIR.exec(name) ?? JOINED.exec(name) ?? [];
  if (left === undefined) return undefined;
  if (isField(right) && isSymbol(left)) return { symbol: left, field: right };
  const [, field, symbol] = tuple ?? PAIR_FIELD_FIRST.exec(name) ?? [];
  return field !== undefined && isField(field) && isSymbol(symbol) ? { symbol, field } : undefined;
}

function isSymbol(text: string): boolean {
  return isTickerLike(text) && !NO_TICKERS.has(text);
}

/** Tickers of a header of a date and tickers alone, whatever stands below. */
export function symbolsOfCloses(header: readonly string[]): string[] | undefined {
  const dateAt = dateColumn(header);
  const row = header.map(() => '1');
  if (dateAt === -1 || !isClosesOnly(header, dateAt, row)) return undefined;
  return header.filter((_, at) => at !== dateAt);
}

/** True for a date and tickers alone as names, above numbers. */
export function isClosesOnly(
  header: readonly string[],
  dateAt: number,
  row: readonly string[] | undefined,
): boolean {
  const others = header.filter((_, at) => at !== dateAt);
  // One letter may be a field: `Date,O,H,L,C,V`. CRSP writes `PERMNO,date,TICKER,PRC`.
  const isOther = (name: string) => isField(name) || /^(?:TICKER|SYMBOL)$/.test(name);
  const areTickers = others.every((name) => isSymbol(name) && !isOther(name));
  if (['O', 'H', 'L', 'C'].every((letter) => others.includes(letter))) return false;
  const values = (row ?? []).filter((_, at) => at !== dateAt);
  return others.length > 1 && areTickers && values.some(isNumberLike);
}
