/** Columns that blanks set apart: a table copied from a page, a printed data frame, StockCharts. */

import { MalformedInputError } from '../../base/errors.ts';
import { DATE_NAMES } from './fields.ts';
import { isDateLike, isNumberLike, statement, type TableShape } from './shape.ts';

/** Lines above a header at most. */
const LINES_MAX = 20;
const PRICES = ['open', 'high', 'low', 'close'];

/** Lines have none, so that each is one field. */
const NO_DELIMITER = '\t';

/** A date in digits, alone or with a time, and one in words. */
const WITH_TIME = /^\S+(?: \d{1,2}:\d\d\S*(?: [AP]M)?)?$/i;
const IN_WORDS = /^(?:\d{1,2}[ -][A-Z][a-z]{2,8}|[A-Z][a-z]{2,8} \d{1,2}),?[ -]\d{4}$/;

/** The row for those that pandas left out. */
const SHORTENED = /^\s*\.{2,3}(?:\s+\.{3})+\s*$/;
const CUT_SHORT =
  'rows were left out when it was printed (its row "..."): write the frame with to_csv, or print all rows with to_string';

const wordsOf = (line: string): string[] => line.trim().split(/\s+/);
const isRule = (line: string): boolean => /^[\s=+-]+$/.test(line);
const isValue = (word: string): boolean =>
  isNumberLike(word) || /^(?:nan|n\/a|null|-)$/i.test(word);
const isDateName = (word: string): boolean => DATE_NAMES.includes(word.toLowerCase());

export const blankColumns: TableShape = {
  words: 'columns set apart by blanks',
  recognise(start) {
    if (start.header.length > 2) return undefined;
    const lines = start.textLines();
    const at = lines.slice(0, LINES_MAX).findIndex((line) => {
      const names = wordsOf(line.toLowerCase());
      return !/[,;|\t]/.test(line) && PRICES.every((name) => names.includes(name));
    });
    if (at === -1) return undefined;
    const names = wordsOf(lines[at]);
    // pandas prints the name of the index below those of the columns.
    const index = lines[at + 1]?.trim() ?? '';
    const hasIndex = !names.some(isDateName) && isDateName(index);
    const header = hasIndex ? [index, ...names] : names;
    const plain = header.map((name) => name.toLowerCase());
    // `Day` next to `Date` is a weekday.
    const dateAt = plain.includes('date') ? plain.indexOf('date') : header.findIndex(isDateName);
    const below = lines.slice(at + (hasIndex ? 2 : 1)).find((line) => !isRule(line)) ?? '';
    // pandas numbers the rows of a frame without an index of its own.
    const isNumbered = /^\s*0\s/.test(below);
    const cells = (line: string) =>
      rowOf(isNumbered ? line.replace(/^\s*\d+\s/, '') : line, header, dateAt);
    const first = cells(below);
    // `Adj Close` is one name of two words, and the columns behind it would be others.
    const isTwice = new Set(plain).size < header.length;
    if (dateAt === -1 || isTwice || first === undefined) return undefined;
    if (lines.some((line) => SHORTENED.test(line))) throw new MalformedInputError(CUT_SHORT);
    const isOfStockCharts = /^day date open high low close volume$/i.test(names.join(' '));
    const fact = 'its columns are those of StockCharts, which adjusts prices for both';
    const words = 'prices adjusted for splits and dividends';
    return {
      header,
      headerLines: at + (hasIndex ? 2 : 1),
      delimiter: NO_DELIMITER,
      stated: isOfStockCharts ? { basis: statement('all', fact, words) } : {},
      rows: ([line]) => (isRule(line) ? [] : [cells(line) ?? [line]]),
    };
  },
};

/** Cuts a line, whose date may have blanks; undefined without a date or a price for each name. */
function rowOf(line: string, header: readonly string[], dateAt: number): string[] | undefined {
  const words = wordsOf(line);
  const extra = words.length - header.length;
  if (extra < 0) return undefined;
  const date = words.splice(dateAt, extra + 1).join(' ');
  const isDate = (isDateLike(date) && WITH_TIME.test(date)) || IN_WORDS.test(date);
  if (!isDate || words.filter(isValue).length < PRICES.length) return undefined;
  return words.toSpliced(dateAt, 0, date);
}
