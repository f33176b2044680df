/** Cells that an exporter guards against a spreadsheet's own reading: `="2024-01-02"`, `'AAPL`. */

import type { TableShape } from './shape.ts';

const FORMULA = /^="(.*)"$/;
const TEXT_MARK = /^'(?=[\dA-Z])/;

export const guarded: TableShape = {
  words: 'cells written as texts of a spreadsheet',
  recognise({ header, firstRow }) {
    const isGuarded = firstRow().some((cell) => FORMULA.test(cell) || TEXT_MARK.test(cell));
    if (!isGuarded) return undefined;
    return {
      header: header.map(plainCell),
      headerLines: 1,
      stated: {},
      rows: (line) => [line.map(plainCell)],
    };
  },
};

function plainCell(text: string): string {
  return text.replace(FORMULA, '$1').replace(TEXT_MARK, '');
}
