/** Lines that are no bars: below the rows, and where nothing was traded. */

import { csvFields } from '../inputs/csv-line.ts';
import { lastLine } from '../inputs/file-lines.ts';
import { isDateLike, isNumberLike, type Statements, statement, type TableShape } from './shape.ts';

/** Fields of a header at least: a date and four prices. */
const FIELDS_MIN = 5;

export const closingLines: TableShape = {
  words: 'lines below its rows',
  recognise({ header, delimiter, tail }) {
    const last = csvFields(lastLine(tail), delimiter);
    if (header.length < FIELDS_MIN || !isNoRow(last)) return undefined;
    return { header, headerLines: 1, stated: {}, rows: (line) => (isNoRow(line) ? [] : [line]) };
  },
};

/** True for a line without a value, and for a sentence in its first field. */
function isNoRow([first = '', ...others]: readonly string[]): boolean {
  if (others.some((text) => text !== '')) return false;
  if (first === '') return others.length > 0;
  return / /.test(first) && /[a-z]{3}/i.test(first) && !isDateLike(first) && !isNumberLike(first);
}

const CLOSING = /^"?downloaded from /i;
const CHICAGO = /\b(?:CST|CDT)\b/;

export const barchart: TableShape = {
  words: 'a closing line',
  recognise({ header, tail }) {
    const closing = lastLine(tail);
    if (!CLOSING.test(closing)) return undefined;
    const isBarcharts = /barchart/i.test(closing);
    return {
      header,
      headerLines: 1,
      stated: statedBy(closing),
      rows: (line) => {
        if (CLOSING.test(line[0] ?? '')) return [];
        return [isBarcharts ? line.map(monthFirst) : line];
      },
    };
  },
};

/** `03/04/2024 08:30` → `2024-03-04 08:30`, whatever days the file has. */
function monthFirst(text: string): string {
  return text.replace(/^(\d{2})\/(\d{2})\/(\d{4})(?= |$)/, '$3-$1-$2');
}

/** Barchart's times are Chicago's, as the time in its closing line. */
function statedBy(closing: string): Statements {
  if (!CHICAGO.test(closing)) return {};
  return { zone: statement('America/Chicago', `its closing line has the time of Chicago`) };
}

/** Robinhood's bars, of which some are made up where nothing was traded: `interpolated`. */
export const robinhood: TableShape = {
  words: 'a download of Robinhood',
  recognise({ header }) {
    const at = header.indexOf('interpolated');
    if (at === -1 || !header.includes('begins_at')) return undefined;
    return {
      header,
      headerLines: 1,
      stated: {},
      rows: (line) => (/^true$/i.test(line[at] ?? '') ? [] : [line]),
    };
  },
};
