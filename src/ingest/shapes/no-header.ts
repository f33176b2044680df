/**
 * Files without a header. The bounds of a bar prove which column is the high and which the low; open
 * and close follow from the usual order, and from each open being near the close before it.
 */

import { basename } from 'node:path';
import { MalformedInputError } from '../../base/errors.ts';
import { arrangedPrices } from '../values/arranged-prices.ts';
import { finam } from './finam.ts';
import {
  type FileStart,
  isDateLike,
  isNumberLike,
  isTickerLike,
  type Statements,
  statement,
  type TableShape,
} from './shape.ts';

const ADVICE = 'add one like date,open,high,low,close,volume';
const CLOCK = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;
const PLAIN_CLOCK = /^(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?$/;
/** QuantQuote drops the zero of the hour: `930`. */
const SHORT_CLOCK = /^(?:1?\d|2[0-3])[0-5]\d$/;
const MIDNIGHT = /^0+$/;
const PERIOD = /^(?:[DWM]|1|5|10|15|30|60)$/;

export const noHeader: TableShape = {
  words: 'rows without a header',
  recognise(start) {
    if (!isRow(start.header)) return undefined;
    const lines = start.lines();
    const width = start.header.length;
    const columns = start.header.map((_, at) => lines.map((line) => line[at] ?? ''));
    const dateAt = columns.findIndex((texts) => texts.every(isDateText));
    if (dateAt === -1) return undefined;
    const names: string[] = Array(width).fill('');
    nameOthers(names, columns, dateAt);
    // A number before the date counts rows.
    const numbers = columns.map((texts, at) =>
      names[at] === '' && at > dateAt ? numbersFrom(texts) : undefined,
    );
    const found = arrangedPrices(numbers, {
      dates: [...columns[dateAt], start.last()[dateAt] ?? ''],
    });
    if ('reason' in found)
      throw new MalformedInputError(`it has no header, and ${found.reason}: ${ADVICE}`);
    for (const [name, at] of Object.entries(found.columns)) names[at] = name;
    const header = names.map((name, at) => name || `column${at + 1}`);
    const stated = { ...ofMetaTrader(start), ...ofQuantQuote(start) };
    const plain = { header, headerLines: 0, stated, rows: (line: readonly string[]) => [line] };
    if (!header.includes('<PER>') || !header.includes('symbol')) return plain;
    const ofFinam = finam.recognise({
      ...start,
      header: header.map((name) => (name === 'symbol' ? '<TICKER>' : name)),
      firstRow: () => start.header,
      lines: () => [header, ...lines],
    });
    return ofFinam === undefined ? plain : { ...ofFinam, headerLines: 0 };
  },
};

/** MetaTrader 4 names its files by ticker and minutes of a bar: `AAPL1440.csv`, `#AAPL5.csv`. */
const METATRADER = /^#?([A-Z.]+)(?:1|5|15|30|60|240|1440|10080|43200)(?= ?\(|\.[a-z])/;

function ofMetaTrader({ name, header }: FileStart): Statements {
  const [, symbol] = METATRADER.exec(basename(name)) ?? [];
  const [date = '', time = ''] = header;
  if (symbol === undefined || !/^\d{4}(\.\d\d){2}$/.test(date) || !CLOCK.test(time)) return {};
  return { symbol: statement(symbol, 'its name has the form of MetaTrader 4') };
}

/** True for a first line that holds a date and prices, so that it names nothing. */
function isRow(header: FileStart['header']): boolean {
  if (header.filter(isNumberLike).length < 4) return false;
  return header.some(isDateText);
}

/** A date in digits; years of two digits as Finam writes them are named by its own shape. */
function isDateText(text: string): boolean {
  return isDateLike(text) || /^\d{1,2}[- ][A-Za-z]{3}[- ]\d{4}/.test(text);
}

/** Names the date, a time behind it, a period and a ticker before it. */
function nameOthers(
  names: string[],
  columns: readonly (readonly string[])[],
  dateAt: number,
): void {
  names[dateAt] = '<DATE>';
  const next = columns[dateAt + 1] ?? [];
  const isOfMinutes = new Set(columns[dateAt]).size * 2 <= columns[dateAt].length;
  const areShort = isOfMinutes && next.every((text) => SHORT_CLOCK.test(text));
  if (areClocks(next) || (areShort && areRising(next))) names[dateAt + 1] = '<TIME>';
  else if (isZeroTime(next)) names[dateAt + 1] = `column${dateAt + 2}`;
  for (const at of columns.keys()) {
    const texts = columns[at];
    if (names[at] !== '') continue;
    if (at < dateAt && texts.every((text) => PERIOD.test(text) && text === texts[0])) {
      names[at] = '<PER>';
    } else if (texts.every((text) => isTickerLike(text) && !isNumberLike(text))) {
      names[at] = names.includes('symbol') ? '' : 'symbol';
    }
  }
}

/** True for the time of QuantQuote's days, which is 0. */
function isZeroTime(texts: readonly string[]): boolean {
  return texts.length > 1 && texts.every((text) => text === '0');
}

/** QuantQuote's daily files. Volumes with decimals show that they and the prices are adjusted. */
function ofQuantQuote({ name, header }: FileStart): Statements {
  const isNamed =
    /^table_[a-z-]+\.[a-z.]+$/i.test(basename(name)) && header.length === QUANTQUOTE_WIDTH;
  if (!isNamed || header[1] !== '0' || !/\.\d*[1-9]/.test(header[QUANTQUOTE_WIDTH - 1])) return {};
  const fact = 'the daily files of QuantQuote have volumes with decimals where they are adjusted';
  return { basis: statement('all', fact, 'prices adjusted for splits and dividends') };
}

const QUANTQUOTE_WIDTH = 7;

/** True for times of day. Digits without colons may be a volume, which one number in all rows is. */
function areClocks(texts: readonly string[]): boolean {
  if (texts.length === 0) return false;
  if (texts.every((text) => CLOCK.test(text))) return true;
  const isOne = texts.every((text) => text === texts[0]) && texts.length > 1;
  return texts.every((text) => PLAIN_CLOCK.test(text)) && (!isOne || MIDNIGHT.test(texts[0]));
}

/** True for numbers of which nearly each is above the one before, as times of a day are. */
function areRising(texts: readonly string[]): boolean {
  const falls = texts.filter((text, at) => at > 0 && Number(text) <= Number(texts[at - 1]));
  return falls.length * 10 <= texts.length;
}

function numbersFrom(texts: readonly string[]): number[] | undefined {
  const numbers = texts.map((text) =>
    isNumberLike(text) ? Number(text.replace(/^[$]/, '')) : NaN,
  );
  return numbers.some(Number.isNaN) ? undefined : numbers;
}
