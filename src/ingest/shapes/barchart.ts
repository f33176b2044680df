/** A closing line that says where a file is from, as Barchart writes it below the bars. */

import { lastLine } from '../inputs/file-lines.ts';
import { type Statements, statement, type TableShape } from './shape.ts';

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
