/** A closing line that says where a file is from, as Barchart writes it below the bars. */

import { type Statements, statement, type TableShape } from './shape.ts';

const CLOSING = /^"?downloaded from /i;
const CHICAGO = /\b(?:CST|CDT)\b/;

export const barchart: TableShape = {
  words: 'a closing line',
  recognise({ header, tail }) {
    const closing = tail.trimEnd().split('\n').at(-1) ?? '';
    if (!CLOSING.test(closing)) return undefined;
    return {
      header,
      headerLines: 1,
      stated: statedBy(closing),
      rows: (line) => (CLOSING.test(line[0] ?? '') ? [] : [line]),
    };
  },
};

/** Barchart's times are Chicago's, as the time in its closing line. */
function statedBy(closing: string): Statements {
  if (!CHICAGO.test(closing)) return {};
  return { zone: statement('America/Chicago', `its closing line has the time of Chicago`) };
}
