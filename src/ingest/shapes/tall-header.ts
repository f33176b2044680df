/**
 * Headers of several lines, as pandas writes columns of two levels: `Price,Close,High` above
 * `Ticker,AAPL,AAPL` above `Date,,`. Either level may come first. Each symbol's columns become rows.
 */

import { MalformedInputError } from '../../base/errors.ts';
import { isCurrency } from '../../base/symbols/other-kinds.ts';
import { isAdjustedClose, isField, onePrice, PRICE_FIELDS } from './fields.ts';
import {
  type FileStart,
  isDateLike,
  type Statements,
  statement,
  type TableShape,
} from './shape.ts';
import { unstacked } from './unstacked.ts';
import { areWhole } from './wide-names.ts';

/** Lines of a header at most: two levels and the name of the index. */
const LEVELS_MAX = 3;

export const tallHeader: TableShape = {
  words: 'a header of several lines, as yfinance writes it',
  recognise(start) {
    if (!mayBeLevel(start) || start.firstRow().some(isDateLike)) return undefined;
    const lines = start.lines();
    const headerLines = lines.findIndex((line) => line.some(isDateLike));
    if (headerLines < 2 || headerLines > LEVELS_MAX) return undefined;
    const dateAt = lines[headerLines].findIndex(isDateLike);
    const levels = lines.slice(0, headerLines).map((line) => filled(line, dateAt));
    const fields = levels.find(haveAllPrices) ?? levels.find(areFields);
    const symbols = levels.find((level) => level !== fields && areNames(level));
    if (fields === undefined || symbols === undefined) return undefined;
    const cells = fields.flatMap((field, at) =>
      // pandas numbers equal names when it reads them as one line: `Close.1`.
      field === '' ? [] : [{ at, field: field.replace(/\.\d+$/, ''), symbol: symbols[at] ?? '' }],
    );
    const isOfYfinance = /^(?:price|ticker)$/i.test(start.header[0]);
    // A line of units: `USD,USD,USD,USD,shares`. Below `Ticker` it is a fund.
    if (!isOfYfinance && cells.some(({ symbol }) => isCurrency(symbol))) return undefined;
    if (!haveAllPrices(fields)) {
      throw new MalformedInputError(onePrice(cells.map(({ symbol }) => symbol)));
    }
    if (!areWhole(cells)) return undefined;
    const table = unstacked(dateAt, cells, 'the header names the tickers');
    const basis = isOfYfinance ? basisOf(fields, lines[headerLines][dateAt]) : {};
    return { ...table, stated: { ...table.stated, ...basis }, headerLines };
  },
};

/**
 * Prices of yfinance without an adjusted close are adjusted themselves: for splits and dividends,
 * or for splits alone where bars are of minutes, for which Yahoo has no dividends.
 */
function basisOf(fields: readonly string[], date: string): Pick<Statements, 'basis'> {
  if (fields.some(isAdjustedClose)) return {};
  const fact = 'its levels Price and Ticker, without an adjusted close, are those of yfinance';
  const isOfMinutes = /[T ](?!00:00:00)\d\d:\d\d/.test(date);
  return {
    basis: isOfMinutes
      ? statement('split', fact, 'split-adjusted prices')
      : statement('all', fact, 'prices adjusted for splits and dividends'),
  };
}

/** True for a first line that repeats names, or whose first one is that of a level or a date. */
function mayBeLevel({ header }: FileStart): boolean {
  const [first = ''] = header;
  return LEVEL.test(first) || new Set(header).size < header.length;
}

const LEVEL = /^(?:price|ticker|tickers|symbol|symbols|attributes|fields?|date|datetime|)$/i;

/** Labels of the columns behind the date. A merged cell of a spreadsheet holds its label once. */
function filled(line: readonly string[], dateAt: number): string[] {
  let label = '';
  return line.map((text, at) => {
    if (at <= dateAt) return '';
    if (text !== '') label = text;
    return label;
  });
}

/** False for a row of numbers whose date is missing. */
function areNames(level: readonly string[]): boolean {
  const labels = level.filter((text) => text !== '');
  return labels.length > 0 && labels.every((text) => /[A-Za-z]/.test(text));
}

function haveAllPrices(level: readonly string[]): boolean {
  return (
    areFields(level) && PRICE_FIELDS.every((name) => level.some((text) => isField(text, name)))
  );
}

/** True if all labels are fields of a bar. A ticker may be named like one (LOW, OPEN). */
function areFields(level: readonly string[]): boolean {
  const labels = level.filter((text) => text !== '');
  return labels.length > 0 && labels.every((text) => isField(text));
}
