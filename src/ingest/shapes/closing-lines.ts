/** Lines below the bars: notes of a portal, and the empty cells that a spreadsheet leaves. */

import { csvFields } from '../inputs/csv-line.ts';
import { lastLine } from '../inputs/file-lines.ts';
import { isDateLike, isNumberLike, type TableShape } from './shape.ts';

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
