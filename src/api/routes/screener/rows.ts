/** Rows of a screen as JSON text and as a table. */

import type {
  ScreenerColumns,
  ScreenerNumber,
  ScreenerText,
} from '../../../compute/screener/columns.ts';
import { jsonFromScreenerRow } from '../../../store/arrow/snapshot/screener-json.ts';
import type { ScreenerTable } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Table } from '../../responses/table.ts';

function textOf({ texts, columns }: ScreenerTable, column: ScreenerText, row: number) {
  return texts[column][columns[column][row]];
}

/** By the columns of a table, which versions may have in common. */
const textsOfColumns = new WeakMap<ScreenerColumns, string[]>();

/** Rows as JSON; each is written once for a table: the first rows of many screens are the same. */
export function rowTexts(table: ScreenerTable, rows: Int32Array): string[] {
  let texts = textsOfColumns.get(table.columns);
  if (!texts) {
    texts = new Array<string>(table.symbols.length);
    textsOfColumns.set(table.columns, texts);
  }
  const page: string[] = [];
  for (const row of rows) {
    texts[row] ??= jsonFromScreenerRow(table, row);
    page.push(texts[row]);
  }
  return page;
}

/** The same fields as columns. */
export function tableFromScreenerRows(table: ScreenerTable, rows: Int32Array): Table {
  const values = (name: ScreenerNumber) =>
    Float64Array.from(rows, (row) => table.columns[name][row]);
  const number = (name: ScreenerNumber) =>
    ({ name, type: 'number', values: values(name) }) as const;
  const text = (name: ScreenerText) =>
    ({
      name,
      type: 'optionalText',
      values: Array.from(rows, (row) => textOf(table, name, row)),
    }) as const;
  return [
    { name: 'symbol', type: 'text', values: Array.from(rows, (row) => table.symbols[row]) },
    {
      name: 'companyName',
      type: 'optionalText',
      values: Array.from(rows, (row) => table.companyNames[row]),
    },
    number('price'),
    number('changePct'),
    number('marketCap'),
    number('peRatio'),
    number('dividendYield'),
    text('sector'),
    text('industry'),
    { name: 'volume', type: 'count', values: values('volume') },
    number('rsi14'),
  ];
}
